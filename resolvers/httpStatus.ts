import type { ApolloServerPlugin } from '@apollo/server';
import type { Context } from './context.ts';

/** What was wrong with the document or its variables, as opposed to the HTTP request around it. */
const ofTheDocument = [
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'BAD_USER_INPUT',
  'OPERATION_RESOLUTION_FAILURE',
  'TOO_COSTLY',
];

/**
 * GraphQL over HTTP: to a client that asks for `application/graphql-response+json` a refused document is a 400; to one
 * that knows `application/json` only, every well-formed GraphQL answer is a 200. And nothing here is for a cache.
 */
export const httpStatus = (): ApolloServerPlugin<Context> => ({
  requestDidStart: () =>
    Promise.resolve({
      willSendResponse: ({ request, response: { http, body }, contextValue }) => {
        http.headers.set('cache-control', 'no-store');
        http.headers.set('x-correlation-id', contextValue.correlationId);
        const codes = body.kind === 'single' ? (body.singleResult.errors ?? []).map((e) => e.extensions?.['code']) : [];
        const modern = request.http?.headers.get('accept')?.includes('application/graphql-response+json');
        if (!modern && http.status === 400 && codes.every((code) => ofTheDocument.includes(code as string)))
          http.status = 200;
        return Promise.resolve();
      },
    }),
});
