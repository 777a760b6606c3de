import { Busy } from '../domain/answer.ts';
import type { LocalMailbox } from './mailbox/startMailbox.ts';

const firstWaitMs = 3_000;
const longestWaitMs = 60_000;

/** Hands the mailbox's bounces to the workflows, which may not be ready for one yet: its mail may be parked for hours. */
export function bounceTelling(
  mailbox: () => Pick<LocalMailbox, 'tellBounces'>,
  receive: (messageId: string) => Promise<unknown>,
) {
  let waitMs = firstWaitMs;
  return {
    /** Tells each that is untold; whatever is not taken in stays in the mailbox. */
    tell: async (): Promise<void> => {
      let allTaken = true;
      const hear = async (messageId: string) => {
        const taken = await receive(messageId).then(() => true, notYet);
        allTaken &&= taken;
        return taken;
      };
      const failed = await mailbox()
        .tellBounces(hear)
        .then(
          () => undefined,
          (error: Error) => error,
        );
      waitMs = allTaken && !failed ? firstWaitMs : Math.min(waitMs * 2, longestWaitMs);
      if (failed) throw failed;
    },
    /** Milliseconds until the next telling: soon, and up to a minute while one waits. */
    waitMs: () => waitMs,
  };
}

function notYet(error: unknown): false {
  if (!(error instanceof Busy)) throw error;
  return false;
}
