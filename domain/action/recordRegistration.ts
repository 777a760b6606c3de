import { check, create } from '../change.ts';
import { equals } from '../condition.ts';
import { claim, taken } from '../claim.ts';
import { anyVersion, caseTransition, defineCaseCommand, type OnAnyVersion } from '../case/caseCommand.ts';
import type { RegisteredCase } from '../case/case.ts';
import type { Given } from '../command.ts';
import type { ActionId, CaseId } from '../ids.ts';
import { illegalTransition, noChange, preconditionFailed, refused, type Refused } from '../refusal.ts';
import { ref } from '../refs.ts';
import { actionTask, endsForOperator, leadIn, operatorTask, opensForLead, opensForOperator } from '../task/arising.ts';
import { work } from '../task/work.ts';
import { cleaned, line } from '../text.ts';
import type { EnforcementAction } from './action.ts';
import { amendAction } from './actionCommand.ts';
import { mustBe, records, submissionOf } from './ledger.ts';

type OnSubmission<Name extends 'recordRegistration' | 'recordRegistrationRefusal' | 'recordRegistrationUnknown'> =
  OnAnyVersion<Name> & { actionId: ActionId; submissionNumber: number };

export type RecordRegistration = OnSubmission<'recordRegistration'> & { registryNumber: string };
export type RecordRegistrationRefusal = OnSubmission<'recordRegistrationRefusal'> & {
  /** REFUSED by the registry, or CANCELLED by an operator. */
  cause: 'REFUSED' | 'CANCELLED';
  reason: string;
};
export type RecordRegistrationUnknown = OnSubmission<'recordRegistrationUnknown'>;

/** The registry has entered the action under a number that no other action has; with it the case is registered. */
export const recordRegistration = defineCaseCommand({
  type: 'recordRegistration',
  invariant: ['A registry number belongs to one action for ever.', 'Only the answer to the current submission counts.'],
  stale: anyVersion,
  reads: (command: RecordRegistration, given) => ({
    ...actionAndSubmission(command, given),
    ...operators(command, given),
    number: ref.unique('REGISTRY_NUMBER', '', command.registryNumber),
  }),
  repeated: ({ action }, { submissionNumber, registryNumber }) =>
    action?.submissionNumber === submissionNumber && action.registryNumber === registryNumber
      ? noChange('the registration is recorded')
      : undefined,
  decide: (current, { action, submission, number, openTask }, command, given) => {
    const { registryNumber, submissionNumber } = command;
    const no = notPending(command, action) ?? mustBe(submission, 'CONFIRMED') ?? line(registryNumber, 'registryNumber');
    if (no) return no;
    if (taken(number))
      return refused('UNIQUE_VIOLATION', 'the registry number belongs to another action', {
        field: 'registryNumber',
        holder: number.ownerId,
      });

    const { unknownSince: _, ...facts } = action!;
    const tasks = work(current, [endsForOperator(current, submission!.effectId, openTask, given)]);
    const after: RegisteredCase = {
      ...current,
      ...tasks.counts,
      status: 'REGISTERED',
      openEffects: current.openEffects - 1,
    };
    return caseTransition(current, after, command, given, {
      moves: 'status',
      announces: 'EnforcementActionRegistered',
      changed: ['status', 'action'],
      details: { actionId: action!.id, submissionNumber, registryNumber, ...tasks.details },
      payload: { actionId: action!.id, actionStatus: 'REGISTERED', submissionNumber },
      changes: [
        amendAction(action!, { ...facts, status: 'REGISTERED', registryNumber }),
        create(
          ref.unique('REGISTRY_NUMBER', '', registryNumber),
          claim('EnforcementAction', action!.id, registryNumber, given.at, current.id),
        ),
        records(submission!, given),
        ...tasks.changes,
      ],
    });
  },
});

/** The submission has come to nothing: the registry refused it, or an operator cancelled it. It can be repeated. */
export const recordRegistrationRefusal = defineCaseCommand({
  type: 'recordRegistrationRefusal',
  invariant: ['Only the answer to the current submission counts; it ends the submission.'],
  stale: anyVersion,
  reads: (command: RecordRegistrationRefusal, given) => ({
    ...actionAndSubmission(command, given),
    ...operators(command, given),
    officerTask: actionTask(command.caseId, 'REGISTRATION', command.actionId),
  }),
  then: ({ case: current }) => leadIn(current),
  // A later submission exists only because the end of this one was recorded.
  repeated: ({ action }, { submissionNumber }) =>
    action &&
    (submissionNumber < action.submissionNumber ||
      (submissionNumber === action.submissionNumber && action.registrationRefusal !== undefined))
      ? noChange('the refusal is recorded')
      : undefined,
  decide: (current, { action, submission, openTask, officerTask, leadOfficer }, command, given) => {
    const { submissionNumber, cause } = command;
    const no = notPending(command, action) ?? mustBe(submission, cause === 'CANCELLED' ? 'CANCELLED' : 'FAILED_FINAL');
    if (no) return no;

    const reason = cleaned(command.reason) || cause;
    const { unknownSince: _, ...facts } = action!;
    const refusal = {
      type: 'REGISTRATION',
      origin: action!.id,
      title: 'The registry has not entered the action',
    } as const;
    const tasks = work(current, [
      endsForOperator(current, submission!.effectId, openTask, given),
      opensForLead(current, refusal, officerTask, leadOfficer, given),
    ]);
    const after = { ...current, ...tasks.counts, openEffects: current.openEffects - 1 };
    return caseTransition(current, after, command, given, {
      moves: 'child',
      announces: 'RegistrationRefused',
      changed: ['action'],
      about: [action!.partyId],
      details: { actionId: action!.id, submissionNumber, cause, reason, ...tasks.details },
      payload: { actionId: action!.id, actionStatus: 'REGISTRATION_FAILED', submissionNumber, cause },
      changes: [
        amendAction(action!, { ...facts, status: 'REGISTRATION_FAILED', registrationRefusal: reason }),
        records(submission!, given),
        ...tasks.changes,
      ],
    });
  },
});

/** Nobody can tell whether the registry has it: the action stays pending, and the audit says since when that is known. */
export const recordRegistrationUnknown = defineCaseCommand({
  type: 'recordRegistrationUnknown',
  invariant: ['That an answer is unknown is recorded once for a submission, and changes nothing else.'],
  stale: anyVersion,
  reads: (command: RecordRegistrationUnknown, given) => ({
    ...actionAndSubmission(command, given),
    ...operators(command, given),
  }),
  repeated: ({ action }, { submissionNumber }) =>
    action &&
    (submissionNumber < action.submissionNumber ||
      (submissionNumber === action.submissionNumber &&
        (action.unknownSince !== undefined || action.status !== 'REGISTRATION_PENDING')))
      ? noChange('it is recorded, or the answer has come since')
      : undefined,
  decide: (current, { action, submission, openTask }, command, given) => {
    // CONFIRMED: under a registry number that another action has.
    const no = notPending(command, action) ?? mustBe(submission, 'PARKED', 'CONFIRMED');
    if (no) return no;

    const tasks = work(current, [opensForOperator(current, submission!.effectId, openTask, given)]);
    return caseTransition(current, { ...current, ...tasks.counts }, command, given, {
      moves: 'child',
      announces: 'RegistrationUnknown',
      changed: ['action'],
      details: { actionId: action!.id, submissionNumber: command.submissionNumber, ...tasks.details },
      payload: { actionId: action!.id, submissionNumber: command.submissionNumber },
      changes: [
        amendAction(action!, { ...action!, unknownSince: given.at }),
        check(ref.effect('registry', submission!.effectId), equals('status', submission!.status)),
        ...tasks.changes,
      ],
    });
  },
});

type Named = { caseId: CaseId; actionId: ActionId; submissionNumber: number };

const actionAndSubmission = ({ caseId, actionId, submissionNumber }: Named, given: Given) => ({
  action: ref.action(caseId, actionId),
  submission: ref.effect('registry', submissionOf(actionId, submissionNumber, given)),
});

const operators = (command: Named, given: Given) => ({
  openTask: operatorTask(command.caseId, submissionOf(command.actionId, command.submissionNumber, given)),
});

/** The answer to a submission counts while that submission is the current one and awaits it. */
function notPending(
  { type, submissionNumber }: Named & { type: string },
  action: EnforcementAction | undefined,
): Refused | undefined {
  if (!action) return refused('NOT_FOUND', 'no such enforcement action');
  if (action.submissionNumber !== submissionNumber)
    return preconditionFailed('SUBMISSION_NOT_CURRENT', `submission ${action.submissionNumber} is the current one`);
  return action.status === 'REGISTRATION_PENDING'
    ? undefined
    : illegalTransition(type, action.status, ['REGISTRATION_PENDING']);
}
