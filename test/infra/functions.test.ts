import assert from 'node:assert/strict';
import type { Template } from 'aws-cdk-lib/assertions';
import { describe, it } from 'vitest';
import { plain, resources, templates } from './templates.ts';

const { workflows, api } = templates();

type Statement = { Action: string | string[]; Resource: unknown; Effect: string; Condition?: unknown };
type Policy = { PolicyDocument: { Statement: Statement[] } };
type Deployed = { template: Template; name: string; properties: Record<string, unknown>; roleId: string };

const deployed: Deployed[] = [workflows, api].flatMap((template) =>
  Object.values(resources(template, 'AWS::Lambda::Function')).map(({ Properties }) => ({
    template,
    name: (Properties['FunctionName'] as string).replace('docket-test-', ''),
    properties: Properties,
    roleId: (Properties['Role'] as { 'Fn::GetAtt': [string] })['Fn::GetAtt'][0],
  })),
);

/** Everything a role allows: what is in it, and what is attached to it. */
function statementsOf({ template, roleId }: Deployed): Statement[] {
  const role = resources(template)[roleId]!.Properties as { Policies: Policy[]; ManagedPolicyArns?: unknown };
  assert.equal(role.ManagedPolicyArns, undefined, 'managed policies allow more than is needed');
  const attached = Object.values(resources(template, 'AWS::IAM::Policy'))
    .filter(({ Properties }) => JSON.stringify(Properties['Roles']) === JSON.stringify([{ Ref: roleId }]))
    .map(({ Properties }) => Properties as Policy);
  return [...role.Policies, ...attached].flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
}

/** action -> the resources it is allowed on. */
function allowedTo(one: Deployed): Map<string, string[]> {
  const allowed = new Map<string, string[]>();
  for (const { Action, Resource } of statementsOf(one))
    for (const action of [Action].flat())
      allowed.set(action, [
        ...(allowed.get(action) ?? []),
        ...[Resource].flat().map((resource) => plain(one.template, resource)),
      ]);
  return allowed;
}

const log = ['logs:CreateLogStream', 'logs:PutLogEvents'];
const reads = [...log, 'dynamodb:BatchGetItem', 'kms:Decrypt', 'kms:DescribeKey'];
const changes = [
  ...reads,
  ...['PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'].map((action) => `dynamodb:${action}`),
  ...['Encrypt', 'GenerateDataKey', 'ReEncryptFrom', 'ReEncryptTo'].map((action) => `kms:${action}`),
];
const secret = 'secretsmanager:GetSecretValue';
const answers = ['states:SendTaskSuccess', 'states:SendTaskFailure'];
const publishes = [
  ...changes,
  ...answers,
  'dynamodb:Query',
  'states:StartExecution',
  'states:DescribeExecution',
  'states:RedriveExecution',
  'states:StopExecution',
  'events:PutEvents',
  ...['ListBucketVersions', 'DeleteObject', 'DeleteObjectVersion'].map((action) => `s3:${action}`),
];
const stream = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'].map(
  (action) => `dynamodb:${action}`,
);

const expected: Record<string, string[]> = {
  renderNotice: [...changes, 's3:PutObject'],
  checkDelivery: reads,
  sendEmail: [...changes, 's3:GetObject', 'ses:SendEmail', 'ses:SendRawEmail'],
  settleDelivery: changes,
  recordNoticeServed: changes,
  recordNoticeUndeliverable: changes,
  checkNotification: reads,
  sendNotification: [...changes, 'ses:SendEmail', 'ses:SendRawEmail'],
  settleNotification: changes,
  prepareSubmission: reads,
  submitToRegistry: [...changes, secret, ...answers],
  askRegistry: [...changes, secret],
  recordRegistration: changes,
  recordRegistrationRefusal: changes,
  recordRegistrationUnknown: changes,
  publisher: [...publishes, ...stream, 'sqs:SendMessage', 'sqs:GetQueueAttributes', 'sqs:GetQueueUrl'],
  sweeper: publishes,
  poller: [...changes, 'dynamodb:Query', secret, 'states:SendTaskHeartbeat'],
  registryCallback: [...changes, secret],
  statusChange: [...changes, 'sqs:SendMessage', 'sqs:GetQueueAttributes', 'sqs:GetQueueUrl'],
  lookAtShard: [...changes, 'dynamodb:Query', 'dynamodb:Scan'],
  compareRegions: [...changes, 'dynamodb:Query'],
  lookAgain: [...changes, 'dynamodb:Query'],
  endFindings: [...changes, 'dynamodb:Query'],
  reconciler: [
    ...[...reads, 'states:StartExecution', 'states:DescribeExecution'],
    ...['sqs:SendMessage', 'sqs:GetQueueAttributes', 'sqs:GetQueueUrl'],
  ],
  mailEvents: [...changes, 'sqs:SendMessage', 'sqs:GetQueueAttributes', 'sqs:GetQueueUrl'],
  consumer: [...changes, 'sqs:SendMessage', 'sqs:GetQueueAttributes', 'sqs:GetQueueUrl'],
  api: [
    ...[...changes, 'dynamodb:Query', 'states:GetExecutionHistory', secret],
    ...['s3:PutObject', 's3:GetObject', 's3:ListBucket'],
  ],
};

/** What each action may be about, whoever has it. */
const grounds: [RegExp, RegExp][] = [
  [/^logs:/, /^<\w+Log\w*>$/],
  [/^dynamodb:((BatchGet|Put|Update|Delete|ConditionCheck)Item|Scan)$/, /^dynamodb:table\/docket-test$/],
  [/^dynamodb:Query$/, /^dynamodb:table\/docket-test(\/index\/(pending|byStatus|byLead|byRegion))?$/],
  [/^dynamodb:(DescribeStream|GetRecords|GetShardIterator)$/, /^\/docket\/test\/table\/stream-arn$/],
  [/^dynamodb:ListStreams$/, /^\*$/],
  [/^kms:/, /^\/docket\/test\/key-arn$/],
  [/^s3:ListBucket/, /^s3:docket-test-documents-<AWS::AccountId>-<AWS::Region>$/],
  [/^s3:/, /^s3:docket-test-documents-<AWS::AccountId>-<AWS::Region>\/documents\/\*$/],
  [/^ses:/, /^ses:(configuration-set\/docket-test-mail|identity\/(notices@)?docket\.example)$/],
  [/^events:/, /^events:event-bus\/docket-test-events$/],
  [/^states:StartExecution$/, /^states:stateMachine:docket-test-(notice|notification|registration|reconciliation)$/],
  [
    /^states:(DescribeExecution|RedriveExecution|StopExecution|GetExecutionHistory)$/,
    /^states:execution:docket-test-(notice|notification|registration|reconciliation):\*$/,
  ],
  [/^states:SendTask/, /^states:stateMachine:docket-test-registration$/],
  [/^secretsmanager:/, /^secretsmanager:secret:docket\/test\/(cursor-key|registry-api-key|registry-callback)-\?{6}$/],
  [/^sqs:/, /^<\w*(Unpublished|Unheard)\w*>$/],
];

describe('a function', () => {
  for (const one of deployed)
    it(`may do what its work needs and no more: ${one.name}`, () => {
      const allowed = allowedTo(one);
      assert.deepEqual([...allowed.keys()].sort(), [...(expected[one.name] ?? [])].sort());
      for (const [action, on] of allowed) {
        const ground = grounds.find(([actions]) => actions.test(action))?.[1];
        for (const resource of on) assert.match(resource, ground!, action);
      }
    });

  it('is one of these', () => {
    assert.deepEqual(deployed.map(({ name }) => name).sort(), Object.keys(expected).sort());
  });

  it('has a role of its own', () => {
    assert.equal(new Set(deployed.map(({ roleId }) => roleId)).size, deployed.length);
  });

  const secrets = [
    ['submitToRegistry', 'registry-api-key'],
    ['askRegistry', 'registry-api-key'],
    ['poller', 'registry-api-key'],
    ['registryCallback', 'registry-callback'],
    ['api', 'cursor-key'],
  ] as const;
  for (const [name, of] of secrets)
    it(`reads one secret: ${name} the ${of}`, () => {
      const one = deployed.find((candidate) => candidate.name === name)!;
      assert.deepEqual(allowedTo(one).get(secret), [`secretsmanager:secret:docket/test/${of}-??????`]);
    });

  it('starts executions through the alias only, and sends mail from one address only', () => {
    const conditions = (action: string) =>
      deployed.flatMap(statementsOf).filter(({ Action }) => [Action].flat().includes(action));
    for (const { Condition } of conditions('states:StartExecution'))
      assert.deepEqual(Condition, { StringEquals: { 'states:StateMachineQualifier': 'live' } });
    for (const { Condition } of conditions('ses:SendEmail'))
      assert.deepEqual(Condition, { StringEquals: { 'ses:FromAddress': 'notices@docket.example' } });
  });

  it('runs on a named runtime, keeps its log, and has no secret in its environment', () => {
    for (const { template, properties } of deployed) {
      assert.equal(properties['Runtime'], 'nodejs24.x');
      const { LogGroup } = properties['LoggingConfig'] as { LogGroup: { Ref: string } };
      assert.equal(resources(template)[LogGroup.Ref]!.DeletionPolicy, 'Retain');
      const { Variables } = properties['Environment'] as { Variables: Record<string, unknown> };
      for (const [name, value] of Object.entries(Variables))
        if (/SECRET|API_KEY|CURSOR_KEY/.test(name)) assert.match(String(value), /^docket\/test\/[a-z-]+$/);
    }
  });
});
