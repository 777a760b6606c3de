/**
 * How far a machine, a branch of a Parallel or an item of a Map has come. An execution is a tree of frames; starting,
 * going on after a crash and redriving all walk that tree, skip what is finished and go on with what is not.
 */
export type Frame = {
  /** `root`, and below it `<parent>/<step>.<generation>:<index>`. */
  key: string;
  /** How many states it has left behind. */
  step: number;
  state: string;
  /** Raw input of the state in progress; the frame's output once it is finished. */
  raw: unknown;
  finished: boolean;
  lastEvent: number;
  /** The redrive it was last worked on in; what an older one left half done starts anew. */
  redrive: number;
  progress?: Progress;
};

/** The state in progress. Moments are absolute, so a restart neither extends nor loses them. */
export type Progress = {
  enteredAt: number;
  /** Raised by each retry, so that a retried Parallel or Map begins with new frames; a redrive keeps it and goes on in the old ones. */
  generation: number;
  /** How often each retrier was used, and how often all together. */
  used: Record<number, number>;
  retries: number;
  retryAt?: number;
  waitUntil?: number;
  /** A Parallel or Map whose children have begun. */
  begun?: boolean;
  callback?: OpenCallback;
};

export type OpenCallback = {
  token: string;
  /** The function has returned: the answer comes from elsewhere, and the function is not called again. */
  submitted: boolean;
  deadline?: number;
  heartbeatMs?: number;
  heartbeatBy?: number;
};

export const newFrame = (key: string, state: string, raw: unknown, lastEvent: number, redrive: number): Frame => ({
  key,
  step: 0,
  state,
  raw,
  finished: false,
  lastEvent,
  redrive,
});

export const childKey = (parent: Frame, index: number) =>
  `${parent.key}/${parent.step}.${parent.progress!.generation}:${index}`;

type Redrive = { redriveCount: number; redrivenEvent?: number };

/** A redriven state has been entered already, but its attempts, moments and token begin anew. */
export function redriven(frame: Frame, { redriveCount, redrivenEvent }: Redrive): Frame {
  if (frame.finished || frame.redrive === redriveCount) return frame;
  const { progress } = frame;
  return {
    ...frame,
    redrive: redriveCount,
    lastEvent: redrivenEvent ?? frame.lastEvent,
    progress: progress && {
      enteredAt: progress.enteredAt,
      generation: progress.generation,
      begun: progress.begun,
      used: {},
      retries: 0,
    },
  };
}

/** Text, so that what is written is the frame as it stands now, whatever happens to it meanwhile. */
export type FrameItem = { key: string; raw: string; rest: string };

export const frameToItem = ({ raw, ...rest }: Frame): FrameItem => ({
  key: rest.key,
  raw: JSON.stringify(raw),
  rest: JSON.stringify(rest),
});

export const frameFromItem = (item: Omit<FrameItem, 'key'>): Frame => ({
  ...(JSON.parse(item.rest) as Omit<Frame, 'raw'>),
  raw: JSON.parse(item.raw) as unknown,
});
