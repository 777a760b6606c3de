import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, DynamoDBBatchResponse } from 'aws-lambda';
import type { Context, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { signatureHeader } from '../gateways/registryCallback.ts';
import type { TenantId } from '../domain/ids.ts';
import type { PublishedEvent } from '../domain/ports.ts';
import { consumersOf, tellEach } from './consumers/consumers.ts';
import { deployed, registrySecret } from './deployed.ts';
import { receiveMailEvent, type MailEvent } from './mailEvents.ts';
import { publish } from './publish.ts';
import { beginReconciliation } from './reconciliation/begin.ts';
import { receiveCallback } from './registration/callback.ts';
import { pollRegistry } from './registration/poll.ts';
import { recordStatusChange, type StatusChange } from './statusChange.ts';
import { keyIn } from './stream.ts';
import { outboxGraceMs, sweep } from './sweep.ts';
import type { Task } from './task.ts';
import { tasks, type TaskName } from './tasks.ts';

/** One entry point per task: the task with its real dependencies. */
const task = (name: TaskName) => async (payload: Task) => tasks[name](payload, await deployed());

export const renderNotice = task('renderNotice');
export const checkDelivery = task('checkDelivery');
export const sendEmail = task('sendEmail');
export const settleDelivery = task('settleDelivery');
export const recordNoticeServed = task('recordNoticeServed');
export const recordNoticeUndeliverable = task('recordNoticeUndeliverable');
export const checkNotification = task('checkNotification');
export const sendNotification = task('sendNotification');
export const settleNotification = task('settleNotification');
export const prepareSubmission = task('prepareSubmission');
export const submitToRegistry = task('submitToRegistry');
export const askRegistry = task('askRegistry');
export const recordRegistration = task('recordRegistration');
export const recordRegistrationRefusal = task('recordRegistrationRefusal');
export const recordRegistrationUnknown = task('recordRegistrationUnknown');

export const lookAtShard = task('lookAtShard');
export const compareRegions = task('compareRegions');
export const lookAgain = task('lookAgain');
export const endFindings = task('endFindings');

/** At a quarter past four in the tenant's zone. */
export const reconciler = async ({ tenant }: { tenant: TenantId }) => beginReconciliation(await deployed(), tenant);

const records = new BatchProcessor(EventType.DynamoDBStreams);

/** The fast path: inserted outbox messages, as the stream brings them. */
export const publisher = async (event: DynamoDBStreamEvent, context: Context): Promise<DynamoDBBatchResponse> =>
  processPartialResponse(event, publishRecord, records, { context });

async function publishRecord(record: DynamoDBRecord): Promise<void> {
  const key = keyIn(record);
  if (key) await publish(await deployed(), [key]);
}

/** Every minute: what the stream did not bring, and what was left behind. */
export const sweeper = async () => sweep(await deployed(), outboxGraceMs);

/** Every five minutes: the submissions whose answer is owed. */
export const poller = async () => pollRegistry(await deployed());

/** An execution began, ended, or was taken up again. */
export const statusChange = async (event: StatusChange) => recordStatusChange((await deployed()).store, event);

/** SES has sent a mail of ours, or got it back: told again until it is taken in. */
export const mailEvents = async (event: MailEvent) => receiveMailEvent((await deployed()).store, event);

/** What the event bus tells: to every consumer, and again to all of them if one fails. */
export const consumer = async ({ detail }: { detail: PublishedEvent }) =>
  tellEach(consumersOf((await deployed()).store), detail);

/** POST /registry/callback. */
export async function registryCallback(event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> {
  const body = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8').toString('utf8');
  const { store } = await deployed();
  const statusCode = await receiveCallback(store, await registrySecret(), body, event.headers[signatureHeader]);
  return { statusCode };
}
