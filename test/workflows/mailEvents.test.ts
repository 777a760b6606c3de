import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { providerKeyOf } from '../../domain/effect.ts';
import { messageIdTag, tagOf } from '../../gateways/sesMailer.ts';
import { keysOf } from '../../store/keys.ts';
import { receiveMailEvent, toldOfMail } from '../../workflows/mailEvents.ts';
import { demo, done } from '../store/world.ts';
import { issued, service, standing, startStage, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => void (stage = await startStage()));
afterAll(() => stage.stop());

async function mailed() {
  const input = await issued(stage);
  return { input, messageId: `<${providerKeyOf(demo.id, input.effectId)}@regulator.example>` };
}
const event = (happened: 'SENT' | 'BOUNCED', messageId: string) => ({
  happened,
  providerMessageId: 'ses-1',
  tags: { 'ses:configuration-set': ['docket'], [messageIdTag]: [tagOf(messageId)] },
});

describe('what SES tells of a mail', () => {
  it('that was sent is kept, so that it can be told what became of a send whose answer was lost', async () => {
    const { messageId } = await mailed();
    expect(await toldOfMail(stage.store, messageId)).toBeUndefined();
    await receiveMailEvent(stage.store, event('SENT', messageId));
    await receiveMailEvent(stage.store, { ...event('SENT', messageId), providerMessageId: 'ses-2' });
    expect(await toldOfMail(stage.store, messageId)).toBe('ses-1');
  });

  it('that came back makes its notice undeliverable, told once or twice', async () => {
    const { input, messageId } = await mailed();
    const { caseId, actionId, noticeId, effectId } = input;
    const named = { caseId, actionId, noticeId };
    const sha256 = 'a'.repeat(64);
    await done(stage.world, service, { type: 'recordNoticeRendered', ...named, sha256, size: 10 });
    await stage.store.table.write({
      kind: 'update',
      key: keysOf(demo.id).effect('mailer', effectId),
      update: { set: { status: 'CONFIRMED', providerRequestId: 'ses-1' } },
      when: { is: 'exists' },
    });
    await done(stage.world, service, { type: 'recordNoticeServed', ...named });
    await receiveMailEvent(stage.store, event('BOUNCED', messageId));
    await receiveMailEvent(stage.store, event('BOUNCED', messageId));
    expect((await standing(stage, 'NOTICE_MAIL', input)).notice).toMatchObject({ status: 'UNDELIVERABLE' });
  });

  it('that is none of ours, or has no name of ours, is left alone', async () => {
    await receiveMailEvent(stage.store, event('SENT', '<newsletter@elsewhere.example>'));
    await receiveMailEvent(stage.store, event('BOUNCED', '<newsletter@elsewhere.example>'));
    await receiveMailEvent(stage.store, { happened: 'BOUNCED', providerMessageId: 'ses-9', tags: {} });
    expect(await toldOfMail(stage.store, '<newsletter@elsewhere.example>')).toBeUndefined();
  });
});
