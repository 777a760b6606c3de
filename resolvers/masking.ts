import { randomUUID } from 'node:crypto';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { Busy, OutcomeUnknown, type BusyReason } from '../domain/answer.ts';
import { NotRead } from './reads.ts';

/** The codes a client may see at the top level; what carries none of them is our own trouble and comes out masked. */
export const publicCodes = [
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'OPERATION_RESOLUTION_FAILURE',
  'PERSISTED_QUERY_NOT_SUPPORTED',
  'BAD_USER_INPUT',
  'BAD_REQUEST',
  'PAYLOAD_TOO_LARGE',
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'BAD_CURSOR',
  'TOO_COSTLY',
  'CONTENTION',
  'OVERLOADED',
  'UNAVAILABLE',
  'OUTCOME_UNKNOWN',
] as const;

export type Log = (line: Record<string, unknown>) => void;
export type FormatError = (formatted: GraphQLFormattedError, error: unknown) => GraphQLFormattedError;

/** Every error on its way out passes here: of resolvers, of the context, of parsing, of the server itself. */
export const masked =
  (log: Log): FormatError =>
  (formatted, error) => {
    const cause = causeOf(error);
    const told = toldAs(cause);
    const where = {
      ...(formatted.path && { path: formatted.path }),
      ...(formatted.locations && { locations: formatted.locations }),
    };
    if (told) return { ...told, ...where };
    if (isPublic(formatted.extensions?.['code'])) return { ...trimmed(formatted), ...where };

    const errorId = randomUUID();
    log({ error: nameOf(cause), errorId, ...traceOf(cause) });
    return {
      message: 'Something went wrong on our side.',
      ...where,
      extensions: { code: 'INTERNAL', errorId, retryable: false },
    };
  };

/** What was thrown by us, inside what the server made of it: in a resolver, or before there was one. */
const causeOf = (error: unknown): unknown =>
  error instanceof GraphQLError && error.originalError ? error.originalError : error;

/** What is thrown and told: not done, try again; not read, ask again; and ask before you try again. */
function toldAs(cause: unknown): GraphQLFormattedError | undefined {
  if (cause instanceof Busy) return tryAgain('Nothing was done; send the same again.', cause.reason);
  if (cause instanceof NotRead) return tryAgain('It could not be read; ask for it again.', cause.reason);
  if (cause instanceof OutcomeUnknown)
    return {
      message: 'It may have been done. Send the same again with the same key, or ask commandRun.',
      extensions: { code: 'OUTCOME_UNKNOWN', retryable: true, retryAfterMs: 5_000 },
    };
  return undefined;
}

const tryAgain = (message: string, reason: BusyReason): GraphQLFormattedError => {
  const { code, retryAfterMs } = busy[reason];
  return { message, extensions: { code, retryable: true, retryAfterMs } };
};

const busy: Record<BusyReason, { code: string; retryAfterMs: number }> = {
  CONTENTION: { code: 'CONTENTION', retryAfterMs: 100 },
  OVERLOADED: { code: 'OVERLOADED', retryAfterMs: 1_000 },
  UNAVAILABLE: { code: 'UNAVAILABLE', retryAfterMs: 1_000 },
  NOT_YET: { code: 'CONTENTION', retryAfterMs: 1_000 },
};

const isPublic = (code: unknown) => publicCodes.some((known) => known === code);

/** Only what the contract names, and no hints at parts of the schema that the sender did not spell. */
function trimmed({ message, extensions }: GraphQLFormattedError): GraphQLFormattedError {
  const { code, retryable, retryAfterMs } = extensions ?? {};
  return {
    message: message.replace(/ ?Did you mean [^?]*\?/g, ''),
    extensions: {
      code,
      ...(retryable !== undefined && { retryable }),
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    },
  };
}

const nameOf = (cause: unknown) => (cause instanceof Error ? cause.name : typeof cause);

// Messages of these say what is wrong with our code; those of others may quote what somebody sent or stored.
const harmless = ['TypeError', 'RangeError', 'ReferenceError', 'InvariantBreach'];

function traceOf(cause: unknown): Record<string, unknown> {
  if (!(cause instanceof Error)) return {};
  const frames = (cause.stack ?? '').split('\n').filter((text) => text.startsWith('    at '));
  return {
    ...(harmless.includes(cause.name) && { message: cause.message }),
    at: frames.slice(0, 6).map((text) => text.trim()),
    ...(cause.cause instanceof Error && { cause: cause.cause.name }),
  };
}

/** An error that comes before the server sees a request: of the body, of the host. */
export const badRequest = (message: string) => problem(message, 'BAD_REQUEST', 400);
export const tooLarge = (limit: number) => problem(`The body is larger than ${limit} bytes.`, 'PAYLOAD_TOO_LARGE', 413);

const problem = (message: string, code: string, status: number) =>
  new GraphQLError(message, { extensions: { code, http: { status } } });

/** What a host answers with when there is no answer of the server's. */
export type HttpAnswer = { status: number; headers: Map<string, string>; body: string };

/** Any failure outside the server, in the shape and with the masks of its own errors. */
export function failure(format: FormatError, error: unknown): HttpAnswer {
  const known = error instanceof GraphQLError ? error : new GraphQLError('', { originalError: asError(error) });
  const { http } = known.extensions as { http?: { status?: number; headers?: Map<string, string> } };
  return {
    status: http?.status ?? 500,
    headers: new Map([...(http?.headers ?? []), ['content-type', 'application/json; charset=utf-8']]),
    body: JSON.stringify({ errors: [format(known.toJSON(), known)] }) + '\n',
  };
}

const asError = (error: unknown) => (error instanceof Error ? error : new Error(typeof error));
