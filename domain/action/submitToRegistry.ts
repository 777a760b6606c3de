import { check } from '../change.ts';
import { caseTransition } from '../case/caseCommand.ts';
import { equals } from '../condition.ts';
import { ref } from '../refs.ts';
import { actionTask } from '../task/arising.ts';
import { ends, work } from '../task/work.ts';
import { amendAction, defineActionCommand, type OnAction } from './actionCommand.ts';
import { plans, submissionOf } from './ledger.ts';

export type SubmitToRegistry = OnAction<'submitToRegistry'>;

/** The action is sent to the public registry; each submission is an effect of its own, and its answer comes later. */
export const submitToRegistry = defineActionCommand({
  type: 'submitToRegistry',
  invariant: [
    'An action has at most one submission under way, after its notice was served.',
    'Each submission is an effect of its own, and is asked for once.',
  ],
  reads: ({ caseId, actionId }: SubmitToRegistry) => ({ openTask: actionTask(caseId, 'REGISTRATION', actionId) }),
  decide: (current, action, { notice, openTask }, command, given) => {
    const submissionNumber = action.submissionNumber + 1;
    const effectId = submissionOf(action.id, submissionNumber, given);
    const { registrationRefusal: _, unknownSince: __, ...facts } = action;
    const tasks = work(current, [ends(current.id, 'REGISTRATION', action.id, openTask, 'COMPLETED', given)]);
    return caseTransition(
      current,
      { ...current, ...tasks.counts, openEffects: current.openEffects + 1 },
      command,
      given,
      {
        moves: 'child',
        announces: 'EnforcementActionSubmitted',
        changed: ['action'],
        details: { actionId: action.id, submissionNumber, ...tasks.details },
        payload: { actionId: action.id, actionStatus: 'REGISTRATION_PENDING', submissionNumber },
        requests: [{ type: 'registration', payload: { caseId: current.id, actionId: action.id, effectId, round: 0 } }],
        changes: [
          amendAction(action, {
            ...facts,
            status: 'REGISTRATION_PENDING',
            submissionNumber,
            submissionEffectId: effectId,
          }),
          plans({ kind: 'REGISTRATION', effectId, submissionNumber }, action, 'PLANNED', given),
          check(ref.notice(current.id, notice!.id), equals('status', 'SERVED')),
          ...tasks.changes,
        ],
      },
    );
  },
});
