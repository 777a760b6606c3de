/**
 * Does the work for each, one after the other. One that fails does not keep the others from theirs; the first failure is
 * thrown at the end, so that whoever asked knows that something is left.
 */
export const eachApart = <T>(items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void> =>
  eachOfSeveral(items, 1, work);

/** The same, at most so many at a time: for work that mostly waits for somebody else. */
export async function eachOfSeveral<T>(
  items: Iterable<T>,
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  const rest = items[Symbol.iterator]();
  const worker = async () => {
    for (let next = rest.next(); !next.done; next = rest.next())
      await work(next.value).catch((error: unknown) => failures.push(error));
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  if (failures.length > 0) throw failures[0];
}
