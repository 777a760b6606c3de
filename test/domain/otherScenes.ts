import type { Actor, AnyCommand } from '../../domain/command.ts';
import { ref } from '../../domain/refs.ts';
import { claim } from '../../domain/claim.ts';
import { ana, dan, now, officer, rob, sue, tenant, today, tomorrow } from './builders.ts';
import type { Items, Scene } from './ask.ts';

const opening: AnyCommand = {
  type: 'openCase',
  caseType: 'COMPLAINT',
  title: 'Unmarked scales',
  summary: 'A trader weighs with unmarked scales.',
  classification: 'STANDARD',
  priority: 'NORMAL',
  region: 'WEST',
};

/** Commands that begin something: no case stands yet. */
export const beginnings: Record<'openCase' | 'registerOfficer', Scene> = {
  openCase: { actor: ana, command: opening, items: [[ref.tenant(), tenant]] },
  registerOfficer: {
    actor: sue,
    command: {
      type: 'registerOfficer',
      officerId: 'eva',
      name: 'Eva',
      email: 'eva@example.org',
      region: 'WEST',
      teams: [],
    },
    items: [[ref.tenant(), tenant]],
  },
};

export const emailOf = (email: string) => ref.unique('OFFICER_EMAIL', '', email);

const people: Items = [
  [ref.tenant(), tenant],
  [ref.officer(dan.id), officer(dan.id)],
  [ref.officer(rob.id), officer(rob.id)],
  [emailOf('dan@example.org'), claim('Officer', dan.id, 'dan@example.org', now)],
];
const onOfficer = (actor: Actor, type: string, rest: object): Scene => ({
  actor,
  command: { type, officerId: dan.id, expectedVersion: 1, ...rest },
  items: people,
});

/** One scene in which each command on an officer is done: it is about dan. */
export const officerScenes = {
  changeOfficerEmail: onOfficer(sue, 'changeOfficerEmail', { email: 'dan.new@example.org' }),
  setOfficerLimit: onOfficer(sue, 'setOfficerLimit', { maxLoad: 10, reason: 'part time' }),
  setOfficerAbsence: onOfficer(sue, 'setOfficerAbsence', {
    absence: { from: today, to: tomorrow, delegateId: rob.id },
  }),
} satisfies Record<string, Scene>;
