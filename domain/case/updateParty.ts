import { amend } from '../change.ts';
import type { PartyId } from '../ids.ts';
import { noChange, preconditionFailed, referenceInvalid, refused, type Refused } from '../refusal.ts';
import { ref } from '../refs.ts';
import { atMostParties, badParty } from './addParty.ts';
import type { Case, Party, PartyKind, PartyRole, ServiceChannel } from './case.ts';
import { caseTransition, defineCaseCommand, type OnCase } from './caseCommand.ts';
import { notSuspended } from './suspension.ts';

/** Only what is named changes. */
export type UpdateParty = OnCase<'updateParty'> & {
  partyId: PartyId;
  role?: PartyRole;
  kind?: PartyKind;
  name?: string;
  identifiers?: { scheme: string; value: string }[];
  addressLines?: string[];
  /** Null: the party has none any more. */
  email?: string | null;
  serviceChannel?: ServiceChannel;
  safetyFlag?: boolean;
};

const contactData = ['addressLines', 'email', 'serviceChannel', 'safetyFlag'] as const;
const fields = ['role', 'kind', 'name', 'identifiers', ...contactData] as const;
type Field = (typeof fields)[number];

/** Who the party is and how it is reached; during enforcement only how it is reached, and the warning that goes with it. */
export const updateParty = defineCaseCommand({
  type: 'updateParty',
  invariant: [
    'Only the fields that the command names change.',
    '`subjects` is the number of parties that are subjects.',
    'What is enforced keeps its parties as they were decided on: during enforcement only contact data changes.',
    'A notice that may still be mailed keeps an address to go to.',
  ],
  reads: ({ caseId, partyId }: UpdateParty) => ({ party: ref.party(caseId, partyId) }),
  decide: (current, { party }, command, given) => {
    const { caseId, partyId } = command;
    if (!party) return referenceInvalid('partyId', 'no such party in the case');
    const changed = fields.filter(
      (field) => command[field] !== undefined && !same(command[field] ?? undefined, party[field]),
    );
    if (changed.length === 0) return noChange('every field that is named is so already');
    const after: Party = {
      ...party,
      ...Object.fromEntries(changed.map((field) => [field, command[field] ?? undefined])),
    };
    const no =
      notSuspended(current) ?? settledBy(current, changed) ?? badParty(after) ?? mailOnItsWay(current, party, after);
    if (no) return no;
    const subjects = current.subjects + isSubject(after) - isSubject(party);
    if (subjects > atMostParties) return preconditionFailed('TOO_MANY_PARTIES', 'the case has too many subjects');

    return caseTransition(current, { ...current, subjects }, command, given, {
      moves: 'facts',
      announces: 'PartyUpdated',
      changed: ['parties'],
      about: [partyId],
      details: {
        partyId,
        was: Object.fromEntries(changed.map((field) => [field, party[field] ?? null])),
        ...Object.fromEntries(changed.map((field) => [field, after[field] ?? null])),
      },
      payload: { partyId, changed: [...changed], ...(changed.includes('role') && { role: after.role }) },
      changes: [amend(ref.party(caseId, partyId), party, after)],
    });
  },
});

const settledBy = ({ status }: Case, changed: readonly Field[]): Refused | undefined =>
  status === 'OPEN' || changed.every((field) => (contactData as readonly Field[]).includes(field))
    ? undefined
    : preconditionFailed('CONTACT_DATA_ONLY', 'during enforcement only the contact data of a party can change');

/** The mail with a notice is written when it is sent, so its address must not vanish under it. */
const mailOnItsWay = ({ openEffects }: Case, before: Party, after: Party): Refused | undefined =>
  openEffects > 0 && before.email !== undefined && after.email === undefined
    ? refused('EFFECT_IN_FLIGHT', 'a notice may be on its way to this address; its result must be known first')
    : undefined;

const isSubject = ({ role }: Party) => (role === 'SUBJECT' ? 1 : 0);
const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
