import { ApolloServer } from '@apollo/server';
import { ApolloServerPluginCacheControlDisabled } from '@apollo/server/plugin/disabled';
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import type { Executions } from '../domain/ports.ts';
import type { Store } from '../store/store.ts';
import { saidOnce } from './answerSize.ts';
import { authenticator, type Issuer } from './authenticate.ts';
import { contextOf, correlationIdOf, type Context, type DocumentLinks, type RequestHead } from './context.ts';
import { costLimit } from './cost.ts';
import { httpStatus } from './httpStatus.ts';
import type { KeySetFetcher } from './keySet.ts';
import { limitRules, limits } from './limits.ts';
import { failure, masked, type HttpAnswer } from './masking.ts';
import { operationLog } from './operationLog.ts';
import { executableSchema } from './schema.ts';

export type ApiOptions = {
  store: Store;
  issuer: Issuer;
  /** 32 secret bytes, the same in every instance: a page begun at one goes on at another. */
  cursorKey: Uint8Array;
  /** Read only; nothing of a history is known without it. */
  executions?: Executions;
  documents: DocumentLinks;
  /** Introspection is open in development only. */
  development: boolean;
  /** Where the issuer's keys come from, when not from its `jwksUri`: a host that is its own issuer has them at hand. */
  keySet?: KeySetFetcher;
};

/** The API as both hosts run it; they differ only in how a request comes in and its answer goes out. */
export type Api = {
  server: ApolloServer<Context>;
  context: (head: RequestHead) => Promise<Context>;
  /** The answer to a request that never reached the server. */
  failure: (error: unknown) => HttpAnswer;
};

/** Not started yet: http.ts and lambda.ts each do that in their own way. */
export function createApi({ store, issuer, cursorKey, executions, documents, development, keySet }: ApiOptions): Api {
  const format = masked(store.log);
  const parts = {
    ...{ store, authenticate: authenticator(issuer, keySet), cursorKey, documents },
    executions: executions ?? noHistory,
  };

  const server = new ApolloServer<Context>({
    schema: executableSchema(),
    nodeEnv: 'production', // the strict defaults, whatever the process says of itself
    introspection: development,
    hideSchemaDetailsFromClientErrors: true,
    includeStacktraceInErrorResponses: false,
    csrfPrevention: true,
    allowBatchedHttpRequests: false,
    persistedQueries: false,
    stopOnTerminationSignals: false, // the host decides when it ends
    parseOptions: { maxTokens: limits.tokens },
    validationRules: limitRules,
    formatError: format,
    logger: quiet(store.log),
    plugins: [
      ApolloServerPluginLandingPageDisabled(),
      ApolloServerPluginCacheControlDisabled(),
      httpStatus(),
      costLimit(),
      saidOnce(),
      operationLog(store.log, store.now),
    ],
  });

  return {
    server,
    context: async (head) => {
      const correlationId = correlationIdOf(head);
      return contextOf(parts, head, correlationId).catch((error: unknown) => {
        store.log({ request: 'refused', code: codeOf(error), correlationId });
        throw error;
      });
    },
    failure: (error) => failure(format, error),
  };
}

const noHistory: Executions = { history: () => Promise.resolve(undefined) };

const codeOf = (error: unknown) =>
  error instanceof Error && 'extensions' in error ? (error.extensions as { code?: string }).code : 'INTERNAL';

/** The server's own words may quote a request; that it had some, and of what kind, is enough. */
const quiet = (log: Store['log']) => ({
  debug: () => undefined,
  info: () => undefined,
  warn: () => log({ server: 'warned' }),
  error: () => log({ server: 'failed' }),
});
