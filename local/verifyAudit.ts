import { parseArgs } from 'node:util';
import type { Case } from '../domain/case/case.ts';
import type { CaseId, TenantId } from '../domain/ids.ts';
import { ref } from '../domain/refs.ts';
import { chainFaults, type AuditEvent } from '../store/audit.ts';
import { connect } from '../store/connect.ts';
import { dynamoTable } from '../store/dynamo.ts';
import { listEvents, type Position } from '../store/lists.ts';
import { readItems } from '../store/read.ts';
import type { Store } from '../store/store.ts';
import { systemStore } from '../store/systemStore.ts';
import { tableName } from './host.ts';
import { runningHost } from './running.ts';

const help = `Verifies the audit chain of a case against the running host's table: contiguous, linked, unaltered, and ending
where the case says it ends.

  npm run audit -- --case 2026-000001 [--tenant demo]
`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      case: { type: 'string' },
      tenant: { type: 'string', default: 'demo' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return void process.stdout.write(help);
  if (!values.case) throw new Error(`--case is needed\n\n${help}`);
  const clients = connect(runningHost().parts.dynamodb);
  const store = systemStore(dynamoTable(clients, tableName), () => undefined);
  const faults = await verify(store, values.tenant as TenantId, values.case);
  for (const { seq, fault } of faults) console.error(`  event ${seq}: ${fault}`);
  if (faults.length > 0) throw new Error(`the audit chain of case ${values.case} does not verify`);
}

async function verify(store: Store, tenant: TenantId, number: string) {
  const [sentinel] = await readItems(store, tenant, [ref.unique('CASE_NUMBER', '', number)]);
  if (!sentinel) throw new Error(`tenant ${tenant} has no case ${number}`);
  const caseId = sentinel.ownerId as CaseId;
  const [current] = await readItems<Case>(store, tenant, [ref.case(caseId)]);
  if (!current) throw new Error(`case ${number} is claimed by a case that is not there`);
  const events = await allEvents(store, tenant, caseId);
  const faults = chainFaults(events, current);
  if (faults.length === 0) console.log(`the audit chain of case ${number} verifies: ${events.length} events`);
  return faults;
}

async function allEvents(store: Store, tenant: TenantId, caseId: CaseId): Promise<AuditEvent[]> {
  const events: AuditEvent[] = [];
  let after: Position | undefined;
  do {
    const page = await listEvents(store, tenant, { of: 'case', caseId }, 500, true, after);
    events.push(...page.items.map(({ item }) => item));
    after = page.last;
  } while (after);
  return events;
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
