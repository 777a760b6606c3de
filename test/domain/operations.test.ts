import { describe, expect, it } from 'vitest';
import { claim } from '../../domain/claim.ts';
import type { Instant } from '../../domain/ids.ts';
import type { Finding } from '../../domain/operations/finding.ts';
import type { Asked } from '../../domain/operations/execution.ts';
import { ref } from '../../domain/refs.ts';
import { a1, c1, mail, mail1, n1, now, p1, submission, submission1, sue, workflow } from './builders.ts';
import {
  execution,
  finding,
  lease,
  message,
  messageName,
  opa,
  operationScenes as scenes,
  parkedMail,
} from './operationScenes.ts';
import { afterSubmission } from './scenes.ts';
import { answerTo, but, type Difference } from './ask.ts';
import { after, broken, refuses, transitionOf } from './stage.ts';

const everywhere = [
  ['NOT_PERMITTED', 'to a supervisor', { actor: sue }],
  ['NOT_FOUND', 'for a case that is not there', { items: [[ref.case(c1), undefined]] }],
  ['VALIDATION_FAILED(REQUIRED)', 'without a reason', { command: { reason: ' ' } }],
] as const;

describe('resolveEffect', () => {
  const scene = scenes.resolveEffect;
  const evidence = { seen: '250 accepted, queue id 4', toldBy: 'postmaster' };
  const confirms = (more: object) => ({ command: { resolution: 'CONFIRMED', evidence: { ...evidence, ...more } } });
  const acceptedAt = '2026-07-02T01:00:00Z' as Instant;

  it('settles the row, reserves the next round and asks its machine to look again, for who asked for the act', () => {
    const next = transitionOf(scene);
    expect(next.requests).toEqual([
      {
        type: 'wake',
        payload: { caseId: c1, effectId: mail1, actionId: a1, noticeId: n1, provider: 'mailer', round: 1 },
        requestedBy: sue.id,
      },
    ]);
    expect(after(scene, ref.effect('mailer', mail1))).toEqual({
      ...parkedMail,
      ...{ status: 'FAILED_RETRYABLE', round: 1, resolvedBy: opa.id, updatedAt: now, triedSince: now },
    });
  });

  it('tells the audit what was seen and who told it, and about whom it may be', () => {
    const { event, aggregate } = transitionOf(scene);
    expect(event).toMatchObject({
      type: 'resolveEffect',
      about: [p1],
      changed: ['effect'],
      details: {
        ...{ was: 'PARKED', is: 'FAILED_RETRYABLE', toldBy: 'postmaster, extension 12' },
        ...{ providerKey: mail1, attempt: 1, reason: 'found by the morning round' },
      },
    });
    expect(aggregate.after.version).toBe(5);
  });

  it('confirms a mail on the day on which it was accepted', () => {
    const row = after(but(scene, confirms({ acceptedAt, providerReference: 'queue-4' })), ref.effect('mailer', mail1));
    expect(row).toMatchObject({
      ...{ status: 'CONFIRMED', acceptedAt: '2026-07-02T01:00:00.000Z', providerRequestId: 'queue-4' },
    });
  });

  it('confirms a submission with the registry answer that its recording reads', () => {
    const parked = submission('PARKED');
    const onSubmission = but(
      { ...scene, items: [...afterSubmission, [ref.effect('registry', submission1), parked]] },
      { command: { provider: 'registry', effectId: submission1, ...confirms({ registryNumber: 'R-7' }).command } },
    );
    const row = after(onSubmission, ref.effect('registry', submission1))!;
    expect(JSON.parse(row.response!)).toEqual({
      status: 'ACCEPTED',
      registryNumber: 'R-7',
      reference: parked.providerKey,
    });
  });

  it('counts the tries of what is done again from then', () => {
    expect(after(scene, ref.effect('mailer', mail1))).toMatchObject({ triedSince: now });
  });

  describe('under a number of the registry', () => {
    const numbered = (registryNumber: string) =>
      but(
        { ...scene, items: [...afterSubmission, [ref.effect('registry', submission1), submission('PARKED')]] },
        { command: { provider: 'registry', effectId: submission1, ...confirms({ registryNumber }).command } },
      );
    const held = (ownerId: string) =>
      ({
        items: [[ref.unique('REGISTRY_NUMBER', '', 'R-7'), claim('EnforcementAction', ownerId, 'R-7', now, c1)]],
      }) as const;

    it('refuses that of another action, and lets nobody else claim it meanwhile', () => {
      expect(answerTo(but(numbered('R-7'), held('a2')))).toBe('UNIQUE_VIOLATION');
      expect(answerTo(but(numbered('R-7'), held(a1)))).toBe('done');
      expect(broken(transitionOf(numbered('R-7')), but(numbered('R-7'), held('a2')).items)).toEqual(['unique']);
    });

    for (const number of ['\u{fdfa}'.repeat(200), 'R\u200b-7', 'R-7 ', 'x'.repeat(101)])
      it(`refuses what no registry enters: ${JSON.stringify(number).slice(0, 20)}`, () =>
        expect(answerTo(numbered(number))).toBe('VALIDATION_FAILED(REGISTRY_NUMBER)'));
  });

  refuses(scene, [
    ...everywhere,
    [
      'NOT_FOUND',
      'for an act of another case',
      { items: [[ref.effect('mailer', mail1), mail('PARKED', { caseId: 'c2' as never })]] },
    ],
    ['ILLEGAL_TRANSITION', 'once it is settled', { items: [[ref.effect('mailer', mail1), mail('CONFIRMED')]] }],
    ['ILLEGAL_TRANSITION', 'decided on another status', { command: { expectedStatus: 'UNKNOWN' } }],
    ['SEPARATION_OF_DUTIES', 'to who asked for the act', { actor: { id: sue.id, roles: ['SUPERVISOR', 'OPERATOR'] } }],
    ['VALIDATION_FAILED(REQUIRED)', 'without what was seen', { command: { evidence: { ...evidence, seen: '' } } }],
    ['VALIDATION_FAILED(REQUIRED)', 'where a mail is confirmed without its day', confirms({})],
    [
      'VALIDATION_FAILED(RANGE)',
      'where it was accepted before it was asked for',
      confirms({ acceptedAt: '2026-06-01T00:00:00Z' }),
    ],
    ['VALIDATION_FAILED(RANGE)', 'where it was accepted tomorrow', confirms({ acceptedAt: '2026-07-08T00:00:00Z' })],
    ['VALIDATION_FAILED(RANGE)', 'on a day that does not exist', confirms({ acceptedAt: '2026-06-31T00:00:00Z' })],
  ]);
});

describe('retryOutboxMessage', () => {
  const scene = scenes.retryOutboxMessage;

  it('begins again from the first attempt, and counts how often', () => {
    const { error: _, ...clean } = message();
    expect(after(scene, ref.message(messageName))).toEqual({ ...clean, status: 'NEW', attempts: 0, redriveCount: 1 });
  });

  refuses(scene, [
    ...everywhere,
    ['NOT_FOUND', 'for a message that is gone', { items: [[ref.message(messageName), undefined]] }],
    [
      'NOT_FOUND',
      'for a message of another case',
      { items: [[ref.message(messageName), message({ aggregateId: 'c2' })]] },
    ],
    [
      'ILLEGAL_TRANSITION',
      'while it waits by itself',
      { items: [[ref.message(messageName), message({ status: 'NEW' })]] },
    ],
    ['ILLEGAL_TRANSITION', 'decided on another status', { command: { expectedStatus: 'NEW' } }],
  ]);
});

describe('skipOutboxMessage', () => {
  const scene = scenes.skipOutboxMessage;

  it('lets the cursor pass it in the same transaction', () => {
    expect(after(scene, ref.cursor(c1))).toEqual({ at: 6 });
    expect(after(scene, ref.message(messageName))).toMatchObject({ status: 'SKIPPED', error: 'NotPublished' });
  });

  it('leaves the cursor alone where work is skipped', () => {
    const { after: _, ...work } = message({ n: 1 });
    const skipped = but(scene, { items: [[ref.message(messageName), work]] });
    expect(after(skipped, ref.cursor(c1))).toEqual({ at: 5 });
  });

  it('does not skip work that is still owed, which a later round would do all the same', () => {
    const { after: _, ...work } = message({ n: 1, messageType: 'notice', payload: { effectId: mail1 } });
    const about = (status: 'PLANNED' | 'CONFIRMED') =>
      but(scene, {
        items: [
          [ref.message(messageName), work],
          [ref.effect('mailer', mail1), mail(status)],
        ],
      });
    expect(answerTo(about('PLANNED'))).toBe('PRECONDITION_FAILED(WORK_OWED)');
    expect(answerTo(about('CONFIRMED'))).toBe('done');
    expect(broken(transitionOf(about('CONFIRMED')), about('PLANNED').items)).toEqual(['effect']);
  });

  refuses(scene, [
    ...everywhere,
    ['PRECONDITION_FAILED(NOT_NEXT)', 'while an earlier one waits', { items: [[ref.cursor(c1), { at: 4 }]] }],
    ['PRECONDITION_FAILED(NOT_NEXT)', 'before anything was told', { items: [[ref.cursor(c1), undefined]] }],
    [
      'ILLEGAL_TRANSITION',
      'while somebody tells it',
      { items: [[ref.message(messageName), message({ status: 'PUBLISHING' })]] },
    ],
  ]);
});

const stands = (status: 'RUNNING' | 'SUCCEEDED' | 'ABORTED') =>
  ({ items: [[ref.execution('notice-1'), execution({ status })]] }) as const;

describe('redriveExecution', () => {
  it('asks for the run that was seen', () => {
    const payload = { execution: 'notice-1', machine: 'notice', redriveCount: 0 };
    expect(transitionOf(scenes.redriveExecution).requests).toEqual([{ type: 'redrive', payload }]);
  });

  refuses(scenes.redriveExecution, [
    ...everywhere,
    [
      'NO_CHANGE',
      'once it has been asked for',
      { items: [[ref.execution('notice-1'), execution({ asked: 'redrive/0' })]] },
    ],
    ['ILLEGAL_TRANSITION', 'while it runs', stands('RUNNING')],
    ['ILLEGAL_TRANSITION', 'after it succeeded', stands('SUCCEEDED')],
    ['ILLEGAL_TRANSITION', 'decided on another end', stands('ABORTED')],
    [
      'NOT_FOUND',
      'for an execution about another case',
      { items: [[ref.execution('notice-1'), execution({ aggregateId: 'c2' })]] },
    ],
  ]);
});

describe('stopExecution', () => {
  it('asks for the run that was seen', () => {
    const payload = { execution: 'notice-1', machine: 'notice', redriveCount: 0 };
    expect(transitionOf(scenes.stopExecution).requests).toEqual([{ type: 'stop', payload }]);
  });

  refuses(scenes.stopExecution, [...everywhere, ['ILLEGAL_TRANSITION', 'after it ended', stands('ABORTED')]]);
});

describe('a request to redrive that is skipped', () => {
  const { after: _, ...event } = message();
  const request = { ...event, n: 1, messageType: 'redrive', payload: { execution: 'notice-1', redriveCount: 0 } };
  const skipped = (asked: Asked) =>
    but(scenes.skipOutboxMessage, {
      items: [
        [ref.message(messageName), request],
        [ref.execution('notice-1'), execution({ asked })],
      ],
    });

  it('can be made again', () => {
    expect(after(skipped('redrive/0'), ref.execution('notice-1'))).not.toHaveProperty('asked');
  });

  it('leaves alone what was asked for since', () => {
    expect(after(skipped('stop/1'), ref.execution('notice-1'))).toMatchObject({ asked: 'stop/1' });
  });
});

describe('repairFinding', () => {
  const scene = scenes.repairFinding;
  const settled = { command: { how: 'SETTLED', reason: 'seen to by hand' } };
  const with_ = (change: Partial<Finding>): Difference => ({ items: [[ref.finding('f1'), finding(change)]] });

  it('sets the guard right and ends the finding, on the record of the case', () => {
    expect(after(scene, ref.investigatorGuard(c1))).toEqual({ activeCount: 1, officerIds: new Set(['cai']) });
    expect(after(scene, ref.finding('f1'))).toMatchObject({ status: 'REPAIRED', settledBy: opa.id, settledAt: now });
    expect(transitionOf(scene).event).toMatchObject({ type: 'repairFinding', details: { kind: 'INVESTIGATOR_GUARD' } });
    expect(transitionOf(scene).aggregate.after.version).toBe(5);
  });

  it('is given by reconciliation as well', () => {
    expect(after(but(scene, { actor: workflow }), ref.finding('f1'))).toMatchObject({ status: 'REPAIRED' });
  });

  it('is settled by a person who has seen to it, and nothing else changes', () => {
    const next = but(scene, settled);
    expect(after(next, ref.finding('f1'))).toMatchObject({ status: 'RESOLVED', settledBy: opa.id });
    expect(transitionOf(next).changes.map((change) => change.ref.of)).toEqual(['finding']);
  });

  it('puts a count right where it stands on the case itself', () => {
    const count = with_({
      kind: 'CASE_COUNT',
      item: 'openTasks',
      values: { count: 'openTasks', expected: 0, found: 4 },
    });
    const next = but(scene, { ...count, case: { openTasks: 4 } });
    expect(after(next, ref.case(c1))).toMatchObject({ openTasks: 0, version: 5 });
    expect(answerTo(but(next, { case: { openTasks: 5 } }))).toBe('PRECONDITION_FAILED(MOVED_ON)');
  });

  refuses(scene, [
    ...everywhere,
    ['NOT_FOUND', 'for a finding of another case', with_({ aggregateId: 'c2' })],
    ['ILLEGAL_TRANSITION', 'once it is repaired', with_({ status: 'REPAIRED' })],
    ['ILLEGAL_TRANSITION', 'while it is only suspected', with_({ status: 'SUSPECTED' })],
    [
      'PRECONDITION_FAILED(MOVED_ON)',
      'where the case has moved since it was looked at',
      with_({ basis: { version: 4 } }),
    ],
    ['PRECONDITION_FAILED(NOT_RECOMPUTABLE)', 'where no record says what is right', with_({ kind: 'AUDIT_CHAIN' })],
    ['NOT_PERMITTED', 'to a workflow that says it is settled', { actor: workflow, ...settled }],
  ]);
});

describe('releaseLease', () => {
  it('frees it, and whoever held it does not know its own write again', () => {
    const freed = after(scenes.releaseLease, ref.lease(c1))!;
    expect(freed).toMatchObject({ state: 'FREE', fence: 7 });
    expect(freed.rvn).not.toBe('theirs');
  });

  refuses(scenes.releaseLease, [
    ...everywhere,
    ['ILLEGAL_TRANSITION', 'once it is free', { items: [[ref.lease(c1), lease({ state: 'FREE' })]] }],
    ['PRECONDITION_FAILED(HOLDER_CHANGED)', 'from somebody else', { items: [[ref.lease(c1), lease({ fence: 8 })]] }],
  ]);
});
