import { describe, expect, it } from 'vitest';
import type { Instant } from '../../domain/ids.ts';
import { chainFaults, sealed, type AuditEvent } from '../../store/audit.ts';

const salt = '00'.repeat(16);

/** A chain of events, each sealed onto the one before. */
function chain(...details: object[]): AuditEvent[] {
  const events: AuditEvent[] = [];
  for (const detail of details) {
    const facts = {
      seq: events.length + 1,
      eventId: `event-${events.length + 1}`,
      type: 'addParty',
      actor: 'ana',
      about: ['party-1'],
      at: '2026-03-02T12:00:00.000Z' as Instant,
      commandId: 'command',
      correlationId: 'test',
      from: 'OPEN',
      changed: ['parties'],
      previousHash: events.at(-1)?.hash ?? '',
    };
    events.push(sealed(facts, { ...detail }, salt));
  }
  return events;
}
const headOf = (events: AuditEvent[]) => ({ auditSeq: events.length, auditHead: events.at(-1)?.hash ?? '' });
const three = () => chain({ name: 'A' }, { name: 'B' }, { reason: 'moved' });
const faultsOf = (events: AuditEvent[], head = headOf(three())) => chainFaults(events, head).map(({ seq }) => seq);

describe('an audit chain', () => {
  it('is whole as it was written, and so is the empty one', () => {
    expect(chainFaults(three(), headOf(three()))).toEqual([]);
    expect(chainFaults([], { auditSeq: 0, auditHead: '' })).toEqual([]);
  });

  const lies: Partial<Record<keyof AuditEvent, unknown>> = {
    type: 'openCase',
    actor: 'anb',
    onBehalfOf: 'sue',
    about: [],
    at: '2026-03-02T12:00:00.001Z',
    commandId: 'another',
    correlationId: 'another',
    eventId: 'event-9',
    from: 'CLOSED',
    to: 'OPEN',
    changed: [],
    detailsDigest: '0'.repeat(64),
    details: { name: 'C' },
    salt: '11'.repeat(16),
  };
  for (const [field, lie] of Object.entries(lies))
    it(`shows that ${field} was altered`, () => {
      const events = three();
      events[1] = { ...events[1]!, [field]: lie };
      expect(faultsOf(events)).toContain(2);
    });

  it('shows an event that is missing, in between and at the end', () => {
    const [a, b, c] = three() as [AuditEvent, AuditEvent, AuditEvent];
    expect(faultsOf([a, c])).toContain(2);
    expect(faultsOf([a, b])).toContain(3);
    expect(faultsOf([a, c, b])).toContain(2);
  });

  it('shows a chain that was sealed anew from an altered event on', () => {
    expect(chainFaults(chain({ name: 'A' }, { name: 'X' }, { reason: 'moved' }), headOf(three()))).toEqual([
      { seq: 3, code: 'HEAD', fault: 'the head is another event' },
    ]);
  });

  it('still verifies when details were redacted, but only where a redaction event names them', () => {
    const events = chain({ name: 'A' }, { name: 'B' }, { redactedSeqs: [1] });
    const head = headOf(events);
    const without = (seq: number) =>
      events.map(({ details, salt: kept, ...facts }) =>
        facts.seq === seq ? facts : { ...facts, details, salt: kept },
      );
    expect(chainFaults(without(1), head)).toEqual([]);
    expect(chainFaults(without(2), head)).toEqual([
      { seq: 2, code: 'DETAILS_MISSING', fault: 'details are missing without a redaction' },
    ]);
  });

  it('does not let details be guessed from their digest: the same details have another one every time', () => {
    const { details, salt: _, ...facts } = three()[0]!;
    expect(sealed(facts, details!, '22'.repeat(16)).detailsDigest).not.toBe(facts.detailsDigest);
  });
});
