/**
 * Does the work for each, one after the other. One that fails does not keep the others from theirs; the first failure is
 * thrown at the end, so that whoever asked knows that something is left.
 */
export async function eachApart<T>(items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) await work(item).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}
