import { describe, expect, it } from 'vitest';
import { Busy } from '../../domain/answer.ts';
import { startBackground } from '../../local/background.ts';
import { bounceTelling } from '../../local/bounces.ts';

/** A mailbox with bounces, each until it is taken in. */
function mailboxOf(...untold: string[]) {
  const left = new Set(untold);
  return {
    left,
    tellBounces: async (hear: (messageId: string) => Promise<boolean>) => {
      for (const messageId of [...left]) if (await hear(messageId)) left.delete(messageId);
    },
  };
}

describe('a bounce whose mail is not settled yet', () => {
  it('stays in the mailbox for as long as that takes, and is asked about every minute', async () => {
    const mailbox = mailboxOf('<parked>', '<sent>');
    let settled = false;
    const heard: string[] = [];
    const bounces = bounceTelling(
      () => mailbox,
      (messageId) => {
        if (messageId === '<parked>' && !settled) return Promise.reject(new Busy('not settled', 'NOT_YET'));
        return Promise.resolve(heard.push(messageId));
      },
    );
    for (let hours = 0; hours < 100; hours++) await bounces.tell();
    expect(bounces.waitMs()).toBe(60_000);
    expect([...mailbox.left]).toEqual(['<parked>']);
    settled = true;
    await bounces.tell();
    expect(heard).toEqual(['<sent>', '<parked>']);
    expect(mailbox.left.size).toBe(0);
    expect(bounces.waitMs()).toBeLessThan(5_000);
  });

  it('does not keep the host from ending', async () => {
    const background = startBackground(() => undefined);
    const bounces = bounceTelling(
      () => mailboxOf('<parked>'),
      () => Promise.reject(new Busy('not settled', 'NOT_YET')),
    );
    background.soon('bounce', bounces.tell);
    background.at('bounce', bounces.waitMs, bounces.tell);
    const began = performance.now();
    await background.stop();
    expect(performance.now() - began).toBeLessThan(1_000);
  });

  it('is no alarm; what else goes wrong is thrown', async () => {
    const broken = bounceTelling(
      () => mailboxOf('<a>'),
      () => Promise.reject(new Error('no database')),
    );
    await expect(broken.tell()).rejects.toThrow('no database');
    expect(broken.waitMs()).toBeGreaterThan(3_000);
  });
});
