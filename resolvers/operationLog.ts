import type { ApolloServerPlugin } from '@apollo/server';
import type { Context } from './context.ts';
import type { Log } from './masking.ts';

/** One structured line per operation: what, how long, how it ended; no variables, no values, no persons. */
export const operationLog = (log: Log, now: () => number): ApolloServerPlugin<Context> => ({
  requestDidStart: ({ contextValue }) => {
    const started = now();
    return Promise.resolve({
      willSendResponse: ({ operation, operationName, response: { body } }) => {
        const errors = body.kind === 'single' ? (body.singleResult.errors ?? []) : [];
        const told = (name: string) => errors.map((error) => error.extensions?.[name]).filter(Boolean);
        log({
          graphql: operation?.operation ?? 'none',
          operationName: operationName?.slice(0, 100) ?? null,
          tenant: contextValue.tenant,
          correlationId: contextValue.correlationId,
          durationMs: now() - started,
          dynamoDbCalls: contextValue.tally.calls,
          ...(errors.length > 0 && { codes: [...new Set(told('code'))], errorIds: told('errorId') }),
        });
        return Promise.resolve();
      },
    });
  },
});
