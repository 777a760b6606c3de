import type { Stack } from 'aws-cdk-lib';

/**
 * Every name that one stack says and another must know. They are plain text or parameters, never references: a reference
 * between stacks cannot be taken away again without deploying both in an order that CloudFormation does not know.
 */
export const namesOf = (environment: string) => {
  const named = (what: string) => `docket-${environment}-${what}`;
  const path = (what: string) => `/docket/${environment}/${what}`;
  return {
    prefix: `docket-${environment}`,
    table: `docket-${environment}`,
    bucket: (account: string, region: string) => `${named('documents')}-${account}-${region}`,
    handler: (handler: string) => named(handler),
    machine: (machine: string) => named(machine),
    machineLog: (machine: string) => `/aws/vendedlogs/states/${named(machine)}`,
    accessLog: `/aws/vendedlogs/apis/${named('api')}`,
    bus: named('events'),
    configurationSet: named('mail'),
    unpublished: named('unpublished'),
    unheard: named('unheard'),
    alarms: named('alarms'),
    secret: (secret: SecretName) => `docket/${environment}/${secret}`,
    /** Parameters, for what only AWS can name. */
    streamArn: path('table/stream-arn'),
    keyArn: path('key-arn'),
    apiId: path('api-id'),
    /** Where the functions' own figures go. */
    metrics: `Docket/${environment}`,
  };
};

export type Names = ReturnType<typeof namesOf>;
export type SecretName = 'cursor-key' | 'registry-api-key' | 'registry-callback';

/** The one name under which executions are started, whatever version it stands for. */
export const liveAlias = 'live';

/** The metrics that are counted from log lines, in the stack's own namespace. */
export const deadMessages = 'OutboxMessagesDead';
export const openFindings = 'FindingsOpen';
export const reconciliations = 'Reconciliations';
/** Log lines that need a person. */
export const alarmLines = 'AlarmLines';

/** ARNs of what another stack owns, made from its plain names. */
export const arnsOf = ({ partition, region, account }: Stack, names: Names) => {
  const at = (service: string, rest: string) => `arn:${partition}:${service}:${region}:${account}:${rest}`;
  return {
    table: at('dynamodb', `table/${names.table}`),
    index: (index: string) => at('dynamodb', `table/${names.table}/index/${index}`),
    bucket: `arn:${partition}:s3:::${names.bucket(account, region)}`,
    documents: `arn:${partition}:s3:::${names.bucket(account, region)}/documents/*`,
    bus: at('events', `event-bus/${names.bus}`),
    machine: (machine: string) => at('states', `stateMachine:${names.machine(machine)}`),
    executions: (machine: string) => at('states', `execution:${names.machine(machine)}:*`),
    configurationSet: at('ses', `configuration-set/${names.configurationSet}`),
    identity: (identity: string) => at('ses', `identity/${identity}`),
    // Secrets Manager adds six characters of its own.
    secret: (secret: SecretName) => at('secretsmanager', `secret:${names.secret(secret)}-??????`),
  };
};

export type Arns = ReturnType<typeof arnsOf>;
