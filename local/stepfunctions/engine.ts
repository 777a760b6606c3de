import { statusChange, tell, type StatusChange } from './announce.ts';
import { Interrupted, toStateError } from './errors.ts';
import { openCallback } from './callbackTask.ts';
import { redriven } from './frame.ts';
import type { ExecutionRecord, Status } from './journal.ts';
import type { Machines } from './machines.ts';
import { machineArn } from './arn.ts';
import { Run, type Services } from './run.ts';
import { walk } from './walk.ts';

/** How many executions are taken over at a time. */
const AT_ONCE = 16;

export type StatusListener = (event: StatusChange) => Promise<void>;

/** Runs the executions of this process, each from where the journal has it to its end. */
export class Engine {
  private readonly services: Services;
  private readonly machines: Machines;
  private readonly listener: StatusListener | undefined;
  private readonly runs = new Map<string, { run: Run; ended: Promise<void> }>();
  private readonly announcing = new Map<string, Promise<void>>();

  constructor(services: Services, machines: Machines, listener: StatusListener | undefined) {
    this.services = services;
    this.machines = machines;
    this.listener = listener;
  }

  find = (arn: string): Run | undefined => this.runs.get(arn)?.run;

  /** A new execution that is in the journal already. */
  async start(record: ExecutionRecord, input: string): Promise<void> {
    const machine = await this.machines.definitionOf(record.machine, record.revision);
    this.launch(new Run(this.services, record, machine, JSON.parse(input), 0));
    this.announce(record, input, undefined);
  }

  /** Goes on with what the journal holds: after a restart, or redriven. */
  async resume(record: ExecutionRecord): Promise<Run> {
    const { reader } = this.services;
    const arn = record.executionArn;
    const machine = await this.machines.definitionOf(record.machine, record.revision);
    const { input, frames } = await reader.progress(arn);
    // Events and the frames they belong to are written together, so the frames know the last one.
    const lastEvent = Math.max(record.redrivenEvent ?? 0, ...frames.map((frame) => frame.lastEvent));
    const run = new Run(this.services, record, machine, JSON.parse(input), lastEvent);
    for (const frame of frames) run.frames.set(frame.key, redriven(frame, record));
    for (const frame of run.frames.values())
      if (frame.progress?.callback) openCallback(run, frame, frame.progress.callback);
    this.launch(run);
    return run;
  }

  /** Everything a process left behind that ended without warning. */
  async takeOver(): Promise<void> {
    const { journal, reader } = this.services;
    const left = (await reader.unsettled('RUNNING')).values();
    const worker = async () => {
      for (const { executionArn } of left) {
        const record = await journal.takeOver(executionArn);
        if (!record) continue;
        const run = await this.resume(record);
        // Its start or its redrive may not have been told; told again, it changes nothing.
        this.announce(record, JSON.stringify(run.input), undefined);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    for (const record of await reader.unsettled('ANNOUNCE')) {
      const whole = await reader.whole(record.executionArn);
      if (whole) this.announce(whole.record, whole.input, whole.output);
    }
  }

  /** Ends a running execution and waits until that is written. */
  async stop(arn: string, error: string | undefined, cause: string | undefined): Promise<void> {
    const running = this.runs.get(arn);
    running?.run.interrupt({ kind: 'STOPPED', error, cause });
    await running?.ended;
  }

  /** Lets go of everything; the journal has what is needed to go on. */
  async close(): Promise<void> {
    const running = [...this.runs.values()];
    for (const { run } of running) run.interrupt({ kind: 'CLOSING' });
    await Promise.all([...running.map(({ ended }) => ended), ...this.announcing.values()]);
  }

  announce(record: ExecutionRecord, input: string, output: string | undefined): void {
    const { clock, closing, journal } = this.services;
    const arn = record.executionArn;
    if (!this.listener) return;
    const listener = this.listener;
    const event = statusChange(record, input, output, clock.now());
    const settled = { ...record };
    const told = (this.announcing.get(arn) ?? Promise.resolve())
      .then(() => tell(() => listener(event), clock, closing))
      .then(() => (settled.status === 'RUNNING' ? undefined : journal.announced(settled)))
      .catch(() => {}) // untold: the next start finds it unsettled
      .finally(() => this.announcing.get(arn) === told && this.announcing.delete(arn));
    this.announcing.set(arn, told);
  }

  private launch(run: Run): void {
    const ended = this.carryOut(run).finally(() => this.runs.delete(run.arn));
    this.runs.set(run.arn, { run, ended });
  }

  private async carryOut(run: Run): Promise<void> {
    const root = run.frame('root', run.machine.StartAt, run.input, 0);
    if (root.lastEvent === 0)
      run.note(root, 'ExecutionStarted', { input: JSON.stringify(run.input), roleArn: run.record.roleArn });
    const over = new AbortController();
    void this.watchTheTime(run, over.signal);
    try {
      const output = await walk(run, root, run.machine, contextOf(run), run.signal);
      await this.end(run, 'SUCCEEDED', { output: JSON.stringify(output) });
    } catch (thrown) {
      await this.endWithout(run, thrown).catch(() => {}); // lost or closing: somebody goes on with it
    } finally {
      over.abort();
    }
  }

  private async watchTheTime(run: Run, over: AbortSignal): Promise<void> {
    const seconds = run.machine.TimeoutSeconds;
    if (seconds === undefined) return;
    const began = run.record.redrivenAt ?? run.record.startedAt; // a redrive has the whole time again
    await this.services.clock.sleepUntil(began + seconds * 1000, over).then(
      () => run.interrupt({ kind: 'TIMED_OUT' }),
      () => {},
    );
  }

  private async endWithout(run: Run, thrown: unknown): Promise<void> {
    if (!(thrown instanceof Interrupted)) {
      const { error, message } = toStateError(thrown);
      return this.end(run, 'FAILED', { error, cause: message });
    }
    const { reason } = thrown;
    if (reason.kind === 'STOPPED') await this.end(run, 'ABORTED', { error: reason.error, cause: reason.cause });
    if (reason.kind === 'TIMED_OUT') await this.end(run, 'TIMED_OUT', { error: 'States.Timeout' });
  }

  private async end(
    run: Run,
    status: Status,
    result: { output?: string; error?: string; cause?: string },
  ): Promise<void> {
    const { output, ...failure } = result;
    Object.assign(run.record, { status, stoppedAt: this.services.clock.now(), ...failure });
    run.note(run.frame('root', '', undefined, 0), EVENT_OF[status], result);
    await run.end(output, this.listener !== undefined);
    this.announce(run.record, JSON.stringify(run.input), output);
  }
}

const EVENT_OF: Record<Status, string> = {
  RUNNING: 'ExecutionStarted',
  SUCCEEDED: 'ExecutionSucceeded',
  FAILED: 'ExecutionFailed',
  TIMED_OUT: 'ExecutionTimedOut',
  ABORTED: 'ExecutionAborted',
};

const contextOf = ({ record, input }: Run) => ({
  Execution: {
    Id: record.executionArn,
    Name: record.name,
    Input: input,
    RoleArn: record.roleArn,
    StartTime: new Date(record.startedAt).toISOString(),
    RedriveCount: record.redriveCount,
    ...(record.redrivenAt !== undefined && { RedriveTime: new Date(record.redrivenAt).toISOString() }),
  },
  StateMachine: { Id: machineArn(record.machine), Name: record.machine },
});
