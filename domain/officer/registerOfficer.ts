import { create } from '../change.ts';
import { defineCommand } from '../command.ts';
import type { OfficerId } from '../ids.ts';
import { permits } from '../policy.ts';
import { refused } from '../refusal.ts';
import { ref } from '../refs.ts';
import { claim, taken } from '../claim.ts';
import { noSettings } from '../tenant.ts';
import { atMostItems, emailAddress, firstOf, line, matching } from '../text.ts';
import type { Officer } from './officer.ts';
import { badLimit } from './setOfficerLimit.ts';

export type RegisterOfficer = {
  type: 'registerOfficer';
  officerId: OfficerId;
  name: string;
  email: string;
  region: string;
  teams: string[];
  maxLoad?: number;
};

/** An officer exists from now on, with a load of 0 and an e-mail address nobody else has. */
export const registerOfficer = defineCommand({
  type: 'registerOfficer',
  invariant: [
    'An e-mail address, however it is spelled, belongs to one officer for ever.',
    'An officer exists once, and begins with a load of 0.',
  ],
  reads: (command: RegisterOfficer) => ({
    officer: ref.officer(command.officerId),
    email: ref.unique('OFFICER_EMAIL', '', command.email),
    tenant: ref.tenant(),
  }),
  decide: ({ officer, email, tenant }, command, given) => {
    const { officerId, name, region, teams } = command;
    if (!permits('OFFICER_MANAGE', given.actor))
      return refused('NOT_PERMITTED', 'only a supervisor registers officers');
    const bad = badInput(command);
    if (bad) return bad;
    if (officer) return refused('UNIQUE_VIOLATION', 'this officer exists', { field: 'officerId', holder: officerId });
    if (taken(email)) return refused('UNIQUE_VIOLATION', 'the e-mail address is taken', { field: 'email' });
    if (!tenant) return noSettings();

    const after: Officer = {
      id: officerId,
      name,
      email: command.email,
      region,
      teams,
      state: 'ACTIVE',
      activeLoad: 0,
      maxLoad: command.maxLoad ?? tenant.limits.defaultMaxLoad,
      loadSeq: 0,
      touched: {},
      registeredAt: given.at,
      version: 1,
      auditSeq: 0,
      auditHead: '',
      createdBy: { commandId: given.commandId, requestHash: given.requestHash },
    };
    return {
      kind: 'transition',
      aggregate: { of: 'officer', ref: ref.officer(officerId), before: undefined, after, when: [] },
      event: { type: command.type, about: [], to: 'ACTIVE', changed: [], details: { region, teams } },
      announces: 'OfficerRegistered',
      payload: { officerId },
      requests: [],
      changes: [
        create(ref.unique('OFFICER_EMAIL', '', command.email), claim('Officer', officerId, command.email, given.at)),
      ],
      created: { officer: officerId },
    };
  },
});

function badInput({ officerId, name, email, region, teams, maxLoad }: RegisterOfficer) {
  return firstOf(
    matching(officerId, /^[A-Za-z0-9_.@-]{1,128}$/, 'OFFICER_ID', 'officerId'),
    line(name, 'name'),
    emailAddress(email, 'email'),
    matching(region, /^[A-Z0-9_-]{1,32}$/, 'REGION', 'region'),
    atMostItems(teams, 20, 'teams'),
    ...teams.map((team, i) => matching(team, /^[A-Za-z0-9_-]{1,64}$/, 'TEAM', 'teams', String(i))),
    maxLoad === undefined ? undefined : badLimit(maxLoad),
  );
}
