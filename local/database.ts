import { startDynamoDb } from './dynamodb.ts';

/**
 * The embedded engine; or, where the SDK's own variable names an endpoint, whatever answers there (another DynamoDB
 * engine, or the service itself).
 */
export async function startDatabase(
  file: string | undefined,
  onLost: () => void,
): Promise<{ endpoint: string | undefined; stop: () => Promise<void> }> {
  if (process.env['AWS_ENDPOINT_URL_DYNAMODB']) return { endpoint: undefined, stop: () => Promise.resolve() };
  return startDynamoDb({ ...(file && { file }), onExit: onLost });
}
