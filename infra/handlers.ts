import { Duration } from 'aws-cdk-lib';
import {
  answerTasks,
  changeItems,
  decrypt,
  destroyDocuments,
  describeExecutions,
  encrypt,
  keepTasksAlive,
  listDocumentVersions,
  listItems,
  noticeAbsentDocuments,
  publishEvents,
  readDocuments,
  readHistories,
  readItems,
  readSecret,
  scanItems,
  sendMail,
  startExecutions,
  steerExecutions,
  storeDocuments,
  type Permission,
} from './permissions.ts';

/** One deployed function: what it may do beyond writing its own log, how long it may take, and how much memory. */
export type Handler = { may: Permission[]; timeout: Duration; memoryMb: number };

const reads = [readItems, decrypt];
/** Commands, leases and the ledger. */
const changes = [...reads, changeItems, encrypt];
const lists = listItems('byStatus', 'byLead', 'pending');
const asksRegistry = readSecret('registry-api-key');

/** Ends before its state does, so that a task is over when the machine tries it again. */
const task = (may: Permission[], memoryMb = 512): Handler => ({ may, timeout: Duration.seconds(50), memoryMb });

/** The exports of workflows/lambda.ts that machines call. */
export const taskHandlers: Record<string, Handler> = {
  renderNotice: task([...changes, storeDocuments], 1024),
  checkDelivery: task(reads),
  sendEmail: task([...changes, readDocuments, sendMail]),
  settleDelivery: task(changes),
  recordNoticeServed: task(changes),
  recordNoticeUndeliverable: task(changes),
  checkNotification: task(reads),
  sendNotification: task([...changes, sendMail]),
  settleNotification: task(changes),
  prepareSubmission: task(reads),
  submitToRegistry: task([...changes, asksRegistry, answerTasks]),
  askRegistry: task([...changes, asksRegistry]),
  recordRegistration: task(changes),
  recordRegistrationRefusal: task(changes),
  recordRegistrationUnknown: task(changes),
  lookAtShard: task([...changes, lists, scanItems]),
  compareRegions: task([...changes, lists]),
  lookAgain: task([...changes, lists]),
  endFindings: task([...changes, lists]),
};

/** To tell what the outbox says: start, look at what was started before, steer, wake who waits, announce, destroy. */
const publishes = [
  ...[...changes, startExecutions, describeExecutions, steerExecutions, answerTasks, publishEvents],
  ...[listDocumentVersions, destroyDocuments],
];

/** The others: fed by the stream, and by the clock. */
export const publisher: Handler = { may: [...publishes, listItems()], timeout: Duration.seconds(60), memoryMb: 512 };
export const sweeper: Handler = {
  may: [...publishes, listItems('pending')],
  timeout: Duration.seconds(55), // a sweep ends before the next one begins
  memoryMb: 512,
};
export const poller: Handler = {
  may: [...changes, listItems('pending'), asksRegistry, keepTasksAlive],
  timeout: Duration.minutes(4),
  memoryMb: 512,
};

/** Told by event buses, and told again until they have heard. */
export const statusChange: Handler = { may: changes, timeout: Duration.seconds(20), memoryMb: 512 };
export const mailEvents: Handler = { may: changes, timeout: Duration.seconds(20), memoryMb: 512 };
/** Called by the schedule of each tenant: begins the night's pass, which is named after the tenant and its day. */
export const reconciler: Handler = {
  may: [...reads, startExecutions, describeExecutions],
  timeout: Duration.seconds(20),
  memoryMb: 512,
};
export const consumer: Handler = { may: changes, timeout: Duration.seconds(20), memoryMb: 512 };

/** Behind the HTTP API, which waits no longer than thirty seconds. */
export const registryCallback: Handler = {
  may: [...changes, readSecret('registry-callback')],
  timeout: Duration.seconds(20),
  memoryMb: 512,
};
export const api: Handler = {
  may: [
    ...[...changes, listItems('byStatus', 'byLead', 'byRegion', 'pending'), readHistories, readSecret('cursor-key')],
    // Never used by the function itself but to look at a checksum: a signed link has the rights of who signed it.
    ...[storeDocuments, readDocuments, noticeAbsentDocuments],
  ],
  timeout: Duration.seconds(25),
  memoryMb: 1024,
};
