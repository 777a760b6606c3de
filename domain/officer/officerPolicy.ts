import type { Actor } from '../command.ts';
import { permits } from '../policy.ts';
import { illegalTransition, refused, type Refused } from '../refusal.ts';
import type { Officer, OfficerState } from './officer.ts';

const employed = ['ACTIVE', 'LEAVING'] as const satisfies readonly OfficerState[];

/** The rows about an officer: a supervisor changes what is known of people who are still here. */
export const officerRules = {
  changeOfficerEmail: { from: employed },
  setOfficerLimit: { from: employed },
  setOfficerAbsence: { from: employed },
} satisfies Record<string, { from: readonly OfficerState[] }>;
export type OfficerCommandName = keyof typeof officerRules;

/** May the actor manage officers at all? Who may not even see them is told that there is none. */
export function permittedOnOfficer(actor: Actor): Refused | undefined {
  if (!permits('OFFICER_READ', actor)) return refused('NOT_FOUND', 'no such officer');
  return permits('OFFICER_MANAGE', actor)
    ? undefined
    : refused('NOT_PERMITTED', 'only a supervisor changes what is known of an officer');
}

export function allowedOnOfficer(command: OfficerCommandName, { state }: Officer): Refused | undefined {
  const from: readonly OfficerState[] = officerRules[command].from;
  return from.includes(state) ? undefined : illegalTransition(command, state, from);
}
