import { GetExecutionHistoryCommand, type HistoryEvent, type SFNClient } from '@aws-sdk/client-sfn';
import type { ExecutionEvent, Executions } from '../domain/ports.ts';

/**
 * Histories over the real service or the embedded one; `arnOf` names the machine (through an alias where deployed). What
 * passes through an execution is not asked for: who reads histories sees how it went, not what it was about.
 */
export const executionHistory = (client: SFNClient, arnOf: (machine: string) => string): Executions => ({
  async history({ machine, name }, { limit, after }) {
    const asked = {
      executionArn: executionArnOf(arnOf(machine), name),
      maxResults: limit,
      includeExecutionData: false,
    };
    try {
      const { events = [], nextToken } = await client.send(
        new GetExecutionHistoryCommand({ ...asked, ...(after !== undefined && { nextToken: after }) }),
      );
      return { events: events.map(eventOf), ...(nextToken && { next: nextToken }) };
    } catch (error) {
      if ((error as Error).name === 'ExecutionDoesNotExist') return undefined; // the service forgets after 90 days
      throw error;
    }
  },
});

function eventOf({ id, previousEventId, timestamp, type, ...details }: HistoryEvent): ExecutionEvent {
  const state = details.stateEnteredEventDetails?.name ?? details.stateExitedEventDetails?.name;
  return {
    id: id!,
    previousId: previousEventId ?? 0,
    at: timestamp!.toISOString(),
    type: type!,
    ...(state !== undefined && { state }),
  };
}

/** The ARN of an execution of a machine, or of a machine named through an alias or version. */
export function executionArnOf(stateMachineArn: string, name: string): string {
  const parts = stateMachineArn.split(':');
  return [...parts.slice(0, 5), 'execution', parts[6], name].join(':');
}
