/** The names of commands.md §8; alarms and dashboards use them. */
export type Metric =
  | 'command.success.count'
  | 'command.conflict.count'
  | 'command.idempotency.hit.count'
  | 'command.idempotency.reuse_mismatch.count'
  | 'command.transaction_conflict.count'
  | 'command.throttled.count'
  | 'command.retry.count'
  | 'command.ambiguous_timeout.count'
  | 'command.invariant_breach.count';

/** Counts one occurrence; each host fulfils it in its own way. */
export type Count = (metric: Metric) => void;

/** On Lambda: CloudWatch reads the figure out of the log line (embedded metric format). */
export const inLogLines =
  (write: (line: string) => void, now: () => number): Count =>
  (metric) =>
    write(
      JSON.stringify({
        _aws: {
          Timestamp: now(),
          CloudWatchMetrics: [{ Namespace: 'Docket', Dimensions: [[]], Metrics: [{ Name: metric, Unit: 'Count' }] }],
        },
        [metric]: 1,
      }),
    );

/** On one machine: figures that are asked for. */
export function inMemory(): { count: Count; figures: () => Partial<Record<Metric, number>> } {
  const figures: Partial<Record<Metric, number>> = {};
  return {
    count: (metric) => void (figures[metric] = (figures[metric] ?? 0) + 1),
    figures: () => ({ ...figures }),
  };
}
