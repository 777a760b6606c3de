import type { Stack } from 'aws-cdk-lib';
import { machineNames } from './definitions.ts';
import { arnsOf, liveAlias, type Names } from './names.ts';
import type { Settings } from './settings.ts';

/**
 * What workflows/deployed.ts reads. Names only: secrets are named, and read at run time by those that may. All functions
 * get the same, since a name is no right.
 */
export const workflowEnvironment = (stack: Stack, names: Names, settings: Settings): Record<string, string> => {
  return {
    DOCKET_TABLE: names.table,
    DOCUMENT_BUCKET: names.bucket(stack.account, stack.region),
    EVENT_BUS: names.bus,
    MAIL_CONFIGURATION_SET: names.configurationSet,
    MAIL_FROM: settings.mailFrom,
    OFFICE_NAME: settings.officeName,
    REGISTRY_URL: settings.registryUrl,
    REGISTRY_API_KEY_SECRET: names.secret('registry-api-key'),
    REGISTRY_CALLBACK_SECRET: names.secret('registry-callback'),
    ...machinesIn(stack, names),
  };
};

/** By the alias they are started through. */
function machinesIn(stack: Stack, names: Names): Record<string, string> {
  const arns = arnsOf(stack, names);
  const machines = machineNames.map((machine) => [
    `${machine.toUpperCase()}_MACHINE`,
    `${arns.machine(machine)}:${liveAlias}`,
  ]);
  return Object.fromEntries(machines) as Record<string, string>;
}

/** What resolvers/deployed.ts reads. */
export const apiEnvironment = (stack: Stack, names: Names, settings: Settings): Record<string, string> => ({
  DOCKET_TABLE: names.table,
  DOCUMENT_BUCKET: names.bucket(stack.account, stack.region),
  CURSOR_KEY_SECRET: names.secret('cursor-key'),
  TOKEN_ISSUER: settings.issuer,
  TOKEN_JWKS_URI: settings.jwksUri,
  TOKEN_AUDIENCE: settings.audience.join(','),
  TOKEN_USE: settings.tokenUse,
  ...machinesIn(stack, names),
});
