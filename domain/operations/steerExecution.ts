import { update } from '../change.ts';
import { all, equals } from '../condition.ts';
import { noChange, type Refused } from '../refusal.ts';
import { ref } from '../refs.ts';
import { askedOf, stillAsked, type Execution, type ExecutionStatus } from './execution.ts';
import { defineOperation, type Act, type Operation } from './operation.ts';

type OnExecution<Name extends 'redriveExecution' | 'stopExecution'> = Operation<Name, ExecutionStatus> & {
  execution: string;
};
export type RedriveExecution = OnExecution<'redriveExecution'>;
export type StopExecution = OnExecution<'stopExecution'>;

/** Asks for an execution to be taken up again where it failed; every task meets what earlier ones did. */
export const redriveExecution = defineOperation({
  type: 'redriveExecution',
  invariant: ['Only a run that ended without an outcome is taken up again, and only the one that was seen.'],
  subject: ({ execution }: RedriveExecution) => ref.execution(execution),
  statusOf: (execution: Execution) => execution.status,
  belongs: ofItsAggregate,
  decide: (execution) => asks('redrive', 'ExecutionRedriveRequested', execution),
});

/** Asks for an execution to be stopped. Its effect stays what the ledger says, and is taken up by a later round. */
export const stopExecution = defineOperation({
  type: 'stopExecution',
  invariant: ['Only the run that was seen is stopped.'],
  subject: ({ execution }: StopExecution) => ref.execution(execution),
  statusOf: (execution: Execution) => execution.status,
  belongs: ofItsAggregate,
  decide: (execution) => asks('stop', 'ExecutionStopRequested', execution),
});

/** The publisher carries it out, on the run that the operator saw and no later one. Asked for once, it stays asked for. */
function asks(what: 'redrive' | 'stop', announces: string, execution: Execution): Act | Refused {
  const { name, machine, status, redriveCount } = execution;
  const asked = askedOf(what, execution);
  if (execution.asked === asked) return noChange('this has been asked for; the outbox says how far it is');
  return {
    announces,
    changed: 'execution',
    details: { execution: name, was: status, redriveCount },
    payload: { execution: name },
    requests: [{ type: what, payload: { execution: name, machine, redriveCount } }],
    changes: [
      update(
        ref.execution(name),
        { set: { asked } },
        all(equals('status', status), equals('redriveCount', redriveCount), stillAsked(execution)),
      ),
    ],
  };
}

function ofItsAggregate(
  execution: Execution,
  { aggregateType, aggregateId }: RedriveExecution | StopExecution,
): boolean {
  return execution.aggregateType === aggregateType && execution.aggregateId === aggregateId;
}
