import { check, create } from '../change.ts';
import { exists } from '../condition.ts';
import type { ContraventionId, LocalDate, PartyId } from '../ids.ts';
import { invalid, preconditionFailed, referenceInvalid } from '../refusal.ts';
import { many, ref, type Many, type Ref } from '../refs.ts';
import { noSettings, todayIn, type Tenant } from '../tenant.ts';
import { atMostItems, calendarDate, distinct, firstOf, line } from '../text.ts';
import type { Contravention, Party } from './case.ts';
import { caseTransition, defineCaseCommand, type OnCase } from './caseCommand.ts';
import { notSuspended } from './suspension.ts';

export type RecordContravention = OnCase<'recordContravention'> & {
  /** The provision, as the law names it. */
  provision: string;
  date: LocalDate;
  /** By whom; none while nobody is known. */
  partyIds: PartyId[];
};

const atMostContraventions = 500;
/** Each named party is a premise of its own, and a transaction holds a hundred. */
const atMostNamed = 50;

type Known = { contravention: Ref<Contravention>; tenant: Ref<Tenant> } & Many<'party', Party>;

/** A provision that may have been contravened becomes part of the case, undetermined. */
export const recordContravention = defineCaseCommand({
  type: 'recordContravention',
  invariant: [
    '`contraventions` and `undetermined` are the numbers of contraventions, and of those without a finding.',
    'A contravention names parties of its own case only.',
  ],
  reads: ({ caseId, partyIds }: RecordContravention, given): Known => ({
    contravention: ref.contravention(caseId, given.id<ContraventionId>('contravention')),
    tenant: ref.tenant(),
    ...many('party', partyIds.slice(0, atMostNamed), (id) => ref.party(caseId, id)),
  }),
  decide: (current, found, command, given) => {
    const { caseId, provision, date, partyIds } = command;
    const no =
      notSuspended(current) ??
      firstOf(
        line(provision, 'provision'),
        calendarDate(date, 'date'),
        atMostItems(partyIds, atMostNamed, 'partyIds'),
        distinct(partyIds, 'partyIds'),
      );
    if (no) return no;
    if (!found.tenant) return noSettings();
    if (date > todayIn(found.tenant, given)) return invalid('NOT_IN_FUTURE', ['date'], 'lies in the future');
    if (partyIds.some((id) => !found[`party:${id as string}`]))
      return referenceInvalid('partyIds', 'a party named here is not part of the case');
    if (current.contraventions >= atMostContraventions)
      return preconditionFailed('TOO_MANY_CONTRAVENTIONS', `a case has at most ${atMostContraventions} contraventions`);

    const id = given.id<ContraventionId>('contravention');
    const contravention: Contravention = {
      id,
      caseId,
      provision,
      date,
      partyIds,
      finding: 'UNDETERMINED',
      version: 1,
      recordedAt: given.at,
      createdBy: { commandId: given.commandId, requestHash: given.requestHash },
    };
    const counts = { contraventions: current.contraventions + 1, undetermined: current.undetermined + 1 };
    return caseTransition(current, { ...current, ...counts }, command, given, {
      moves: 'facts',
      announces: 'ContraventionRecorded',
      changed: ['contraventions'],
      about: partyIds,
      details: { contraventionId: id, provision, date, partyIds },
      payload: { contraventionId: id },
      changes: [
        create(ref.contravention(caseId, id), contravention),
        ...partyIds.map((partyId) => check(ref.party(caseId, partyId), exists)),
      ],
      created: { contravention: id },
    });
  },
});
