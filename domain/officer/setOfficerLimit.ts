import { invalid, noChange, type Refused } from '../refusal.ts';
import { reasonText } from '../text.ts';
import { defineOfficerCommand, officerTransition, type OnOfficer } from './officerCommand.ts';

export type SetOfficerLimit = OnOfficer<'setOfficerLimit'> & { maxLoad: number; reason: string };

/** How many cases an officer may lead at once. Below what they lead now, it takes nothing away and lets nothing in. */
export const setOfficerLimit = defineOfficerCommand({
  type: 'setOfficerLimit',
  invariant: ['From the moment it is set no case is given to the officer beyond it without a reason.'],
  reads: (_command: SetOfficerLimit) => ({}),
  decide: (current, _found, command) => {
    const { maxLoad, reason } = command;
    if (maxLoad === current.maxLoad) return noChange(`the limit is ${maxLoad} already`);
    const no = badLimit(maxLoad) ?? reasonText(reason, 'reason');
    if (no) return no;

    return officerTransition(current, { ...current, maxLoad }, command, {
      announces: 'OfficerLimitSet',
      changed: ['maxLoad'],
      details: { was: current.maxLoad, maxLoad, reason },
    });
  },
});

export const badLimit = (maxLoad: number): Refused | undefined =>
  Number.isSafeInteger(maxLoad) && maxLoad >= 1 && maxLoad <= 1000
    ? undefined
    : invalid('RANGE', ['maxLoad'], 'must be between 1 and 1000');
