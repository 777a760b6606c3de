import { randomBytes } from 'node:crypto';
import type { Answer } from './journal.ts';

/** A task that waits for whoever holds its token. */
export type Callback = {
  executionArn: string;
  answer: Promise<Answer>;
  settle: (answer: Answer) => void;
  /** An answer is being written down, or is: no time-out may win meanwhile, and no other answer. */
  claimed: () => boolean;
  claim: () => void;
  /** The answer could not be written: the task waits on, and its time runs. */
  release: () => void;
  /** Resolves once no answer is being written down; never when one is. */
  unclaimed: () => Promise<void>;
  /** Puts the heartbeat's deadline off. */
  heartbeat: () => Promise<void>;
};

function newClaim(): Pick<Callback, 'claimed' | 'claim' | 'release' | 'unclaimed'> {
  let released: Promise<void> | undefined;
  let release = () => {};
  return {
    claimed: () => released !== undefined,
    claim: () => {
      released = new Promise((resolve) => (release = resolve));
    },
    release: () => {
      released = undefined;
      release();
    },
    unclaimed: async () => {
      while (released) await released;
    },
  };
}

/** The open callbacks of all executions, by token. */
export class Callbacks {
  private readonly open = new Map<string, Callback>();

  /** One that is open already stays as it is: after a restart it may be answered before its frame comes to wait for it. */
  opened(token: string, executionArn: string, heartbeat: () => Promise<void>): Callback {
    const known = this.open.get(token);
    if (known) return known;
    let settle!: (answer: Answer) => void;
    const answer = new Promise<Answer>((resolve) => (settle = resolve));
    const callback = { executionArn, answer, settle, heartbeat, ...newClaim() };
    this.open.set(token, callback);
    return callback;
  }

  find = (token: string): Callback | undefined => this.open.get(token);

  close(token: string): void {
    this.open.delete(token);
  }
}

export const newToken = () => randomBytes(48).toString('base64');
