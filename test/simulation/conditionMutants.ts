import { all, always, type Condition } from '../../domain/condition.ts';
import { kindOfKey } from '../../store/keys.ts';
import type { Table, Write } from '../../store/table-port.ts';
import { ask, newRequest } from './client.ts';
import { noFaults } from './faultPlan.ts';
import { shapes, type Shape } from './shapes.ts';
import { simulation, type Between } from './simulatedGround.ts';

/** One premise of the plans, taken away wherever it stands: a kind of item, a kind of write, a kind of condition. */
export type ConditionMutant = { name: string; shapes: Shape[]; between: Between };

/** Every premise of every plan, found in clean runs of all commands. */
export async function conditionMutants(): Promise<ConditionMutant[]> {
  const found = new Map<string, ConditionMutant>();
  for (const shape of shapes)
    for (const write of await planOf(shape))
      for (const part of partsOf(write.when)) {
        const name = `${placeOf(write)}: ${said(part)}`;
        const mutant = found.get(name) ?? { name, shapes: [], between: without(placeOf(write), said(part)) };
        if (!mutant.shapes.includes(shape)) mutant.shapes.push(shape);
        found.set(name, mutant);
      }
  return [...found.values()];
}

const placeOf = (write: Write) => `${kindOfKey(write.key)} ${write.kind}`;

async function planOf(shape: Shape): Promise<Write[]> {
  const writes: Write[] = [];
  const { ground, scheduler } = simulation(1, {}, (table) => ({
    ...table,
    transactWrite: (all, token) => (writes.push(...all), table.transactWrite(all, token)),
  }));
  await ground.load(shape.prepared(ground.tenant));
  const request = newRequest(ground, shape.actor, shape.command, 'a-plan-to-be-looked-at');
  if (shape.fence !== undefined) request.envelope.fence = shape.fence;
  await Promise.all([ask(ground, ground.start(noFaults), request), scheduler.run()]);
  return writes;
}

/** The condition itself and, inside `all` and `any`, each of its parts. */
function partsOf(when: Condition): Condition[] {
  if (when.is !== 'all' && when.is !== 'any') return [when];
  const parts = when.of.flatMap(partsOf);
  return when.is === 'any' ? [when, ...parts] : parts;
}

/** Its words without its values. */
function said(condition: Condition): string {
  switch (condition.is) {
    case 'absent':
    case 'exists':
      return condition.is;
    case 'all':
    case 'any':
      return `${condition.is}(${condition.of.map(said).join(', ')})`;
    case 'not':
      return `not(${said(condition.of)})`;
    default:
      return `${condition.is} ${condition.attribute}`;
  }
}

function without(place: string, part: string): Between {
  const mutated = (write: Write): Write =>
    placeOf(write) === place ? { ...write, when: removed(write.when, part) ?? always } : write;
  return (table): Table => ({
    ...table,
    transactWrite: (writes, token) => table.transactWrite(writes.map(mutated), token),
    write: (write) => table.write(mutated(write)),
  });
}

function removed(when: Condition, part: string): Condition | undefined {
  if (said(when) === part) return undefined;
  if (when.is !== 'all' && when.is !== 'any') return when;
  const left = when.of.map((inner) => removed(inner, part)).filter((inner) => inner !== undefined);
  if (left.length === 0) return when.is === 'all' ? undefined : all();
  return { is: when.is, of: left };
}
