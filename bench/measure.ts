export type Measured = { times: number[]; seconds: number };

export function percentile(times: readonly number[], p: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * p) / 100))]!;
}

export const rounded = (value: number) => Math.round(value * 1_000) / 1_000;

export const summary = ({ times, seconds }: Measured) => ({
  p50: rounded(percentile(times, 50)),
  p99: rounded(percentile(times, 99)),
  perSecond: rounded(times.length / seconds),
});
