import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { ref, type Ref } from '../../domain/refs.ts';
import { keysOf } from '../../store/keys.ts';
import * as domain from '../domain/builders.ts';
import { startWorld, type World } from '../store/world.ts';
import { playAws } from './awsPlayed.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'docket-deploys-'));
const out = join(folder, 'cdk.out');
const nowhere = 'http://127.0.0.1:9';

/** Everything a program could find is gone: no Docker, no credentials, no network; only node itself. */
beforeAll(async () => {
  mkdirSync(join(folder, 'bin'));
  symlinkSync(realpathSync(process.execPath), join(folder, 'bin/node'));
  const env = { HOME: folder, PATH: join(folder, 'bin'), HTTPS_PROXY: nowhere, HTTP_PROXY: nowhere };
  await run('node', ['node_modules/aws-cdk/bin/cdk', 'synth', '--quiet', '--output', out], { cwd: root, env });
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Handler = { Handler: string; Code: { S3Key: string } };
const template = (stack: string) =>
  JSON.parse(readFileSync(join(out, `Docket-example-${stack}.template.json`), 'utf8')) as {
    Resources: Record<string, { Type: string; Properties: Handler }>;
  };
/** What is deployed: the folder that becomes a function's code, and the names that are called in it. */
function deployed(): Map<string, string[]> {
  const handlers = new Map<string, string[]>();
  for (const { Type, Properties } of ['Workflows', 'Api'].flatMap((stack) =>
    Object.values(template(stack).Resources),
  )) {
    if (Type !== 'AWS::Lambda::Function') continue;
    const bundle = join(out, `asset.${Properties.Code.S3Key.replace('.zip', '')}`, 'index.mjs');
    handlers.set(bundle, [...(handlers.get(bundle) ?? []), Properties.Handler.replace('index.', '')]);
  }
  return handlers;
}
const bundleWith = (handler: string) => [...deployed()].find(([, handlers]) => handlers.includes(handler))![0];

/** Runs a program beside the bundle in plain node, and answers the last thing it printed. */
async function inNode(program: string, env: Record<string, string> = {}) {
  const all = { PATH: '', AWS_REGION: 'eu-central-1', AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'x', ...env };
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], { cwd: folder, env: all });
  return JSON.parse(stdout.trim().split('\n').at(-1)!) as unknown;
}
/** Calls a handler as Lambda does. */
const call = (handler: string, event: unknown, env: Record<string, string>) =>
  inNode(
    `const { ${handler}: handler } = await import(${JSON.stringify(bundleWith(handler))});
     const answer = await handler(${JSON.stringify(event)}, { getRemainingTimeInMillis: () => 10_000 });
     console.log(JSON.stringify(answer)); process.exit(0);`,
    env,
  );

describe('each bundle', () => {
  it('starts in plain node, and has every function that is deployed and no other', { timeout: 60_000 }, async () => {
    assert.equal(deployed().size, 2);
    for (const [bundle, handlers] of deployed()) {
      const exported = await inNode(
        `const all = Object.entries(await import(${JSON.stringify(bundle)}));
         console.log(JSON.stringify(all.filter(([, value]) => typeof value === 'function').map(([name]) => name)))`,
      );
      assert.deepEqual((exported as string[]).sort(), handlers.sort());
    }
  });
});

describe('the bundle of the workflows', () => {
  let world: World;
  let aws: Awaited<ReturnType<typeof playAws>>;
  beforeAll(async () => ([world, aws] = await Promise.all([startWorld(), playAws('secret')])), 60_000);
  afterAll(() => Promise.all([world.stop(), aws.stop()]));

  it('renders a notice with the fonts that lie beside it, and stores it', { timeout: 60_000 }, async () => {
    const { c1, a1, n1, p1, k1, tenant } = domain;
    const put = (of: Ref, itemType: string, item: object) =>
      world.store.table.write({
        kind: 'put',
        key: keysOf(tenant.id).of(of),
        item: { itemType, ...item },
        when: { is: 'absent' },
      });
    await put(ref.case(c1), 'Case', domain.inEnforcement());
    await put(ref.party(c1, p1), 'Party', domain.party({ name: 'Łukasz Müller' }));
    await put(ref.contravention(c1, k1), 'Contravention', domain.contravention());
    await put(ref.action(c1, a1), 'EnforcementAction', domain.action());
    await put(ref.notice(c1, n1), 'Notice', domain.requested());

    const input = { tenant: tenant.id, caseId: c1, actionId: a1, noticeId: n1, effectId: domain.mail1, round: 0 };
    const asked = { ...input, correlationId: 'correlation', requestedBy: domain.sue.id };
    const answer = await call(
      'renderNotice',
      { input: asked, execution: 'execution', attempt: 0 },
      {
        AWS_ENDPOINT_URL_DYNAMODB: world.endpoint,
        AWS_ENDPOINT_URL_S3: aws.endpoint,
        DOCKET_TABLE: world.tableName,
        DOCUMENT_BUCKET: 'documents',
        EVENT_BUS: 'bus',
        MAIL_CONFIGURATION_SET: 'mail',
        MAIL_FROM: 'notices@docket.example',
        OFFICE_NAME: 'Example Authority',
        REGISTRY_URL: 'https://registry.example',
      },
    );

    assert.deepEqual(answer, { status: 'RENDERED', refused: 'NO' });
    const [[path, pdf]] = [...aws.stored] as [[string, Buffer]];
    assert.match(path, /^\/documents\/documents\/demo\/c1\/n1\/[0-9a-f]{64}$/);
    assert.match(pdf.toString('latin1'), /^%PDF-1\.7[^]*NotoSans/);
  });
});

describe('the bundle of the API', () => {
  const env = {
    DOCKET_TABLE: 'docket',
    DOCUMENT_BUCKET: 'documents',
    CURSOR_KEY_SECRET: 'docket/example/cursor-key',
    TOKEN_ISSUER: 'https://issuer.example',
    TOKEN_JWKS_URI: 'https://issuer.example/keys',
    TOKEN_AUDIENCE: 'docket',
    TOKEN_USE: 'access',
  };
  const request = {
    headers: { 'content-type': 'application/json' },
    requestContext: { http: { method: 'POST' } },
    rawQueryString: '',
    body: JSON.stringify({ query: '{ viewer { id } }' }),
    isBase64Encoded: false,
  };

  it('answers a stranger in the words of GraphQL', { timeout: 60_000 }, async () => {
    const aws = await playAws('a long random text');
    const answer = await call('handler', request, { ...env, AWS_ENDPOINT_URL_SECRETS_MANAGER: aws.endpoint });
    await aws.stop();
    const { statusCode, body } = answer as { statusCode: number; body: string };
    assert.equal(statusCode, 401);
    assert.match(body, /"code":"UNAUTHENTICATED"/);
  });

  type Ended = { code: number; stdout: string; stderr: string };
  it('ends its process where it cannot start, so that another one is begun', { timeout: 60_000 }, async () => {
    const { DOCKET_TABLE: _, ...incomplete } = env;
    const ended = (await call('handler', request, incomplete).catch((error: unknown) => error)) as Ended;
    assert.equal(ended.code, 1);
    assert.match(ended.stdout + ended.stderr, /the API cannot start.*the environment has no DOCKET_TABLE/);
  });
});
