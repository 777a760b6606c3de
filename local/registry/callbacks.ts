import { setTimeout as pause } from 'node:timers/promises';
import type { FinalRegistryAnswer } from '../../gateways/registryAnswer.ts';
import { exchange } from '../../gateways/httpExchange.ts';
import { signatureHeader, signCallback } from '../../gateways/registryCallback.ts';
import type { Applications, Submission } from './applications.ts';

const firstPause = 100;
const longestPause = 5_000;
const patience = 10_000;

type Account = { callbackUrl: string; callbackSecret: string; now: () => number };

/** Waits until the answer is due, decides, and calls back until every planned callback was taken. */
export async function follow(applications: Applications, submission: Submission, account: Account, stop: AbortSignal) {
  const { answerAt, callbacks } = submission.plan;
  if (answerAt === null) return;
  if (submission.answer.status === 'PENDING') {
    await pause(Math.max(0, answerAt - account.now()), undefined, { signal: stop });
    await applications.decide(submission);
  }
  let wait = firstPause;
  while (submission.delivered < callbacks.length) {
    const body = bodyOf(submission, callbacks[submission.delivered] === 'contradiction');
    if (await taken(body, account, stop)) {
      await applications.delivered(submission);
      wait = firstPause;
      continue;
    }
    await pause(wait, undefined, { signal: stop });
    wait = Math.min(wait * 2, longestPause);
  }
}

function bodyOf({ key, answer }: Submission, contradiction: boolean): string {
  if (!contradiction) return JSON.stringify({ key, ...answer });
  const { reference } = answer;
  const other: FinalRegistryAnswer =
    answer.status === 'REFUSED'
      ? { status: 'ACCEPTED', registryNumber: 'R-0000-000000', reference }
      : { status: 'REFUSED', reason: 'Recorded in error.', reference };
  return JSON.stringify({ key, ...other });
}

/** Signed anew at every attempt, so that a late one is not out of date. */
async function taken(body: string, { callbackUrl, callbackSecret, now }: Account, stop: AbortSignal): Promise<boolean> {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(patience)]);
  const headers = { 'content-type': 'application/json', [signatureHeader]: signCallback(body, callbackSecret, now()) };
  const answered = await exchange({
    method: 'POST',
    url: new URL(callbackUrl),
    headers,
    body,
    maxBytes: 64 * 1024,
    signal,
  }).catch(() => undefined);
  return answered !== undefined && answered.status >= 200 && answered.status < 300;
}
