import { create, update, type Change } from '../change.ts';
import { claim } from '../claim.ts';
import type { Given } from '../command.ts';
import { all, equals } from '../condition.ts';
import type { OfficerId } from '../ids.ts';
import { noChange, refused, type Refused } from '../refusal.ts';
import { ref } from '../refs.ts';
import { normalised, type Sentinel } from '../sentinel.ts';
import { emailAddress } from '../text.ts';
import { defineOfficerCommand, officerTransition, type OnOfficer } from './officerCommand.ts';

export type ChangeOfficerEmail = OnOfficer<'changeOfficerEmail'> & { email: string };

const sentinelOf = (email: string) => ref.unique('OFFICER_EMAIL', '', email);

/** The new address is claimed and the old one released, together; the old one stays the officer's to take again. */
export const changeOfficerEmail = defineOfficerCommand({
  type: 'changeOfficerEmail',
  invariant: [
    'An e-mail address, however it is spelled, belongs to one officer; given up, it may be taken again by that officer only.',
    'An officer has exactly one claimed address, and the address of somebody who left is never reused.',
  ],
  reads: ({ email }: ChangeOfficerEmail) => ({ wanted: sentinelOf(email) }),
  then: ({ email }) => ({ held: sentinelOf(email) }),
  decide: (current, { wanted }, command, given) => {
    const { email, officerId } = command;
    if (email === current.email) return noChange('this is the e-mail address already');
    const bad = emailAddress(email, 'email');
    if (bad) return bad;
    const sameAddress = normalised('OFFICER_EMAIL', email) === normalised('OFFICER_EMAIL', current.email);
    const no = sameAddress ? undefined : takenBySomebodyElse(wanted, officerId);
    if (no) return no;

    return officerTransition(current, { ...current, email }, command, {
      announces: 'OfficerEmailChanged',
      changed: ['email'],
      details: { was: current.email, email },
      changes: sameAddress
        ? [update(sentinelOf(email), { set: { original: email } }, heldBy(officerId))]
        : [
            claims(email, officerId, wanted, given),
            update(sentinelOf(current.email), { set: { status: 'RELEASED', releasedAt: given.at } }, heldBy(officerId)),
          ],
    });
  },
});

const heldBy = (officerId: OfficerId) => all(equals('status', 'CLAIMED'), equals('ownerId', officerId));

const takenBySomebodyElse = (wanted: Sentinel | undefined, officerId: OfficerId): Refused | undefined => {
  if (!wanted || (wanted.status === 'RELEASED' && wanted.ownerId === officerId)) return undefined;
  const holder = wanted.status === 'CLAIMED' ? { holder: wanted.ownerId } : {};
  return refused('UNIQUE_VIOLATION', 'the e-mail address is, or was, somebody else’s', { field: 'email', ...holder });
};

function claims(email: string, officerId: OfficerId, wanted: Sentinel | undefined, { at }: Given): Change {
  const claimed = claim('Officer', officerId, email, at);
  return wanted
    ? update(
        sentinelOf(email),
        { set: claimed, remove: ['releasedAt'] },
        all(equals('status', 'RELEASED'), equals('ownerId', officerId)),
      )
    : create(sentinelOf(email), claimed);
}
