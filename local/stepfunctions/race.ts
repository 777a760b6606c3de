/**
 * What comes first: the work's own end, an alarm, or the end of what it belongs to. Work that loses goes on unheard, as a
 * function does that outlives its task.
 */
export function raced<T>(
  signal: AbortSignal,
  work: Promise<T>,
  alarms: ((signal: AbortSignal) => Promise<Error>)[],
): Promise<T> {
  return new Promise((resolve, reject) => {
    const over = new AbortController();
    const end = () => {
      over.abort();
      signal.removeEventListener('abort', interrupt);
    };
    const fail = (error: Error) => {
      end();
      reject(error);
    };
    const interrupt = () => fail(signal.reason as Error);
    const finish = (value: T) => {
      end();
      resolve(value);
    };
    work.then(finish, fail);
    if (signal.aborted) return interrupt();
    signal.addEventListener('abort', interrupt, { once: true });
    for (const alarm of alarms) alarm(over.signal).then(fail, () => {}); // an alarm only rejects when it is over
  });
}
