import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { machineNames, type MachineName } from './definitions.ts';
import { liveAlias, type Arns, type SecretName } from './names.ts';
import type { Settings } from './settings.ts';

/** What a permission is about. */
export type Ground = { arns: Arns; keyArn: string; settings: Settings };

/** One thing a function may do, in the words of the design; each is one statement on named resources. */
export type Permission = (ground: Ground) => PolicyStatement;

const allow = (actions: string[], ...resources: string[]) => new PolicyStatement({ actions, resources });

export const readItems: Permission = ({ arns }) => allow(['dynamodb:BatchGetItem'], arns.table);

/** Transactions are allowed by what they contain. */
export const changeItems: Permission = ({ arns }) =>
  allow(['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem', 'dynamodb:ConditionCheckItem'], arns.table);

/** Everything there is: for reconciliation, which must find what no index finds. */
export const scanItems: Permission = ({ arns }) => allow(['dynamodb:Scan'], arns.table);

export const listItems =
  (...indexes: string[]): Permission =>
  ({ arns }) =>
    allow(['dynamodb:Query'], arns.table, ...indexes.map((index) => arns.index(index)));

/** Of the key that table, documents and secrets are encrypted with. */
export const decrypt: Permission = ({ keyArn }) => allow(['kms:Decrypt', 'kms:DescribeKey'], keyArn);
export const encrypt: Permission = ({ keyArn }) =>
  allow(['kms:Encrypt', 'kms:GenerateDataKey', 'kms:ReEncryptFrom', 'kms:ReEncryptTo'], keyArn);

export const storeDocuments: Permission = ({ arns }) => allow(['s3:PutObject'], arns.documents);
export const readDocuments: Permission = ({ arns }) => allow(['s3:GetObject'], arns.documents);
/** With every version; and to see which there are, which is a right on the bucket. */
export const destroyDocuments: Permission = ({ arns }) =>
  allow(['s3:DeleteObject', 's3:DeleteObjectVersion'], arns.documents);
/** Who may not list is told FORBIDDEN of what is absent. */
export const noticeAbsentDocuments: Permission = ({ arns }) => allow(['s3:ListBucket'], arns.bucket);
export const listDocumentVersions: Permission = ({ arns }) => allow(['s3:ListBucketVersions'], arns.bucket);

/** Raw mails are a right of their own. Whether SES knows the address or its domain is the account's choice. */
export const sendMail: Permission = ({ arns, settings: { mailFrom } }) =>
  new PolicyStatement({
    actions: ['ses:SendEmail', 'ses:SendRawEmail'],
    resources: [arns.configurationSet, arns.identity(mailFrom), arns.identity(mailFrom.split('@')[1]!)],
    conditions: { StringEquals: { 'ses:FromAddress': mailFrom } },
  });

export const publishEvents: Permission = ({ arns }) => allow(['events:PutEvents'], arns.bus);

/** A right on an alias is given on its machine, and narrowed by the qualifier. */
export const startExecutions: Permission = ({ arns }) =>
  new PolicyStatement({
    actions: ['states:StartExecution'],
    resources: machineNames.map((machine) => arns.machine(machine)),
    conditions: { StringEquals: { 'states:StateMachineQualifier': liveAlias } },
  });

export const describeExecutions: Permission = ({ arns }) =>
  allow(['states:DescribeExecution'], ...machineNames.map((machine) => arns.executions(machine)));

/** What operators ask for: on executions, since these rights know no alias. */
export const steerExecutions: Permission = ({ arns }) =>
  allow(
    ['states:RedriveExecution', 'states:StopExecution'],
    ...machineNames.map((machine) => arns.executions(machine)),
  );
export const readHistories: Permission = ({ arns }) =>
  allow(['states:GetExecutionHistory'], ...machineNames.map((machine) => arns.executions(machine)));

/** To end the wait of a task that has given its token away; only this machine waits. */
const waiting: MachineName = 'registration';
export const answerTasks: Permission = ({ arns }) =>
  allow(['states:SendTaskSuccess', 'states:SendTaskFailure'], arns.machine(waiting));
export const keepTasksAlive: Permission = ({ arns }) => allow(['states:SendTaskHeartbeat'], arns.machine(waiting));

export const readSecret =
  (secret: SecretName): Permission =>
  ({ arns }) =>
    allow(['secretsmanager:GetSecretValue'], arns.secret(secret));
