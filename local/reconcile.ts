import { parseArgs } from 'node:util';
import type { TenantId } from '../domain/ids.ts';
import type { Finding } from '../domain/operations/finding.ts';
import { connect } from '../store/connect.ts';
import { dynamoTable } from '../store/dynamo.ts';
import { scanOf } from '../store/scan.ts';
import { systemStore } from '../store/systemStore.ts';
import { reconcile } from '../workflows/reconciliation/reconcile.ts';
import { tableName } from './host.ts';
import { runningHost } from './running.ts';

const help = `Reconciles the running host's table: looks at everything twice, sets right what follows from the records, and
names what is left for a person. It may run beside the host. Exits non-zero where anything was found.

  npm run reconcile [-- --tenant demo] [--settle-seconds 3]
`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      tenant: { type: 'string', default: 'demo' },
      'settle-seconds': { type: 'string', default: '3' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return void process.stdout.write(help);
  const seconds = Number(values['settle-seconds']);
  if (!(seconds >= 0 && seconds <= 600)) throw new Error('--settle-seconds must be 0 to 600');

  const clients = connect(runningHost().parts.dynamodb);
  const store = systemStore(dynamoTable(clients, tableName), () => undefined);
  const date = new Date().toISOString(); // a pass of its own, beside the night's
  const pass = { store, scan: scanOf(clients.reader, tableName), tenant: values.tenant as TenantId, date };
  const { met, looked, unproven, open, repaired, overflown } = await reconcile(pass, seconds * 1000);

  for (const finding of repaired) console.log(`  repaired  ${lineOf(finding)}`);
  for (const finding of open) console.log(`  open      ${lineOf(finding)}`);
  console.log(`${met} items, ${looked} of them looked at, ${unproven} that nothing can be said of`);
  console.log(`${repaired.length} findings repaired, ${open.length} open`);
  if (overflown) console.log('more looked wrong than one pass takes in: run it again');
  if (repaired.length + open.length > 0) process.exitCode = 1;
}

const lineOf = ({ kind, aggregateType, aggregateId, item, values, seen }: Finding) =>
  `${kind.padEnd(20)} ${aggregateType} ${aggregateId} ${item} ${JSON.stringify(values)}, seen ${seen} times`;

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
