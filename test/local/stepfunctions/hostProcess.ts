// A host in a process of its own, for tests that kill it: `hostProcess.ts <dynamodb endpoint> <table>`.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { systemClock } from '../../../local/stepfunctions/clock.ts';
import type { TaskFunction } from '../../../local/stepfunctions/run.ts';
import { startStepFunctions } from '../../../local/stepfunctions/start.ts';

const [endpoint, table] = process.argv.slice(2) as [string, string];
const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);
const answered =
  (name: string): TaskFunction =>
  (payload, { executionArn }) => {
    say({ called: name, payload, execution: executionArn });
    return Promise.resolve(name);
  };

const running = await startStepFunctions({
  dynamodb: new DynamoDBClient({
    endpoint,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'embedded', secretAccessKey: 'embedded' },
  }),
  table,
  functions: {
    first: answered('first'),
    submit: answered('submit'),
    hangs: (payload) => {
      say({ called: 'hangs', payload });
      return new Promise(() => {});
    },
  },
  clock: systemClock,
  random: Math.random,
  exclusive: true,
});
say({ endpoint: running.endpoint });
