import { machineArn } from './arn.ts';
import type { Clock } from './clock.ts';
import type { ExecutionRecord, Status } from './journal.ts';

/** The event as EventBridge delivers it. */
export type StatusChange = {
  detailType: 'Step Functions Execution Status Change';
  detail: {
    executionArn: string;
    stateMachineArn: string;
    name: string;
    status: Status;
    startDate: number;
    stopDate: number | null;
    input: string;
    inputDetails: { included: boolean };
    output: string | null;
    outputDetails: { included: boolean } | null;
    error: string | null;
    cause: string | null;
    redriveCount: number;
    redriveDate: number | null;
    redriveStatus: string;
    redriveStatusReason: string | null;
  };
};

export function statusChange(
  record: ExecutionRecord,
  input: string,
  output: string | undefined,
  now: number,
): StatusChange {
  const redrive = redriveStatus(record, now);
  return {
    detailType: 'Step Functions Execution Status Change',
    detail: {
      executionArn: record.executionArn,
      stateMachineArn: machineArn(record.machine),
      name: record.name,
      status: record.status,
      startDate: record.startedAt,
      stopDate: record.stoppedAt ?? null,
      input,
      inputDetails: { included: true },
      output: output ?? null,
      outputDetails: output === undefined ? null : { included: true },
      error: record.error ?? null,
      cause: record.cause ?? null,
      redriveCount: record.redriveCount,
      redriveDate: record.redrivenAt ?? null,
      redriveStatus: redrive.status,
      redriveStatusReason: redrive.reason ?? null,
    },
  };
}

const REDRIVABLE_FOR_MS = 14 * 24 * 3600 * 1000;
const MOST_REDRIVES = 1000;

export function redriveStatus(record: ExecutionRecord, now: number): { status: string; reason?: string } {
  const not = (reason: string) => ({ status: 'NOT_REDRIVABLE', reason });
  if (record.status === 'RUNNING') return not('Execution is RUNNING and cannot be redriven');
  if (record.status === 'SUCCEEDED') return not('Execution is SUCCEEDED and cannot be redriven');
  if (now - (record.stoppedAt ?? now) > REDRIVABLE_FOR_MS)
    return not('Execution has exceeded the 14 day redrivable period');
  if (record.redriveCount >= MOST_REDRIVES) return not('Execution has reached its redrive limit');
  return { status: 'REDRIVABLE' };
}

const LONGEST_PAUSE = 5 * 60_000;

/** Tells until it is heard; rejects only when this process lets go. */
export async function tell(listener: () => Promise<void>, clock: Clock, closing: AbortSignal): Promise<void> {
  for (let pause = 1000; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
    try {
      return await listener();
    } catch {
      await clock.sleepUntil(clock.now() + pause, closing);
    }
  }
}
