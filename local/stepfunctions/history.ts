/** An event as the journal holds it; `previous` is the one it followed from, in its own branch. */
export type HistoryEvent = {
  id: number;
  previous: number;
  at: number;
  type: string;
  details?: Record<string, unknown>;
};

/** AWS ends an execution that would need more. */
export const MOST_EVENTS = 25_000;

/** The event as GetExecutionHistory answers it: the details in a field named after the type. */
export function asAwsEvent(event: HistoryEvent, withData: boolean): Record<string, unknown> {
  const { id, previous, at, type, details } = event;
  const shaped = { id, previousEventId: previous, timestamp: at / 1000, type };
  return details === undefined ? shaped : { ...shaped, [detailsField(type)]: asAwsDetails(details, withData) };
}

function detailsField(type: string): string {
  if (type.endsWith('StateEntered')) return 'stateEnteredEventDetails';
  if (type.endsWith('StateExited')) return 'stateExitedEventDetails';
  return `${type.charAt(0).toLowerCase()}${type.slice(1)}EventDetails`;
}

const DATA = ['input', 'output', 'parameters', 'error', 'cause'];

function asAwsDetails(details: Record<string, unknown>, withData: boolean): Record<string, unknown> {
  if (!withData) return Object.fromEntries(Object.entries(details).filter(([field]) => !DATA.includes(field)));
  return {
    ...details,
    ...('input' in details && { inputDetails: { truncated: false } }),
    ...('output' in details && { outputDetails: { truncated: false } }),
  };
}
