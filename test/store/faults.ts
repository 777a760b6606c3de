import { TransactionCanceledException, type CancellationReason, type DynamoDBClient } from '@aws-sdk/client-dynamodb';

/**
 * What may become of one request to the database. drop: it never arrives. lose: it is applied and its answer is lost.
 * late: it is applied only when the test lets it, after everybody has given up on it. Otherwise an answer of its own.
 */
export type Fault = 'pass' | 'drop' | 'lose' | { late: Promise<void> } | { answer: Error };

export type Faults = {
  /** For each request of the client in turn, and `pass` after the last; or decided by what is asked. */
  next: Fault[] | ((command: string, input: object) => Fault | undefined | Promise<Fault | undefined>);
  /** The commands that were sent since the last reset, by name. */
  sent: string[];
};

/** Stands between the SDK's client and the engine: every attempt of the client meets it. */
export function faultsBefore(client: DynamoDBClient): Faults {
  const faults: Faults = { next: [], sent: [] };
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const command = context.commandName as string;
      faults.sent.push(command);
      const fault = Array.isArray(faults.next) ? faults.next.shift() : await faults.next(command, args.input);
      if (fault === undefined || fault === 'pass') return next(args);
      if (fault === 'drop') throw answerLost();
      if (fault === 'lose') {
        await next(args).catch(() => undefined); // whatever the answer was, nobody hears it
        throw answerLost();
      }
      if ('answer' in fault) throw fault.answer;
      void fault.late.then(() => next(args)).catch(() => undefined);
      throw answerLost();
    },
    { name: 'faults', step: 'finalizeRequest', priority: 'low' },
  );
  return faults;
}

export const answerLost = () => Object.assign(new Error('no answer in time'), { name: 'TimeoutError' });

export const cancelled = (...CancellationReasons: CancellationReason[]) =>
  new TransactionCanceledException({ message: 'cancelled', CancellationReasons, $metadata: { httpStatusCode: 400 } });

/** An exception as the service sends it. */
export const answered = (name: string, httpStatusCode: number) =>
  Object.assign(new Error(name), { name, $metadata: { httpStatusCode } });
