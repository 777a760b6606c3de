import { check, create } from '../change.ts';
import { caseTransition, defineCaseCommand, type OnCase } from '../case/caseCommand.ts';
import type { CaseInEnforcement, Contravention, Party, ActiveEnforcementGuard } from '../case/case.ts';
import { equals } from '../condition.ts';
import type { ActionId, ContraventionId, PartyId } from '../ids.ts';
import { invalid, preconditionFailed, referenceInvalid, refused, type Refused } from '../refusal.ts';
import { many, ref, type Many, type Ref } from '../refs.ts';
import { atMostItems, distinct, firstOf, matching } from '../text.ts';
import type { ActionType, EnforcementAction, Penalty } from './action.ts';

export type StartEnforcement = OnCase<'startEnforcement'> & {
  actionType: ActionType;
  partyId: PartyId;
  contraventionIds: ContraventionId[];
  penalty?: Penalty;
};

/** Each is a premise of its own, and a transaction holds a hundred. */
const atMostContraventions = 50;

type Known = {
  action: Ref<EnforcementAction>;
  party: Ref<Party>;
  enforcementGuard: Ref<ActiveEnforcementGuard>;
} & Many<'contravention', Contravention>;

/** An enforcement action is drafted; the guard makes it the only one of the case. */
export const startEnforcement = defineCaseCommand({
  type: 'startEnforcement',
  invariant: [
    'A case has at most one active enforcement action.',
    'Action is taken against a subject, on substantiated contraventions.',
  ],
  reads: ({ caseId, partyId, contraventionIds }: StartEnforcement, given): Known => ({
    action: ref.action(caseId, given.id<ActionId>('action')),
    party: ref.party(caseId, partyId),
    enforcementGuard: ref.enforcementGuard(caseId),
    ...many('contravention', contraventionIds.slice(0, atMostContraventions), (id) => ref.contravention(caseId, id)),
  }),
  decide: (current, found, command, given) => {
    const { caseId, actionType, partyId, contraventionIds, penalty } = command;
    if (found.enforcementGuard)
      return refused('LIMIT_REACHED', 'the case has an active enforcement action', { limit: 1, count: 1 });
    const no = badContraventions(contraventionIds) ?? badPenalty(actionType, penalty);
    if (no) return no;
    if (!found.party) return referenceInvalid('partyId', 'no such party in the case');
    if (found.party.role !== 'SUBJECT')
      return preconditionFailed(
        'PARTY_NOT_SUBJECT',
        `action is taken against a subject, not against a ${found.party.role}`,
      );
    const contraventions = contraventionIds.map((id) => found[`contravention:${id as string}`]);
    if (contraventions.includes(undefined))
      return referenceInvalid('contraventionIds', 'a contravention named here is not part of the case');
    if (contraventions.some((contravention) => contravention?.finding !== 'SUBSTANTIATED'))
      return preconditionFailed('NOT_SUBSTANTIATED', 'action is taken on substantiated contraventions only');

    const id = given.id<ActionId>('action');
    const action: EnforcementAction = {
      id,
      caseId,
      type: actionType,
      status: 'DRAFT',
      partyId,
      contraventionIds,
      ...(penalty && { penalty }),
      submissionNumber: 0,
      version: 1,
      touched: {},
      startedAt: given.at,
      createdBy: { commandId: given.commandId, requestHash: given.requestHash },
    };
    const after: CaseInEnforcement = { ...current, status: 'ENFORCEMENT', activeActionId: id };
    return caseTransition(current, after, command, given, {
      moves: 'status',
      announces: 'EnforcementStarted',
      changed: ['status', 'activeActionId'],
      about: [partyId],
      details: { actionId: id, actionType, partyId, contraventionIds, ...(penalty && { penalty }) },
      payload: { actionId: id, actionType },
      changes: [
        create(ref.enforcementGuard(caseId), { actionId: id }),
        create(ref.action(caseId, id), action),
        check(ref.party(caseId, partyId), equals('role', 'SUBJECT')),
        ...contraventionIds.map((contraventionId) =>
          check(ref.contravention(caseId, contraventionId), equals('finding', 'SUBSTANTIATED')),
        ),
      ],
      created: { action: id },
    });
  },
});

const badContraventions = (ids: ContraventionId[]): Refused | undefined =>
  ids.length === 0
    ? invalid('REQUIRED', ['contraventionIds'], 'names at least one contravention')
    : firstOf(atMostItems(ids, atMostContraventions, 'contraventionIds'), distinct(ids, 'contraventionIds'));

/** A penalty notice imposes a penalty; nothing else does. */
function badPenalty(actionType: ActionType, penalty: Penalty | undefined): Refused | undefined {
  if (actionType === 'PENALTY_NOTICE' && !penalty)
    return invalid('REQUIRED', ['penalty'], 'a penalty notice needs a penalty');
  if (!penalty) return undefined;
  if (actionType !== 'PENALTY_NOTICE') return invalid('PENALTY', ['penalty'], `a ${actionType} imposes no penalty`);
  if (!Number.isSafeInteger(penalty.minorUnits) || penalty.minorUnits < 1)
    return invalid('RANGE', ['penalty', 'minorUnits'], 'must be a whole number above 0');
  return matching(penalty.currency, /^[A-Z]{3}$/, 'CURRENCY', 'penalty', 'currency');
}
