import { describe, expect, it } from 'vitest';
import type { LedgerRow } from '../../domain/effect.ts';
import { ref } from '../../domain/refs.ts';
import { but, itemIn, type Scene } from './ask.ts';
import { ana, c1 } from './builders.ts';
import { scenes } from './scenes.ts';
import { commit, transitionOf } from './stage.ts';

/** Who is owed a mail after the act, and which. */
const owed = (scene: Scene) =>
  transitionOf(scene)
    .changes.flatMap((change) => (change.kind === 'create' && change.ref.of === 'effect' ? [change.item] : []))
    .map((item) => item as LedgerRow)
    .filter(({ kind }) => kind === 'NOTIFICATION');
const told = (scene: Scene) => owed(scene).map(({ template, recipientId }) => `${template} ${recipientId}`);

const acts: [keyof typeof scenes, string[]][] = [
  ['reassignLead', ['LEAD_TAKEN ana', 'LEAD_GIVEN dan']],
  ['addInvestigator', ['INVESTIGATOR_ADDED dan']],
  ['assignReviewer', ['REVIEWER_ASSIGNED rob']],
  ['approveCase', ['CASE_APPROVED ana']],
  ['rejectCase', ['CASE_REJECTED ana']],
  ['returnCaseForRework', ['CASE_RETURNED ana']],
  ['recordNoticeUndeliverable', ['NOTICE_UNDELIVERABLE ana']],
];

describe('officers are told by mail', () => {
  for (const [act, mails] of acts)
    it(`of ${act}: ${mails.join(', ')}; each has a row and a request of its own`, () => {
      const scene = scenes[act];
      expect(told(scene)).toEqual(mails);
      const rows = owed(scene);
      const requests = transitionOf(scene).requests.filter(({ type }) => type === 'notification');
      expect(requests).toEqual(
        rows.map(({ effectId }) => ({ type: 'notification', payload: { caseId: c1, effectId, round: 0 } })),
      );
      expect(new Set(rows.map(({ effectId }) => effectId)).size).toBe(mails.length);
      for (const row of rows)
        expect(row).toMatchObject({ provider: 'mailer', status: 'PLANNED', caseId: c1, attempt: 0 });
      expect(JSON.stringify([rows, requests])).not.toContain('@'); // the address is read when the mail is sent
    });

  it('and no case waits for it', () => {
    for (const [act] of acts.slice(0, -1)) {
      const { items } = scenes[act];
      const after = itemIn(commit(transitionOf(scenes[act]), items), ref.case(c1)) as { openEffects: number };
      expect([act, after.openEffects]).toEqual([act, (itemIn(items, ref.case(c1)) as typeof after).openEffects]);
    }
  });

  it('of nothing that they did themselves', () => {
    const alone = but(scenes.assignReviewer, { actor: { id: 'rob' as never, roles: ['REVIEWER'] } });
    expect(told(alone)).toEqual([]);
  });

  it('nobody, where the case has no lead', () => {
    expect(told(but(scenes.approveCase, { case: { leadOfficerId: undefined } }))).toEqual([]);
    const first = but(scenes.reassignLead, {
      case: { leadOfficerId: undefined },
      command: { expectedLeadOfficerId: null },
    });
    expect(told(first)).toEqual(['LEAD_GIVEN dan']);
    expect(told(but(scenes.reassignLead, { command: { leadOfficerId: null } }))).toEqual([`LEAD_TAKEN ${ana.id}`]);
  });

  it('again by another act, though it says the same to the same officer', () => {
    const [first] = owed(scenes.approveCase);
    const [second] = owed(but(scenes.approveCase, { case: { auditSeq: 40 } })); // an act has one place in the audit
    expect(first!.effectId).not.toBe(second!.effectId);
    expect(owed(scenes.approveCase)[0]!.effectId).toBe(first!.effectId);
  });
});
