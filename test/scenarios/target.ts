import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Role } from '../../domain/command.ts';
import type { TenantId } from '../../domain/ids.ts';
import { demoTenant } from '../../local/demoTenant.ts';
import { asPerson, type Ask } from '../../local/demo/client.ts';
import type { Host } from '../../local/host.ts';
import { mintToken, secretsIn, type Secrets } from '../../local/issuer.ts';
import { connect } from '../../store/connect.ts';
import { dynamoTable } from '../../store/dynamo.ts';
import type { Store } from '../../store/store.ts';
import { systemStore } from '../../store/systemStore.ts';
import { seedTenant } from '../../store/tenants.ts';
import { startHostProcess } from '../crash/runningHost.ts';

/**
 * Where the scenarios run. Without an environment they start the bundled host as a process of its own, on a free port and
 * an empty directory. Against a deployed API:
 *
 *   DOCKET_SCENARIO_URL     its GraphQL endpoint
 *   DOCKET_SCENARIO_TOKEN   a command that prints a token, given --tenant, --actor and --roles as `npm run token` is
 *   DOCKET_SCENARIO_TENANTS two tenants with settings, separated by a comma (demo,other)
 *
 * What needs the other parties' faults, the issuer's key or the table is then reported as skipped, by its name.
 */
export const deployedUrl = process.env['DOCKET_SCENARIO_URL'];

export type Target = {
  url: string;
  /** The tenant of the scenarios, and one that must see nothing of them. */
  tenant: string;
  otherTenant: string;
  token: (tenant: string, actor: string, ...roles: Role[]) => Promise<string>;
  /** Speaks as the token's person, and repeats with the same key until the answer is known. */
  ask: (token: string) => Ask;
  /** What stands behind the API, where the host is ours. */
  local: Local | undefined;
  stop: () => Promise<void>;
};

export type Local = {
  directory: string;
  parts: Host['parts'];
  secrets: Secrets;
  store: Store;
  dynamodb: DynamoDBClient;
};

export async function startTarget(env: Record<string, string> = {}): Promise<Target> {
  return deployedUrl ? deployed(deployedUrl) : started(env);
}

function deployed(url: string): Target {
  const [command, ...args] = (process.env['DOCKET_SCENARIO_TOKEN'] ?? 'node dist/token.mjs').split(' ');
  const [tenant = 'demo', otherTenant = 'other'] = (process.env['DOCKET_SCENARIO_TENANTS'] ?? '')
    .split(',')
    .filter(Boolean);
  const token: Target['token'] = (of, actor, ...roles) => {
    const asked = [...args, '--tenant', of, '--actor', actor, '--roles', roles.join(',')];
    return Promise.resolve(execFileSync(command!, asked, { encoding: 'utf8' }).trim());
  };
  return {
    url,
    tenant,
    otherTenant,
    token,
    ask: (by) => asPerson(url, by),
    local: undefined,
    stop: () => Promise.resolve(),
  };
}

async function started(env: Record<string, string>): Promise<Target> {
  const directory = mkdtempSync(join(tmpdir(), 'docket-scenarios-'));
  const host = await startHostProcess(directory, 0, { DOCKET_REGISTRY_ANSWERS_AFTER_MS: '100', ...env });
  const orphaned = () => void process.kill(host.pid);
  process.once('exit', orphaned); // a test that ends early leaves no host behind
  const { parts } = JSON.parse(readFileSync(join(directory, 'host.json'), 'utf8')) as Pick<Host, 'parts'>;
  const secrets = await secretsIn(directory);
  const clients = connect(parts.dynamodb);
  const store = systemStore(dynamoTable(clients, 'docket'), () => undefined);
  await seedTenant(store, { ...demoTenant, id: 'other' as TenantId, name: 'Another regulator' });
  const token: Target['token'] = (tenant, actor, ...roles) => mintToken(secrets, { tenant, actor, roles, hours: 1 });
  return {
    url: host.url,
    tenant: 'demo',
    otherTenant: 'other',
    token,
    ask: (by) => asPerson(host.url, by),
    local: { directory, parts, secrets, store, dynamodb: clients.reader },
    stop: async () => {
      clients.reader.destroy();
      clients.writer.destroy();
      process.off('exit', orphaned);
      const code = await host.stop();
      rmSync(directory, { recursive: true, force: true });
      if (code !== 0) throw new Error(`the host ended with ${code}`);
    },
  };
}

/** What a client sees of one request. */
export type Reply = {
  status: number;
  text: string;
  data: Record<string, unknown> | null | undefined;
  errors: { message: string; extensions: { code: string } }[];
};

/** One request, one answer: nothing is repeated. */
export async function post(url: string, token: string | undefined, query: string, variables: object): Promise<Reply> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ query, variables }),
  });
  const text = await response.text();
  const { data, errors = [] } = JSON.parse(text) as Partial<Reply>;
  return { status: response.status, text, data, errors };
}
