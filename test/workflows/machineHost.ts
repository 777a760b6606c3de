import { DescribeExecutionCommand, GetExecutionHistoryCommand, SFNClient } from '@aws-sdk/client-sfn';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Mailer, Registry } from '../../domain/ports.ts';
import { executionHistory } from '../../gateways/executionHistory.ts';
import { createMachines } from '../../local/machines.ts';
import { executionArn } from '../../local/stepfunctions/arn.ts';
import { movableClock, type Clock } from '../../local/stepfunctions/clock.ts';
import { startStepFunctions } from '../../local/stepfunctions/start.ts';
import { pollRegistry } from '../../workflows/registration/poll.ts';
import { stateMachinesOf, type MachineName, type StateMachines } from '../../workflows/stateMachines.ts';
import { recordStatusChange } from '../../workflows/statusChange.ts';
import { sweep } from '../../workflows/sweep.ts';
import type { Deps, Task } from '../../workflows/task.ts';
import { tasks, type TaskName } from '../../workflows/tasks.ts';
import { fakeDocuments, fakeMailer, office } from './parties.ts';
import { eventBus } from './publisher.ts';
import type { Stage } from './stage.ts';

export type MachineHost = Awaited<ReturnType<typeof startMachines>>;
/** One execution, as it went: how it ended and the states it entered. */
export type Execution = { status: string; states: string[] };
type Plan = {
  /** Whether the poller runs. */
  polls?: boolean;
  /** What happens so many milliseconds later. */
  later?: [number, () => Promise<unknown>][];
};

/** Plain mails go to officers beside everything else; a mailer of their own, so that tests of notices need not count them. */
type Parties = { registry?: Registry; mailer?: Mailer; plainMailer?: Mailer };
const plainMail: readonly TaskName[] = ['checkNotification', 'sendNotification', 'settleNotification'];

/** The poller comes every five minutes; for a heartbeat of an hour, half an hour does as well. */
const halfAnHour = 30 * 60_000;

/** The machines on the embedded Step Functions, on a clock that jumps from one thing that is due to the next. */
export async function startMachines(stage: Stage) {
  const observedClock = observed(movableClock(stage.clock.now()));
  const { clock } = observedClock;
  const store = {
    ...stage.store,
    now: () => clock.now(),
    monotonic: () => clock.now(),
    sleep: () => Promise.resolve(),
  };
  let atWork = 0;
  let plainMailer: Mailer = fakeMailer();
  const call = (name: TaskName) => async (payload: unknown) => {
    atWork++;
    const mailer = plainMail.includes(name) ? plainMailer : deps.mailer;
    return tasks[name](payload as Task, { ...deps, mailer }).finally(() => atWork--);
  };
  const running = new Set<string>();
  const stepFunctions = await startStepFunctions({
    dynamodb: stage.world.clients.reader,
    table: `stepfunctions-${randomUUID()}`,
    functions: Object.fromEntries((Object.keys(tasks) as TaskName[]).map((name) => [name, call(name)])),
    clock,
    random: () => 1,
    exclusive: true,
    onStatusChange: async (change) => {
      const { executionArn: arn, status } = change.detail;
      if (status === 'RUNNING') running.add(arn); // redriven, too
      await recordStatusChange(store, change);
      if (status !== 'RUNNING') running.delete(arn);
    },
  });
  const sfn = new SFNClient({
    endpoint: stepFunctions.endpoint,
    region: 'local',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const started: { machine: string; arn: string }[] = [];
  const arnOf = await createMachines(sfn);
  const port = stateMachinesOf(sfn, arnOf);
  const stateMachines: StateMachines = {
    ...port,
    start: async (machine, name, input) => {
      const arn = executionArn(machine, name);
      if (!started.some((one) => one.arn === arn)) running.add(arn); // until its end is announced
      const answer = await port.start(machine, name, input);
      if (answer === 'started') started.push({ machine, arn });
      else if (!started.some((one) => one.arn === arn)) running.delete(arn);
      return answer;
    },
  };
  const deps = { store, documents: fakeDocuments(), stateMachines, office } as unknown as Deps;
  const publisher = { store, stateMachines, documents: fakeDocuments(), events: eventBus() };

  /** Nothing is at work, and whoever runs waits for something. */
  const idle = async () => {
    for (
      let quiet = 0;
      quiet < 4 && running.size > 0;
      quiet = atWork === 0 && observedClock.sleepers() > 0 ? quiet + 1 : 0
    )
      await pause(4);
  };
  const advance = async (until: number) => {
    clock.moveBy(Math.max(0, Math.min(observedClock.nextAt(), until, clock.now() + 48 * 3_600_000) - clock.now()));
    await idle();
  };

  return {
    store,
    clock,
    deps,
    publisher,
    executions: executionHistory(sfn, arnOf),
    /** The clock of the stage, on which people act, follows this one, and the other way round. */
    together: () => {
      stage.clock.move(Math.max(0, clock.now() - stage.clock.now()));
      clock.moveBy(Math.max(0, stage.clock.now() - clock.now()));
    },
    /** Carries out what waits, with sweep and poller, until every execution has ended; answers how the machine's went. */
    async carryOut(
      machine: MachineName,
      { plainMailer: carriesPlainMail = fakeMailer(), ...parties }: Parties,
      { polls = true, later = [] }: Plan = {},
    ) {
      Object.assign(deps, parties);
      plainMailer = carriesPlainMail;
      started.length = 0;
      const events = later.map(([ms, act]) => ({ at: clock.now() + ms, act }));
      let news = true; // something may wait to be published
      for (let jumps = 0; jumps < 400; jumps++) {
        while (events[0] && events[0].at <= clock.now()) {
          await events.shift()!.act();
          news = true;
        }
        if (polls && running.size > 0) await pollRegistry(deps);
        if (news || polls) await sweep(publisher, -1);
        news = running.size > 0;
        await idle();
        if (events.length === 0 && running.size === 0 && !news)
          return historiesOf(
            sfn,
            started.filter((one) => one.machine === machine),
          );
        await advance(Math.min(events[0]?.at ?? Infinity, polls ? clock.now() + halfAnHour : Infinity));
      }
      throw new Error('it never ended');
    },
    stop: () => stepFunctions.close(),
  };
}

async function historiesOf(sfn: SFNClient, started: { arn: string }[]): Promise<Execution[]> {
  return Promise.all(
    started.map(async ({ arn }) => {
      const { status } = await sfn.send(new DescribeExecutionCommand({ executionArn: arn }));
      const { events = [] } = await sfn.send(new GetExecutionHistoryCommand({ executionArn: arn, maxResults: 1000 }));
      const states = events.flatMap(({ stateEnteredEventDetails }) => stateEnteredEventDetails?.name ?? []);
      return { status: status!, states };
    }),
  );
}

/** The clock, who sleeps on it, and when the next one is due. */
function observed(clock: ReturnType<typeof movableClock>) {
  const due = new Map<symbol, number>();
  const sleepUntil: Clock['sleepUntil'] = (at, signal) => {
    const sleeper = Symbol('sleeper');
    due.set(sleeper, at);
    return clock.sleepUntil(at, signal).finally(() => due.delete(sleeper));
  };
  return { clock: { ...clock, sleepUntil }, sleepers: () => due.size, nextAt: () => Math.min(...due.values()) };
}
