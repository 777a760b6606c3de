import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { policy } from './attempts.ts';

export type Clients = { writer: DynamoDBClient; reader: DynamoDBClient };

/**
 * The two clients of dynamoTable. Where they point (region, credentials, endpoint) is the SDK's own standard
 * configuration, unless a host on one machine names its engine.
 */
export function connect(endpoint?: string): Clients {
  const common = {
    ...(endpoint && { endpoint, region: 'local', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } }),
    requestHandler: new NodeHttpHandler({
      requestTimeout: policy.attempt,
      throwOnRequestTimeout: true, // without it the SDK only warns and waits on
      connectionTimeout: policy.attempt,
      httpAgent: new HttpAgent({ keepAlive: true, maxSockets: 64 }),
      httpsAgent: new HttpsAgent({ keepAlive: true, maxSockets: 64 }),
    }),
  };
  return {
    writer: new DynamoDBClient({ ...common, maxAttempts: 1 }),
    reader: new DynamoDBClient({ ...common, maxAttempts: 3 }),
  };
}
