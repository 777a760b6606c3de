import { parseArgs } from 'node:util';
import type { TenantId } from '../domain/ids.ts';
import { always } from '../domain/condition.ts';
import { connect } from '../store/connect.ts';
import { dynamoTable } from '../store/dynamo.ts';
import { scanOf } from '../store/scan.ts';
import type { Item, Key } from '../store/table-port.ts';
import { corruptions } from './corruption.ts';
import { tableName } from './host.ts';
import { runningHost } from './running.ts';

const help = `Spoils the running host's data for a drill: one thing, several, or one of every kind. Then: npm run reconcile

  npm run corrupt -- --what "guard altered" [--what "audit event deleted"] [--tenant demo]
  npm run corrupt -- --all

What there is to spoil:
${corruptions.map(({ name, finds }) => `  ${name.padEnd(36)} ${finds.join(', ')}`).join('\n')}
`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      what: { type: 'string', multiple: true, default: [] },
      all: { type: 'boolean' },
      tenant: { type: 'string', default: 'demo' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help || (!values.all && values.what.length === 0)) return void process.stdout.write(help);
  const unknown = values.what.filter((name) => !corruptions.some((one) => one.name === name));
  if (unknown.length > 0) throw new Error(`nobody knows how to spoil: ${unknown.join(', ')}`);

  const clients = connect(runningHost().parts.dynamodb);
  const table = dynamoTable(clients, tableName);
  const scan = scanOf(clients.reader, tableName);
  const put = ({ pk, sk }: Key, item: Item | undefined) =>
    table.write({ kind: item ? 'put' : 'delete', key: { pk, sk }, item: item ?? {}, when: always });
  for (const { name, finds, spoil } of corruptions.filter((one) => values.all || values.what.includes(one.name))) {
    const spoilt = spoil((await scan(values.tenant as TenantId, { number: 0, of: 1 }, 100_000)).items);
    for (const [key, item] of spoilt) await put(key, item);
    console.log(`  ${name.padEnd(36)} ${spoilt.length > 0 ? finds.join(', ') : 'there is no such thing here'}`);
  }
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
