import { App, Validations, type IPolicyValidationPlugin, type Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { docket } from '../../infra/docket.ts';
import type { Settings } from '../../infra/settings.ts';

export const settings: Settings = {
  environment: 'test',
  issuer: 'https://issuer.example',
  jwksUri: 'https://issuer.example/keys',
  audience: ['docket', 'console'],
  tokenUse: 'access',
  allowedOrigins: ['https://docket.example'],
  registryUrl: 'https://registry.example',
  officeName: 'Example Authority',
  mailFrom: 'notices@docket.example',
  tenants: [{ id: 'demo', zone: 'Asia/Jakarta' }],
  throttle: { requestsPerSecond: 10, burst: 20 },
};

export type Resource = {
  Type: string;
  Properties: Record<string, unknown>;
  DeletionPolicy?: string;
  UpdateReplacePolicy?: string;
};
export type Resources = Record<string, Resource>;

/** The stacks as they would be deployed, over an empty program: what is bundled is deploys.test.ts's concern. */
export function stacks(plugin?: IPolicyValidationPlugin) {
  const folder = mkdtempSync(join(tmpdir(), 'docket-infra-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const bundle = (name: string) => {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'index.mjs'), '');
    return join(folder, name);
  };
  const app = new App({ outdir: join(folder, 'cdk.out'), builtinCloudFormationValidation: false });
  if (plugin) Validations.of(app).addPlugins(plugin);
  return { app, ...docket(app, settings, { api: bundle('api'), workflows: bundle('workflows') }) };
}

export function templates() {
  const { data, workflows, api, observability } = stacks();
  const of = (stack: Stack) => Template.fromStack(stack);
  return { data: of(data), workflows: of(workflows), api: of(api), observability: of(observability) };
}

export const resources = (template: Template, type?: string): Resources =>
  Object.fromEntries(
    Object.entries((template.toJSON() as { Resources: Resources }).Resources).filter(
      ([, resource]) => !type || resource.Type === type,
    ),
  );

/**
 * A value as one reads it: `{ Fn::Join … }` of an ARN becomes `dynamodb:table/docket-test`, a parameter its path, and a
 * reference the logical id in angle brackets.
 */
export function plain(template: Template, value: unknown): string {
  const { Parameters = {} } = template.toJSON() as { Parameters?: Record<string, { Default?: string }> };
  const text = (part: unknown): string => {
    if (typeof part === 'string') return part;
    const { Ref, 'Fn::Join': joined, 'Fn::GetAtt': got } = part as Record<string, unknown>;
    if (Array.isArray(joined)) return (joined[1] as unknown[]).map(text).join(joined[0] as string);
    if (Array.isArray(got)) return `<${got[0]}>`;
    return Parameters[Ref as string]?.Default ?? `<${Ref as string}>`;
  };
  return text(value).replace(/^arn:<AWS::Partition>:(\w+):(<AWS::Region>)?:(<AWS::AccountId>)?:/, '$1:');
}
