import { parseArgs } from 'node:util';
import type { TenantId } from '../domain/ids.ts';
import { connect } from '../store/connect.ts';
import { dynamoTable } from '../store/dynamo.ts';
import { rebuildOpenCases } from '../store/openCases.ts';
import { systemStore } from '../store/systemStore.ts';
import { tableName } from './host.ts';
import { runningHost } from './running.ts';

const help = `Rebuilds the projection of open cases by region against the running host's table, and compares it with a recount.
Nothing is emptied, so that it may run beside the host; what happens meanwhile may differ, and a second run tells.

  npm run projections [-- --tenant demo]
`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { tenant: { type: 'string', default: 'demo' }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help) return void process.stdout.write(help);
  const clients = connect(runningHost().parts.dynamodb);
  const store = systemStore(dynamoTable(clients, tableName), () => undefined);
  const { cases, regions } = await rebuildOpenCases(store, values.tenant as TenantId);
  for (const { region, counted, projected } of regions)
    console.log(`  ${region.padEnd(12)} ${counted} open${counted === projected ? '' : `, projected ${projected}`}`);
  console.log(`${cases} cases`);
  if (regions.some(({ counted, projected }) => counted !== projected)) throw new Error('the projection differs');
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
