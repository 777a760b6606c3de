import { update } from '../change.ts';
import { all, equals } from '../condition.ts';
import { preconditionFailed } from '../refusal.ts';
import { ref } from '../refs.ts';
import type { LeaseRow, LeaseState } from './lease.ts';
import { defineOperation, type Operation } from './operation.ts';

export type ReleaseLease = Operation<'releaseLease', LeaseState> & {
  /** The lease's name, where it is not the case's id. */
  work?: string;
  /** Which holder is meant: each has a number of its own. */
  fence: number;
};

/**
 * Takes the lease from whoever holds it: their next renewal fails, and the fence keeps out what they still write. The
 * fence itself never goes back.
 */
export const releaseLease = defineOperation({
  type: 'releaseLease',
  invariant: ['The fence never goes back, so whoever held the lease can write nothing more under it.'],
  subject: (command: ReleaseLease) => leaseOf(command),
  statusOf: (lease: LeaseRow) => lease.state,
  belongs: ({ about }, { aggregateType, aggregateId, work }) =>
    about ? about.aggregateType === aggregateType && about.aggregateId === aggregateId : work === undefined,
  decide: (lease, _found, command, given) => {
    const { fence } = command;
    if (lease.fence !== fence)
      return preconditionFailed('HOLDER_CHANGED', 'somebody else holds the lease by now, and may be at work');
    return {
      announces: 'LeaseReleased',
      changed: 'lease',
      details: { owner: lease.owner, fence }, // how long it is held moves with every renewal
      payload: { fence },
      changes: [
        update(
          leaseOf(command),
          { set: { state: 'FREE', rvn: given.commandId } },
          all(equals('state', 'HELD'), equals('fence', fence)),
        ),
      ],
    };
  },
});

const leaseOf = ({ aggregateId, work = aggregateId }: ReleaseLease) => ref.lease(work);
