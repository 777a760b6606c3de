import { create } from '../change.ts';
import type { PartyId } from '../ids.ts';
import { preconditionFailed } from '../refusal.ts';
import { ref } from '../refs.ts';
import { atMostItems, emailAddress, firstOf, line, matching } from '../text.ts';
import { invalid, type Refused } from '../refusal.ts';
import type { Party, PartyKind, PartyRole, ServiceChannel } from './case.ts';
import { caseTransition, defineCaseCommand, type OnCase } from './caseCommand.ts';
import { notSuspended } from './suspension.ts';

export type AddParty = OnCase<'addParty'> & {
  role: PartyRole;
  kind: PartyKind;
  name: string;
  identifiers: { scheme: string; value: string }[];
  addressLines: string[];
  email?: string;
  serviceChannel: ServiceChannel;
  safetyFlag: boolean;
};

/** At most this many, so that a case stays readable and its closing fits one transaction. */
export const atMostParties = 500;

/** Somebody becomes part of the case: its subject, a complainant, a witness or a representative. */
export const addParty = defineCaseCommand({
  type: 'addParty',
  invariant: [
    '`subjects` is the number of parties that are subjects.',
    'What a review pinned is not what the case holds afterwards.',
  ],
  reads: (command: AddParty, given) => ({ party: ref.party(command.caseId, given.id<PartyId>('party')) }),
  decide: (current, _found, command, given) => {
    const no = notSuspended(current) ?? badParty(command);
    if (no) return no;
    if (current.subjects >= atMostParties)
      return preconditionFailed('TOO_MANY_PARTIES', 'the case has too many subjects');

    const { type: _, caseId, expectedVersion: __, ...facts } = command;
    const id = given.id<PartyId>('party');
    const party: Party = {
      ...facts,
      id,
      caseId,
      version: 1,
      addedAt: given.at,
      createdBy: { commandId: given.commandId, requestHash: given.requestHash },
    };
    const subjects = current.subjects + (command.role === 'SUBJECT' ? 1 : 0);
    return caseTransition(current, { ...current, subjects }, command, given, {
      moves: 'facts',
      announces: 'PartyAdded',
      changed: ['parties'],
      about: [id],
      details: { partyId: id, role: command.role, kind: command.kind, name: command.name },
      payload: { partyId: id, role: command.role },
      changes: [create(ref.party(caseId, id), party)],
      created: { party: id },
    });
  },
});

/** What is wrong with a party as entered; a channel needs the address it uses. */
export function badParty(party: Omit<AddParty, keyof OnCase<'addParty'>>): Refused | undefined {
  return firstOf(
    line(party.name, 'name'),
    atMostItems(party.identifiers, 10, 'identifiers'),
    ...party.identifiers.map(({ scheme }, i) =>
      matching(scheme, /^[A-Z0-9_]{1,32}$/, 'IDENTIFIER_SCHEME', 'identifiers', String(i), 'scheme'),
    ),
    ...party.identifiers.map(({ value }, i) => line(value, 'identifiers', String(i), 'value')),
    atMostItems(party.addressLines, 8, 'addressLines'),
    ...party.addressLines.map((text, i) => line(text, 'addressLines', String(i))),
    party.email === undefined ? undefined : emailAddress(party.email, 'email'),
    party.serviceChannel === 'EMAIL' && party.email === undefined
      ? invalid('REQUIRED', ['email'], 'service by e-mail needs an address')
      : undefined,
    party.serviceChannel === 'POST' && party.addressLines.length === 0
      ? invalid('REQUIRED', ['addressLines'], 'service by post needs an address')
      : undefined,
  );
}
