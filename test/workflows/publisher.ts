import type { Events, PublishedEvent } from '../../domain/ports.ts';
import type { MachineName, StateMachines, TokenAnswer } from '../../workflows/stateMachines.ts';

/** A bus that takes what it is given, unless the test says otherwise; `told` is what its consumers saw. */
export function eventBus() {
  const told: PublishedEvent[] = [];
  const bus = {
    told,
    /** Entries that are not taken, while the call itself succeeds. */
    refuses: (_event: PublishedEvent): boolean => false,
    publish: ((events) =>
      Promise.resolve(
        events.map((event) => {
          if (bus.refuses(event)) return { failed: 'ThrottlingException' };
          told.push(event);
          return { providerMessageId: `bus-${told.length}` };
        }),
      )) satisfies Events['publish'],
    /** What the consumers saw of one aggregate, in order. */
    seqsOf: (aggregateId: string) => told.filter((event) => event.aggregateId === aggregateId).map(({ seq }) => seq),
  };
  return bus;
}

/** Step Functions that keep what was started under which name, and who waits for which token. */
export function machines() {
  const started = new Map<string, { machine: MachineName; input: string; running: boolean; redriveCount?: number }>();
  const answers: { token: string; answer: TokenAnswer }[] = [];
  const heartbeats: string[] = [];
  const live = new Set<string>();
  const port: StateMachines = {
    start: (machine, name, input) => {
      const known = started.get(name);
      if (known) return Promise.resolve(known.input === input ? 'same' : 'different');
      started.set(name, { machine, input, running: true });
      return Promise.resolve('started');
    },
    describe: (_machine, name) => {
      const known = started.get(name);
      const status = known?.running ? 'RUNNING' : 'FAILED';
      return Promise.resolve(known && { status, redriveCount: known.redriveCount ?? 0 });
    },
    redrive: (_machine, name) => {
      const known = started.get(name);
      if (!known || known.running) return Promise.resolve('refused');
      started.set(name, { ...known, running: true, redriveCount: (known.redriveCount ?? 0) + 1 });
      return Promise.resolve('redriven');
    },
    stop: (_machine, name) => {
      started.set(name, { ...started.get(name)!, running: false });
      return Promise.resolve();
    },
    isRunning: (_machine, name) => Promise.resolve(started.get(name)?.running === true),
    answer: (token, answer) => {
      if (!live.delete(token)) return Promise.resolve('stale');
      answers.push({ token, answer });
      return Promise.resolve('answered');
    },
    heartbeat: (token) => (heartbeats.push(token), Promise.resolve(live.has(token) ? 'alive' : 'stale')),
  };
  return { ...port, started, answers, heartbeats, live };
}
