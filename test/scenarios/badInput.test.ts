import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Role } from '../../domain/command.ts';
import { badInputs, missing, type Strange } from './badValues.ts';
import { fullest } from './bounds.ts';
import { documentOf, inputOf, mutationNames, roles, userErrorCodes, type Payload } from './contract.ts';
import { approved, drafted, each, newKey, openOffice, type Input, type Office } from './office.ts';
import { timelineOf } from './outcome.ts';
import { rows } from './rows.ts';
import { post, startTarget, type Reply, type Target } from './target.ts';
import { badTokens } from './tokens.ts';
import { differences, tableAtRest, wholeTable, type WholeTable } from './wholeTable.ts';

let target: Target;
let office: Office;
let strange: Strange;
/** A token of somebody without a part in any case, by role. */
let strangers: Record<string, string>;
let notGood: Record<string, string | undefined>;
beforeAll(async () => {
  target = await startTarget();
  office = await openOffice(target);
  const other = await openOffice(target, target.otherTenant);
  strange = { own: await idsIn(office), foreign: Object.values(await idsIn(other)) };
  notGood = await badTokens(target);
  const minted = roles.map(async (role) => [role, await target.token(target.tenant, newKey(), role as Role)] as const);
  strangers = Object.fromEntries(await Promise.all(minted));
}, 60_000);
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

it('every mutation of the contract has a row here', () => {
  expect(Object.keys(rows).sort()).toEqual([...mutationNames].sort());
});

const named = mutationNames.filter((name) => name in rows);
const good = new Map<string, Input>();
const anew = (mutation: string) => ({ ...good.get(mutation)!, idempotencyKey: newKey() });
const send = (mutation: string, input: Input, token: string | undefined) =>
  post(target.url, token, documentOf(mutation), { input });
const sendAsMeant = (mutation: string, input: Input) => send(mutation, input, office.tokens[rows[mutation]!.by]);

describe('whatever is wrong', () => {
  let before: WholeTable;
  beforeAll(async () => {
    await each(named, async (mutation) => {
      good.set(mutation, { idempotencyKey: newKey(), ...(await rows[mutation]!.good(office)) });
    });
    before = await tableAtRest(target.local);
  }, 120_000);

  it.each(named)(
    'with the input of %s is refused, with what and where',
    async (mutation) => {
      const timeline = await timelineAbout(mutation);
      await each(badInputs(inputOf(mutation), good.get(mutation)!, strange), async ({ what, path, value, codes }) => {
        const reply = await sendAsMeant(mutation, spoil(anew(mutation), path, value));
        const where = `${path.join('.')} with ${what}`;
        const code = refusedWith(reply, where);
        expect(codes, `${where}: ${reply.text.slice(0, 600)}`).toContain(code);
        if (code === 'VALIDATION_FAILED') expect(refusalIn(reply)!.path, where).toEqual(path);
      });
      expect(await timelineAbout(mutation)).toEqual(timeline);
    },
    60_000,
  );

  it.each(named)('with who sends %s is refused: another role, no token, a token that is not good', async (mutation) => {
    const others = roles.filter((role) => !rows[mutation]!.strangers.includes(role)) as Role[];
    await each(others, async (role) => {
      const code = refusedWith(await send(mutation, anew(mutation), strangers[role]), role);
      // An operator may knock where tasks are, and sees those of operations only.
      const unseen = role === 'OPERATOR' ? ['NOT_FOUND'] : [];
      expect(['FORBIDDEN', 'NOT_PERMITTED', 'NOT_THE_REVIEWER', ...unseen], role).toContain(code);
    });
    await each(Object.entries(notGood), async ([what, token]) => {
      const reply = await send(mutation, anew(mutation), token);
      expect([refusedWith(reply, what), reply.data], what).toEqual(['UNAUTHENTICATED', undefined]);
    });
  });

  it('wrote nothing at all', async () => {
    expect(differences(before, await wholeTable(target.local))).toEqual([]);
  });

  /** What the timeline of the case at hand says, where the input names one. */
  async function timelineAbout(mutation: string) {
    const { caseId } = good.get(mutation)!;
    return typeof caseId === 'string' ? timelineOf(office.sue, caseId) : [];
  }
});

describe('the same input', () => {
  const whole = new Map<string, Input>();

  it.each(named)('of %s is accepted, with every text as long as it may be', async (mutation) => {
    whole.set(mutation, fullest(inputOf(mutation), good.get(mutation)!));
    const reply = await sendAsMeant(mutation, whole.get(mutation)!);
    expect(codeOf(reply), reply.text).toBe('ACCEPTED');
  });

  it('sent once more is answered alike, with its key and another input is refused, and neither writes', async () => {
    const before = await tableAtRest(target.local);
    for (const mutation of named) {
      const again = await sendAsMeant(mutation, whole.get(mutation)!);
      expect(again.data!['answer'], again.text).toMatchObject({ replayed: true, errors: [] });
      const name = Object.keys(whole.get(mutation)!).find((field) => field.endsWith('Id'))!;
      const reused = await sendAsMeant(mutation, spoil(whole.get(mutation)!, [name], strange.own.officer));
      expect(refusedWith(reused, mutation)).toBe('IDEMPOTENCY_KEY_REUSED');
    }
    expect(differences(before, await wholeTable(target.local))).toEqual([]);
  });
});
