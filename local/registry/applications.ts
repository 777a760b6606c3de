import { randomUUID } from 'node:crypto';
import type { RegistryAnswer, RegistrySubmission } from '../../domain/ports.ts';
import type { FinalRegistryAnswer } from '../../gateways/registryAnswer.ts';
import { openJsonLines } from './jsonLines.ts';

/** What will become of an application, decided when it comes in, so that a restart changes nothing. */
export type Plan = {
  outcome: 'ACCEPTED' | 'REFUSED';
  /** Milliseconds since 1970; null: never. */
  answerAt: number | null;
  callbacks: ('answer' | 'contradiction')[];
};
export type Submission = {
  key: string;
  actionId: string;
  request: RegistrySubmission;
  bodySha256: string;
  receivedAt: string;
  answer: RegistryAnswer;
  plan: Plan;
  /** How many of the planned callbacks were taken with a 2xx. */
  delivered: number;
};
type Line =
  | { is: 'submitted'; submission: Submission }
  | { is: 'answered'; key: string; answer: FinalRegistryAnswer }
  | { is: 'delivered'; key: string; delivered: number };

export type Applications = Awaited<ReturnType<typeof openApplications>>;

/** One application per key, one registry number per action; whatever was told to anybody is on disk before. */
export async function openApplications(directory: string | undefined, now: () => number) {
  const log = await openJsonLines<Line>(directory, 'registry.jsonl');
  const byKey = new Map<string, Submission>();
  const numbers = new Map<string, string>();
  const storing = new Map<string, Promise<void>>();
  let highest = 0;

  const take = (actionId: string, registryNumber: string) => {
    numbers.set(actionId, registryNumber);
    highest = Math.max(highest, Number(registryNumber.split('-')[2]));
  };
  const apply = (line: Line) => {
    if (line.is === 'submitted') byKey.set(line.submission.key, line.submission);
    const known = byKey.get(line.is === 'submitted' ? line.submission.key : line.key);
    if (!known) throw new Error('the log of the registry speaks of an unknown key');
    if (line.is === 'answered') known.answer = line.answer;
    if (line.is === 'delivered') known.delivered = line.delivered;
    if (known.answer.status === 'ACCEPTED') take(known.actionId, known.answer.registryNumber);
  };
  for (const line of log.before) apply(line);

  const decided = ({ actionId, answer: { reference } }: Submission, outcome: Plan['outcome']): FinalRegistryAnswer => {
    if (outcome === 'REFUSED')
      return { status: 'REFUSED', reason: 'The provision is not subject to registration.', reference };
    const next = `R-${new Date(now()).getUTCFullYear()}-${String(highest + 1).padStart(6, '0')}`;
    const registryNumber = numbers.get(actionId) ?? next;
    take(actionId, registryNumber); // at once, so that no other decision takes it; it is told only after it is on disk
    return { status: 'ACCEPTED', registryNumber, reference };
  };

  return {
    all: () => [...byKey.values()],
    get: (key: string) => byKey.get(key),

    /** Another request with the same key waits here until the first is safe, and is told of it. */
    async known(key: string): Promise<Submission | undefined> {
      await storing.get(key)?.catch(() => undefined); // not safe: nobody has been told of it, so it is not known
      return byKey.get(key);
    },

    /** With `atOnce` the decision is part of the same line: taken in and answered, or neither. */
    async add(
      key: string,
      request: RegistrySubmission,
      bodySha256: string,
      plan: Plan,
      atOnce: boolean,
    ): Promise<Submission> {
      const reference = `REF-${randomUUID()}`;
      const receivedAt = new Date(now()).toISOString();
      const { actionId } = request;
      const answer: RegistryAnswer = { status: 'PENDING', reference };
      const submission: Submission = { key, actionId, request, bodySha256, receivedAt, answer, plan, delivered: 0 };
      if (atOnce) submission.answer = decided(submission, plan.outcome);
      const line: Line = { is: 'submitted', submission };
      const safe = log.append(line).then(() => apply(line));
      storing.set(key, safe);
      await safe.finally(() => storing.delete(key));
      return submission;
    },

    async decide(submission: Submission): Promise<void> {
      const line: Line = { is: 'answered', key: submission.key, answer: decided(submission, submission.plan.outcome) };
      await log.append(line);
      apply(line);
    },

    async delivered(submission: Submission): Promise<void> {
      const line: Line = { is: 'delivered', key: submission.key, delivered: submission.delivered + 1 };
      await log.append(line);
      apply(line);
    },

    close: () => log.close(),
  };
}
