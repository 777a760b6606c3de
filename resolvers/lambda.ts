import { HeaderMap } from '@apollo/server';
import { handlers, startServerAndCreateLambdaHandler } from '@as-integrations/aws-lambda';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context as LambdaContext } from 'aws-lambda';
import { complete } from './http.ts';
import type { HttpAnswer } from './masking.ts';
import { bodyOf } from './requestBody.ts';
import type { Api } from './server.ts';

export type LambdaHandler = (
  event: APIGatewayProxyEventV2,
  context: LambdaContext,
) => Promise<APIGatewayProxyStructuredResultV2>;

/** What is left for the answer's own way home. */
const reservedMs = 500;

/**
 * The handler behind API Gateway (payload 2.0; CORS is the gateway's). Every failure is a masked GraphQL answer. An
 * instance that cannot start ends by `exit`, so that the next request finds another and not the same failure for ever.
 */
export function lambdaHandler(api: Api, exit: (code: number) => void): LambdaHandler {
  api.server.addPlugin({
    startupDidFail: () => {
      exit(1);
      return Promise.resolve();
    },
  });
  const handler = startServerAndCreateLambdaHandler(api.server, requestHandler(api), {
    context: ({ event, context }) =>
      api.context({
        header: (name) => event.headers[name],
        remainingMs: context.getRemainingTimeInMillis() - reservedMs,
      }),
  });
  return async (event, context) =>
    (await handler(event, context, () => undefined)) as APIGatewayProxyStructuredResultV2;
}

const requestHandler = (api: Api) =>
  handlers.createRequestHandler<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2>(
    {
      parseHttpMethod: ({ requestContext }) => requestContext.http.method,
      parseHeaders: ({ headers }) => {
        const map = new HeaderMap();
        for (const [name, value] of Object.entries(headers)) map.set(name, value ?? '');
        return map;
      },
      parseBody: ({ body = '', isBase64Encoded }, headers) =>
        bodyOf(Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'), headers.get('content-type')) as string,
      parseQueryParams: ({ rawQueryString }) => rawQueryString,
    },
    {
      success: (response) =>
        resultOf({ status: response.status ?? 200, headers: response.headers, body: complete(response) }),
      error: (error) => resultOf(api.failure(error)),
    },
  );

const resultOf = ({ status, headers, body }: HttpAnswer): APIGatewayProxyStructuredResultV2 => ({
  statusCode: status,
  headers: { ...Object.fromEntries(headers), 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' },
  body,
});
