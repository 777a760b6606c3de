import { check, create } from '../change.ts';
import type { AnyDefinition, Given } from '../command.ts';
import { equals, exists } from '../condition.ts';
import type { OfficerId } from '../ids.ts';
import { invalid, preconditionFailed, type Refused } from '../refusal.ts';
import { many, ref } from '../refs.ts';
import { noSettings, todayIn } from '../tenant.ts';
import { atMostItems, distinct, firstOf, matching, reasonText } from '../text.ts';
import type { CaseloadRun } from './caseloadRun.ts';
import { assignable, stillAssignable } from './load.ts';
import type { Officer } from './officer.ts';
import { defineOfficerCommand, officerTransition, type OnOfficer } from './officerCommand.ts';

type Caseload<Name extends 'moveCaseload' | 'deactivateOfficer'> = OnOfficer<Name> & {
  /** Who takes it over, each a part that is fixed by what it is. */
  toOfficerIds: OfficerId[];
  /** Of the preview that was accepted: what was shown is what is moved. */
  previewDigest: string;
  reason: string;
};
export type MoveCaseload = Caseload<'moveCaseload'>;
export type DeactivateOfficer = Caseload<'deactivateOfficer'>;
export type CompleteDeactivation = { type: 'completeDeactivation'; officerId: OfficerId; expectedVersion?: number };

const mostTargets = 20;

/** Everything that an officer has passes to others, item by item, each by the command that a person would give. */
export const moveCaseload = asRun('moveCaseload', [
  'Each lead, review, membership and open task is moved once, or its refusal stands in the result.',
]);

/** The officer leaves: nothing new can be given to them from now on, and what they have passes to others. */
export const deactivateOfficer = asRun('deactivateOfficer', [
  'From the moment that the officer is LEAVING nothing is given to them.',
  'Each lead, review, membership and open task is moved once, or its refusal stands in the result.',
]);

function asRun(type: 'moveCaseload' | 'deactivateOfficer', invariant: readonly string[]): AnyDefinition {
  return defineOfficerCommand({
    type,
    invariant,
    reads: ({ toOfficerIds }: MoveCaseload | DeactivateOfficer, given) => ({
      tenant: ref.tenant(),
      run: ref.caseload(given.commandId),
      ...many('target', toOfficerIds.slice(0, mostTargets), ref.officer),
    }),
    // A run that ended badly is taken up again by its own key, whatever has become of the officer's version.
    resumes: ({ run }) => run !== undefined,
    decide: (current, found, command, given) => {
      const { toOfficerIds, previewDigest, reason } = command;
      const targets = toOfficerIds.map((id) => (found as Partial<Record<string, Officer>>)[`target:${id}`]);
      const bad = badInput(command);
      if (bad) return bad;
      if (!found.tenant) return noSettings();
      const today = todayIn(found.tenant, given);
      const no = found.run ? undefined : firstOf(...targets.map((target) => assignable(target, 'toOfficerIds', today)));
      if (no) return no;

      const leaves = type === 'deactivateOfficer';
      const leavesNow = leaves && current.state === 'ACTIVE';
      const after: Officer = leaves ? { ...current, state: 'LEAVING' } : current;
      return officerTransition(current, after, command, {
        announces: leavesNow ? 'OfficerLeaving' : 'CaseloadMoving',
        changed: leavesNow ? ['state', 'caseload'] : ['caseload'],
        details: { toOfficerIds, reason, previewDigest },
        requests: [{ type: 'caseload', payload: { officerId: current.id, commandId: given.commandId } }],
        changes: found.run
          ? [check(ref.caseload(given.commandId), exists)]
          : [
              create(ref.caseload(given.commandId), runOf(command, leaves, given)),
              ...toOfficerIds.map((id) => check(ref.officer(id), stillAssignable(today))),
            ],
        run: { prefix: 'caseload' },
      });
    },
  });
}

function runOf(command: MoveCaseload | DeactivateOfficer, leaves: boolean, given: Given): CaseloadRun {
  const { officerId, toOfficerIds, previewDigest, reason } = command;
  const { commandId, requestHash, actor, at } = given;
  return {
    ...{ commandId, officerId, leaves, toOfficerIds, previewDigest, reason },
    ...{ requestedBy: actor.id, startedAt: at, createdBy: { commandId, requestHash } },
  };
}

const badInput = ({ officerId, toOfficerIds, previewDigest, reason }: MoveCaseload | DeactivateOfficer) =>
  firstOf(
    toOfficerIds.length > 0 ? undefined : invalid('REQUIRED', ['toOfficerIds'], 'names nobody'),
    atMostItems(toOfficerIds, mostTargets, 'toOfficerIds'),
    distinct(toOfficerIds, 'toOfficerIds'),
    toOfficerIds.includes(officerId)
      ? invalid('NOT_ONESELF', ['toOfficerIds'], 'names the officer whose work is moved')
      : undefined,
    matching(previewDigest, /^[0-9a-f]{64}$/, 'SHA256', 'previewDigest'),
    reasonText(reason, 'reason'),
  );

/** The last step of leaving, once nothing is left that the officer answers for. */
export const completeDeactivation = defineOfficerCommand({
  type: 'completeDeactivation',
  invariant: ['Nobody is INACTIVE who leads a case.'],
  reads: (_command: CompleteDeactivation) => ({}),
  decide: (current, _found, command) => {
    const no = leadsNothing(current);
    if (no) return no;
    return officerTransition(current, { ...current, state: 'INACTIVE' }, command, {
      announces: 'OfficerInactive',
      changed: ['state'],
      details: {},
      changes: [check(ref.officer(current.id), equals('activeLoad', 0))], // the version does not tell of cases
    });
  },
});

const leadsNothing = ({ activeLoad }: Officer): Refused | undefined =>
  activeLoad === 0 ? undefined : preconditionFailed('STILL_LEADS', `the officer still leads ${activeLoad} cases`);
