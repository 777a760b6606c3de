import { setTimeout as pause } from 'node:timers/promises';

/** An answer of the API: `errors` are the protocol's, refusals are inside `data`. */
type Answer = { data?: Record<string, unknown>; errors?: { message: string; extensions?: Record<string, unknown> }[] };

export type Ask = (query: string, variables: Record<string, unknown>) => Promise<Record<string, unknown>>;

/** A time-out, a reset, or an error that says the same key may be sent again. */
const worthRepeating = (code: unknown) =>
  ['CONTENTION', 'OVERLOADED', 'UNAVAILABLE', 'OUTCOME_UNKNOWN'].includes(String(code));

const patienceMs = 120_000;
const attemptMs = 25_000;

/**
 * Speaks GraphQL as one person. Whatever is left open (no connection, no answer, an unknown outcome) is asked again with
 * the same variables, and therefore the same idempotency key, until it is known.
 */
export const asPerson =
  (url: string, token: string): Ask =>
  async (query, variables) => {
    const until = Date.now() + patienceMs;
    for (;;) {
      const answer = await post(url, token, query, variables).catch((error: Error) => error);
      const failure = answer instanceof Error ? answer.message : failureOf(answer);
      if (failure === undefined) return (answer as Answer).data!;
      const code = answer instanceof Error ? 'UNAVAILABLE' : answer.errors?.[0]?.extensions?.['code'];
      if (!worthRepeating(code) || Date.now() > until) throw new Error(`${failure} (${String(code)})`);
      await pause(250);
    }
  };

const failureOf = ({ data, errors = [] }: Answer) =>
  errors.length > 0 ? errors.map((error) => error.message).join('; ') : data ? undefined : 'an empty answer';

async function post(url: string, token: string, query: string, variables: Record<string, unknown>): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query, variables }),
    signal: AbortSignal.timeout(attemptMs),
  });
  const type = response.headers.get('content-type') ?? '';
  if (response.status === 503 && !type.includes('graphql')) throw new Error('the host is starting');
  return (await response.json()) as Answer;
}
