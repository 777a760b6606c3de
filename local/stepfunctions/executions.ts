import { redriveStatus } from './announce.ts';
import { checkName, executionArn, machineArn } from './arn.ts';
import type { Clock } from './clock.ts';
import type { Engine } from './engine.ts';
import { ApiError, Interrupted } from './errors.ts';
import { LARGEST_DATA } from './dataflow.ts';
import { MOST_EVENTS, type HistoryEvent } from './history.ts';
import type { ExecutionRecord, Journal } from './journal.ts';
import type { MachineRecord } from './machines.ts';
import type { Reader } from './reader.ts';

/** Starts, stops and redrives executions, one act at a time for each. */
export class Executions {
  private readonly engine: Engine;
  private readonly journal: Journal;
  private readonly reader: Reader;
  private readonly clock: Clock;
  private readonly acting = new Map<string, Promise<unknown>>();

  constructor(engine: Engine, journal: Journal, reader: Reader, clock: Clock) {
    this.engine = engine;
    this.journal = journal;
    this.reader = reader;
    this.clock = clock;
  }

  /** The same name and input while it runs is the same execution; a name is never free again. */
  start(machine: MachineRecord, name: string, input: string): Promise<ExecutionRecord> {
    checkName(name);
    checkInput(input);
    const arn = executionArn(machine.name, name);
    return this.oneAtATime(arn, async () => {
      const record = this.newRecord(machine, name, arn);
      try {
        await this.journal.begin(record, input);
      } catch (error) {
        if (error instanceof Interrupted) return this.alreadyThere(arn, input);
        throw error;
      }
      await this.engine.start(record, input);
      return record;
    });
  }

  async get(arn: string): Promise<ExecutionRecord> {
    const record = await this.reader.execution(arn);
    if (!record) throw new ApiError('ExecutionDoesNotExist', `Execution Does Not Exist: '${arn}'`);
    return record;
  }

  /** Stopping what is over already changes nothing. */
  stop(arn: string, error: string | undefined, cause: string | undefined): Promise<ExecutionRecord> {
    return this.oneAtATime(arn, async () => {
      await this.engine.stop(arn, error, cause);
      return this.get(arn);
    });
  }

  redrive(arn: string): Promise<ExecutionRecord> {
    return this.oneAtATime(arn, async () => {
      const old = await this.get(arn);
      const now = this.clock.now();
      const { status, reason } = redriveStatus(old, now);
      const lastEvent = await this.reader.lastEventId(arn);
      if (status !== 'REDRIVABLE' || lastEvent >= MOST_EVENTS)
        throw new ApiError('ExecutionNotRedrivable', reason ?? 'Execution has reached the maximum number of events');
      const redriveCount = old.redriveCount + 1;
      const record: ExecutionRecord = {
        ...old,
        status: 'RUNNING',
        redriveCount,
        redrivenAt: now,
        redrivenEvent: lastEvent + 1,
        fence: this.journal.fence,
        stoppedAt: undefined,
        error: undefined,
        cause: undefined,
      };
      const event: HistoryEvent = {
        id: lastEvent + 1,
        previous: lastEvent,
        at: now,
        type: 'ExecutionRedriven',
        details: { redriveCount },
      };
      await this.journal.reopen(record, { events: [event], frames: [], tokens: [] });
      const run = await this.engine.resume(record);
      this.engine.announce(record, JSON.stringify(run.input), undefined);
      return record;
    });
  }

  private newRecord(machine: MachineRecord, name: string, arn: string): ExecutionRecord {
    return {
      executionArn: arn,
      machine: machine.name,
      name,
      revision: machine.revision,
      roleArn: machine.roleArn,
      status: 'RUNNING',
      startedAt: this.clock.now(),
      redriveCount: 0,
      fence: this.journal.fence,
    };
  }

  /** The journal may hold a start of ours whose answer got lost: then it is not running yet. */
  private async alreadyThere(arn: string, input: string): Promise<ExecutionRecord> {
    const existing = await this.reader.whole(arn);
    if (!existing) throw new ApiError('ServiceUnavailable', 'another process has taken over');
    const { record } = existing;
    if (record.status !== 'RUNNING' || existing.input !== input)
      throw new ApiError('ExecutionAlreadyExists', `Execution Already Exists: '${arn}'`);
    if (!this.engine.find(arn) && record.fence === this.journal.fence) await this.engine.resume(record);
    return record;
  }

  private oneAtATime<T>(arn: string, act: () => Promise<T>): Promise<T> {
    const before = this.acting.get(arn) ?? Promise.resolve();
    const mine = before.then(act, act);
    this.acting.set(arn, mine);
    const done = () => void (this.acting.get(arn) === mine && this.acting.delete(arn));
    mine.then(done, done);
    return mine;
  }
}

function checkInput(input: string): void {
  if (Buffer.byteLength(input) > LARGEST_DATA)
    throw new ApiError('InvalidExecutionInput', `The input is over ${LARGEST_DATA} bytes.`);
  try {
    JSON.parse(input);
  } catch {
    throw new ApiError('InvalidExecutionInput', 'The input is not JSON.');
  }
}

export const summary = (record: ExecutionRecord) => ({
  executionArn: record.executionArn,
  stateMachineArn: machineArn(record.machine),
  name: record.name,
  status: record.status,
  startDate: record.startedAt / 1000,
  stopDate: record.stoppedAt && record.stoppedAt / 1000,
  redriveCount: record.redriveCount,
  redriveDate: record.redrivenAt && record.redrivenAt / 1000,
});
