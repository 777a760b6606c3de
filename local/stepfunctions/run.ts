import { setMaxListeners } from 'node:events';
import type { Callbacks } from './callbacks.ts';
import type { Clock } from './clock.ts';
import type { Machine } from './definition.ts';
import { Interrupted, runtimeError, type Reason } from './errors.ts';
import { frameToItem, newFrame, type Frame } from './frame.ts';
import { MOST_EVENTS, type HistoryEvent } from './history.ts';
import type { ExecutionRecord, Journal } from './journal.ts';
import type { Reader } from './reader.ts';

export type TaskFunction = (payload: unknown, execution: { executionArn: string; attempt: number }) => Promise<unknown>;

export type Services = {
  journal: Journal;
  reader: Reader;
  clock: Clock;
  random: () => number;
  functions: Record<string, TaskFunction>;
  callbacks: Callbacks;
  /** Aborted when this process lets go of everything. */
  closing: AbortSignal;
};

const MOST_UNSAVED = 250;

/** One execution while it runs in this process: its frames, and what the journal has not heard of yet. */
export class Run {
  readonly services: Services;
  readonly machine: Machine;
  readonly input: unknown;
  readonly record: ExecutionRecord;
  readonly frames = new Map<string, Frame>();
  private readonly stop = new AbortController();
  private lastEventId: number;
  private unsaved: HistoryEvent[] = [];
  private changed = new Set<Frame>();
  private tokens: string[] = [];
  private owed = false;
  private writing: Promise<void> = Promise.resolve();
  private next: Promise<void> | undefined;

  constructor(services: Services, record: ExecutionRecord, machine: Machine, input: unknown, lastEventId: number) {
    this.services = services;
    this.record = record;
    this.machine = machine;
    this.input = input;
    this.lastEventId = lastEventId;
    setMaxListeners(0, this.stop.signal); // every branch listens
  }

  get arn(): string {
    return this.record.executionArn;
  }

  get signal(): AbortSignal {
    return this.stop.signal;
  }

  get unsavedEvents(): readonly HistoryEvent[] {
    return this.unsaved;
  }

  interrupt(reason: Reason): void {
    this.stop.abort(new Interrupted(reason));
  }

  frame(key: string, state: string, raw: unknown, lastEvent: number): Frame {
    const known = this.frames.get(key);
    if (known) return known;
    const frame = newFrame(key, state, raw, lastEvent, this.record.redriveCount);
    this.frames.set(key, frame);
    return frame;
  }

  /** Adds to the history. The frame goes with it into the journal, so that after a crash both tell the same. */
  note(frame: Frame, type: string, details?: Record<string, unknown>): void {
    if (this.lastEventId >= MOST_EVENTS - 1 && !type.startsWith('Execution'))
      throw runtimeError(`The execution reached the maximum number of history events (${MOST_EVENTS}).`);
    const id = ++this.lastEventId;
    this.unsaved.push({ id, previous: frame.lastEvent, at: this.services.clock.now(), type, details });
    frame.lastEvent = id;
    this.changed.add(frame);
  }

  /** The frame has come further than may be lost: it must be written before anything happens outside. */
  keep(frame: Frame): void {
    this.changed.add(frame);
    this.owed = true;
  }

  issue(token: string): void {
    this.tokens.push(token);
    this.owed = true;
  }

  /** Resolves when all that is owed is written. Branches that ask at the same time share one write. */
  durable(): Promise<void> {
    if (!this.owed && !this.next) return this.writing;
    this.next ??= this.writing.then(() => {
      this.next = undefined;
      this.writing = this.write();
      return this.writing;
    });
    return this.next;
  }

  /** Between two states: a long chain of states that wait for nothing must neither fill the memory nor hold everyone up. */
  async breathe(): Promise<void> {
    if (this.unsaved.length < MOST_UNSAVED) return;
    this.owed = true;
    await this.durable();
  }

  /** Writes the end. Of a success the frames are of no more use; of anything else a redrive goes on from them. */
  async end(output: string | undefined, announce: boolean): Promise<void> {
    await (this.next ?? this.writing);
    const changes = this.take();
    if (this.record.status === 'SUCCEEDED') changes.frames = [];
    await this.persist(() => this.services.journal.end(this.record, output, announce, changes));
  }

  private async write(): Promise<void> {
    const changes = this.take();
    await this.persist(() => this.services.journal.commit(this.arn, changes));
    this.unsaved = this.unsaved.slice(changes.events.length); // until then they are read from here
  }

  private take() {
    const changes = { events: [...this.unsaved], frames: [...this.changed].map(frameToItem), tokens: this.tokens };
    this.changed = new Set();
    this.tokens = [];
    this.owed = false;
    return changes;
  }

  /** An engine that does not answer is asked again until it does: the execution stands still meanwhile. */
  private async persist(write: () => Promise<void>): Promise<void> {
    const { clock, closing } = this.services;
    for (;;) {
      try {
        return await write();
      } catch (error) {
        if (error instanceof Interrupted) this.interrupt(error.reason);
        if (error instanceof Interrupted || (error as Error).name === 'ValidationException') throw error;
      }
      await clock.sleepUntil(clock.now() + 1000, closing);
    }
  }
}
