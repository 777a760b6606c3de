import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Role } from '../../domain/command.ts';
import { badInputs, missing, type Strange } from './badValues.ts';
import { fullest } from './bounds.ts';
import { documentOf, inputOf, mutationNames, roles, userErrorCodes, type Payload } from './contract.ts';
import { approved, drafted, newKey, openOffice, type Input, type Office } from './office.ts';
import { timelineOf, type TimelineEvent } from './outcome.ts';
import { rows } from './rows.ts';
import { post, startTarget, type Reply, type Target } from './target.ts';
import { badTokens } from './tokens.ts';
import { differences, tableAtRest, wholeTable, type WholeTable } from './wholeTable.ts';

let target: Target;
let office: Office;
let strange: Strange;
beforeAll(async () => {
  target = await startTarget();
  office = await openOffice(target);
  const other = await openOffice(target, target.otherTenant);
  strange = { own: await idsIn(office), foreign: Object.values(await idsIn(other)) };
});
afterAll(() => target?.stop());

/** An id of each type that the office has made. */
async function idsIn(of: Office): Promise<Strange['own']> {
  const { caseId, partyId, contraventionId, actionId } = await drafted(of, await approved(of));
  return { case: caseId, party: partyId, contravention: contraventionId, action: actionId, officer: of.officers.ida };
}

/** What a request itself may be refused with. */
const requestCodes = ['BAD_USER_INPUT', 'PAYLOAD_TOO_LARGE', 'UNAUTHENTICATED', 'FORBIDDEN'];
const statuses: Record<string, number> = { UNAUTHENTICATED: 401, PAYLOAD_TOO_LARGE: 413 };

/** Words of the database, of the run-time and of the machine: none of a client's business. */
const innerWords =
  /dynamo|ConditionalCheck|TransactionCancel|ValidationException|SerializationException|T#demo|node_modules|\.m?[jt]s:\d|TypeError|RangeError|ECONN|\bat [A-Z]\w+\.|\[object|\bAWS\b|errorId/;

const refusalIn = ({ data }: Reply) => (data?.['answer'] as Payload | undefined)?.errors[0];
const codeOf = (reply: Reply) => reply.errors[0]?.extensions.code ?? refusalIn(reply)?.code ?? 'ACCEPTED';

/** The code of a refusal that is documented, typed, and says nothing of what is inside. */
function refusedWith(reply: Reply, what: string): string {
  const code = codeOf(reply);
  const told = `${what}: ${reply.text.slice(0, 600)}`;
  expect([...requestCodes, ...userErrorCodes], told).toContain(code);
  expect(reply.text, told).not.toMatch(innerWords);
  expect(reply.status, told).toBe(statuses[code] ?? 200);
  expect(refusalIn(reply)?.message, told).not.toBe('');
  return code;
}

function spoil(input: Input, [name, ...rest]: string[], value: unknown): Input {
  const copy = (Array.isArray(input) ? [...(input as unknown[])] : { ...input }) as Input;
  if (rest.length > 0) copy[name!] = spoil(copy[name!] as Input, rest, value);
  else if (value === missing) delete copy[name!];
  else copy[name!] = value;
  return copy;
}

/** So many at a time: the host answers them as it would answer many people. */
async function each<T>(list: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = [...list];
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
}

it('every mutation of the contract has a row here', () => {
  expect(Object.keys(rows).sort()).toEqual([...mutationNames].sort());
});

describe.each(mutationNames.filter((name) => name in rows))('%s', (mutation) => {
  const row = rows[mutation]!;
  const document = documentOf(mutation);
  let good: Input;
  let before: Standing;
  const send = (input: Input, token: string | undefined) => post(target.url, token, document, { input });
  const anew = () => ({ ...good, idempotencyKey: newKey() });

  beforeAll(async () => {
    good = { idempotencyKey: newKey(), ...(await row.good(office)) };
    before = await standing(await tableAtRest(target.local));
  });

  type Standing = { table: WholeTable; timeline: TimelineEvent[] };
  const standing = async (table: WholeTable): Promise<Standing> => ({
    table,
    timeline: typeof good['caseId'] === 'string' ? await timelineOf(office.sue, good['caseId']) : [],
  });
  async function writesNothing(work: () => Promise<void>, since = before): Promise<void> {
    await work();
    const after = await standing(await wholeTable(target.local));
    expect(differences(since.table, after.table)).toEqual([]);
    expect(after.timeline).toEqual(since.timeline);
  }

  it('refuses whatever is wrong with its input, says what and where, and writes nothing', () =>
    writesNothing(() =>
      each(badInputs(inputOf(mutation), good, strange), async ({ what, path, value, codes }) => {
        const reply = await send(spoil(anew(), path, value), office.tokens[row.by]);
        const where = `${path.join('.')} with ${what}`;
        const code = refusedWith(reply, where);
        expect(codes, `${where}: ${reply.text.slice(0, 600)}`).toContain(code);
        if (code === 'VALIDATION_FAILED') expect(refusalIn(reply)!.path, where).toEqual(path);
      }),
    ));

  it('is closed to every other role, to no token and to tokens that are not good, and writes nothing', () =>
    writesNothing(async () => {
      const others = roles.filter((role) => !row.strangers.includes(role)) as Role[];
      for (const role of others) {
        const stranger = await target.token(target.tenant, `stranger-${newKey()}`, role);
        const code = refusedWith(await send(anew(), stranger), role);
        expect(['FORBIDDEN', 'NOT_PERMITTED', 'NOT_THE_REVIEWER'], role).toContain(code);
      }
      for (const [what, token] of Object.entries(await badTokens(target))) {
        const reply = await send(anew(), token);
        expect([refusedWith(reply, what), reply.data], what).toEqual(['UNAUTHENTICATED', undefined]);
      }
    }));

  it('accepts the same input with every text as long as it may be, once for its key', async () => {
    const whole = fullest(inputOf(mutation), good);
    const reply = await send(whole, office.tokens[row.by]);
    expect(codeOf(reply), reply.text).toBe('ACCEPTED');
    const since = await standing(await tableAtRest(target.local));
    await writesNothing(async () => {
      const again = await send(whole, office.tokens[row.by]);
      expect((again.data!['answer'] as Payload).replayed).toBe(true);
      const named = Object.keys(whole).find((name) => name.endsWith('Id'))!;
      const reused = await send(spoil(whole, [named], strange.own.officer), office.tokens[row.by]);
      expect(refusedWith(reused, 'the key with another input')).toBe('IDEMPOTENCY_KEY_REUSED');
    }, since);
  });
});
