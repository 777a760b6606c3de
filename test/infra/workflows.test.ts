import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Match } from 'aws-cdk-lib/assertions';
import { describe, it } from 'vitest';
import { tableDefinition } from '../../store/table.ts';
import { plain, resources, templates } from './templates.ts';

const { workflows } = templates();
const root = join(import.meta.dirname, '../..');
const functionIds = Object.entries(resources(workflows, 'AWS::Lambda::Function')).map(
  ([id, { Properties }]) => [(Properties['FunctionName'] as string).replace('docket-test-', ''), id] as const,
);
const idOf = new Map(functionIds);

const machines = ['notice', 'notification', 'registration', 'reconciliation'];
for (const machine of machines)
  describe(`the ${machine} machine`, () => {
    const file = JSON.parse(readFileSync(join(root, `workflows/${machine}/${machine}.asl.json`), 'utf8')) as unknown;
    const placeholders = [...JSON.stringify(file).matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name!).sort();
    const [machineId, { Properties: found }] = Object.entries(
      resources(workflows, 'AWS::StepFunctions::StateMachine'),
    ).find(([, { Properties }]) => Properties['StateMachineName'] === `docket-test-${machine}`)!;

    it('is the very definition that runs everywhere', () => {
      assert.deepEqual(JSON.parse(found['DefinitionString'] as string), file);
    });

    it('has a function for every name its definition leaves open, and for no other', () => {
      const substitutions = found['DefinitionSubstitutions'] as Record<string, unknown>;
      assert.deepEqual(Object.keys(substitutions).sort(), placeholders);
      for (const name of placeholders) assert.equal(plain(workflows, substitutions[name]), `<${idOf.get(name)!}>`);
    });

    it('may call exactly these functions', () => {
      const { 'Fn::GetAtt': role } = found['RoleArn'] as { 'Fn::GetAtt': string[] };
      const policies = Object.values(resources(workflows, 'AWS::IAM::Policy')).filter(
        ({ Properties }) => (Properties['Roles'] as { Ref: string }[])[0]!.Ref === role[0],
      );
      const statements = policies.flatMap(
        ({ Properties }) =>
          (Properties['PolicyDocument'] as { Statement: { Action: string | string[]; Resource: unknown }[] }).Statement,
      );
      const invoke = statements.filter(({ Action }) => [Action].flat().some((action) => action.startsWith('lambda:')));
      assert.equal(invoke.length, 1);
      assert.deepEqual(
        [invoke[0]!.Resource]
          .flat()
          .map((resource) => plain(workflows, resource))
          .sort(),
        placeholders.map((name) => `<${idOf.get(name)!}>`).sort(),
      );
      const others = statements.filter((statement) => statement !== invoke[0]).flatMap(({ Action }) => [Action].flat());
      for (const action of others) assert.match(action, /^(logs|xray):/);
    });

    it('logs under the prefix that AWS does not count, and never what passes through', () => {
      const { Level, IncludeExecutionData, Destinations } = found['LoggingConfiguration'] as {
        Level: string;
        IncludeExecutionData: boolean;
        Destinations: [{ CloudWatchLogsLogGroup: { LogGroupArn: { 'Fn::GetAtt': [string] } } }];
      };
      assert.deepEqual([Level, IncludeExecutionData], ['ALL', false]);
      const [logId] = Destinations[0].CloudWatchLogsLogGroup.LogGroupArn['Fn::GetAtt'];
      const { LogGroupName } = resources(workflows)[logId]!.Properties;
      assert.equal(LogGroupName, `/aws/vendedlogs/states/docket-test-${machine}`);
    });

    it('is started through an alias, on a version that stays for those that wait on it', () => {
      const [versionId, version] = Object.entries(resources(workflows, 'AWS::StepFunctions::StateMachineVersion')).find(
        ([, { Properties }]) => (Properties['StateMachineArn'] as { Ref: string }).Ref === machineId,
      )!;
      assert.equal(version.UpdateReplacePolicy, 'Retain');
      assert.deepEqual(version.Properties['StateMachineRevisionId'], {
        'Fn::GetAtt': [machineId, 'StateMachineRevisionId'],
      });
      workflows.hasResourceProperties('AWS::StepFunctions::StateMachineAlias', {
        Name: 'live',
        RoutingConfiguration: [{ StateMachineVersionArn: { 'Fn::GetAtt': [versionId, 'Arn'] }, Weight: 100 }],
      });
    });

    it('is called by that alias in the functions that start it', () => {
      for (const { Properties } of Object.values(resources(workflows, 'AWS::Lambda::Function'))) {
        const { Variables } = Properties['Environment'] as { Variables: Record<string, unknown> };
        const name = plain(workflows, Variables[`${machine.toUpperCase()}_MACHINE`]);
        assert.equal(name, `states:stateMachine:docket-test-${machine}:live`);
      }
    });
  });

describe('the publisher', () => {
  it('is fed inserted outbox items, gives up after a while, and says which', () => {
    workflows.resourceCountIs('AWS::Lambda::EventSourceMapping', 1);
    const [mapping] = Object.values(resources(workflows, 'AWS::Lambda::EventSourceMapping'));
    const { Properties } = mapping!;
    assert.equal(plain(workflows, Properties['EventSourceArn']), '/docket/test/table/stream-arn');
    assert.equal(Properties['BisectBatchOnFunctionError'], true);
    assert.equal(Properties['MaximumRecordAgeInSeconds'], 6 * 3600);
    assert.equal(Properties['MaximumRetryAttempts'], 5);
    assert.equal(Properties['StartingPosition'], 'TRIM_HORIZON');
    assert.deepEqual(Properties['FunctionResponseTypes'], ['ReportBatchItemFailures']);
    const { Filters } = Properties['FilterCriteria'] as { Filters: { Pattern: string }[] };
    assert.deepEqual(
      Filters.map(({ Pattern }) => JSON.parse(Pattern) as unknown),
      [tableDefinition.streamFilter],
    );
    const { OnFailure } = Properties['DestinationConfig'] as { OnFailure: { Destination: unknown } };
    assert.match(plain(workflows, OnFailure.Destination), /Unpublished/);
    workflows.hasResourceProperties('AWS::SQS::Queue', {
      QueueName: 'docket-test-unpublished',
      SqsManagedSseEnabled: true,
      MessageRetentionPeriod: 14 * 24 * 3600,
    });
  });

  it('counts the messages it gives up, by the words its log has for them', () => {
    const words = 'outbox message dead';
    workflows.resourcePropertiesCountIs(
      'AWS::Logs::MetricFilter',
      {
        FilterPattern: `{ $.line.alarm = "${words}" }`,
        MetricTransformations: [Match.objectLike({ MetricNamespace: 'Docket/test' })],
      },
      2,
    );
    assert.ok(readFileSync(join(root, 'store/claims.ts'), 'utf8').includes(`alarm: '${words}'`));
  });
});

describe('the clock', () => {
  const rates = [
    ['rate(1 minute)', 'sweeper'],
    ['rate(5 minutes)', 'poller'],
  ] as const;
  for (const [ScheduleExpression, name] of rates)
    it(`calls the ${name} at ${ScheduleExpression}, and does not repeat a run that failed`, () => {
      workflows.hasResourceProperties('AWS::Events::Rule', {
        ScheduleExpression,
        State: 'ENABLED',
        Targets: [
          Match.objectLike({
            Arn: { 'Fn::GetAtt': [idOf.get(name)!, 'Arn'] },
            RetryPolicy: Match.objectLike({ MaximumRetryAttempts: 0 }),
          }),
        ],
      });
    });
});

describe('every night', () => {
  it('a pass begins at a quarter past four in the zone of each tenant, and its report is counted', () => {
    workflows.hasResourceProperties('AWS::Scheduler::Schedule', {
      ScheduleExpression: 'cron(15 4 * * ? *)',
      ScheduleExpressionTimezone: 'Asia/Jakarta',
      Target: Match.objectLike({
        Arn: { 'Fn::GetAtt': [idOf.get('reconciler')!, 'Arn'] },
        Input: JSON.stringify({ tenant: 'demo' }),
      }),
    });
    for (const [MetricName, MetricValue] of [
      ['FindingsOpen', '$.line.open'],
      ['Reconciliations', '1'],
    ])
      workflows.hasResourceProperties('AWS::Logs::MetricFilter', {
        FilterPattern: '{ $.line.reconciliation = "done" }',
        MetricTransformations: [Match.objectLike({ MetricName, MetricValue })],
      });
  });
});

describe('a bus', () => {
  const targetOf = (name: string) => Match.objectLike({ Arn: { 'Fn::GetAtt': [idOf.get(name)!, 'Arn'] } });

  it('tells every event of ours to the consumers', () => {
    workflows.hasResourceProperties('AWS::Events::Rule', {
      EventBusName: Match.anyValue(),
      EventPattern: { source: ['docket'] },
      State: 'ENABLED',
      Targets: [targetOf('consumer')],
    });
  });

  it('tells how executions of these machines stand, and of no others', () => {
    const [rule] = Object.values(resources(workflows, 'AWS::Events::Rule')).filter(({ Properties }) =>
      JSON.stringify(Properties['EventPattern'] ?? '').includes('aws.states'),
    );
    const { source, detail } = rule!.Properties['EventPattern'] as {
      source: string[];
      detail: { stateMachineArn: unknown[] };
    };
    assert.deepEqual(source, ['aws.states']);
    assert.deepEqual(
      detail.stateMachineArn.map((arn) => plain(workflows, arn)),
      machines.map((machine) => `states:stateMachine:docket-test-${machine}`),
    );
    workflows.hasResourceProperties('AWS::Events::Rule', { Targets: [targetOf('statusChange')] });
  });

  const mails = [
    ['SENT', { detailType: 'Email Sent', detail: {} }],
    ['BOUNCED', { detailType: 'Email Bounced', detail: { bounce: { bounceType: ['Permanent'] } } }],
  ] as const;
  for (const [happened, { detailType, detail }] of mails)
    it(`tells of mails of ours that were ${happened}, without whom they were sent to`, () => {
      const [rule] = Object.values(resources(workflows, 'AWS::Events::Rule')).filter(({ Properties }) =>
        JSON.stringify(Properties['EventPattern'] ?? '').includes(detailType),
      );
      const pattern = rule!.Properties['EventPattern'] as { source: string[]; detail: Record<string, unknown> };
      assert.deepEqual(pattern.source, ['aws.ses']);
      assert.deepEqual({ ...pattern.detail, mail: undefined }, { ...detail, mail: undefined });
      const [target] = rule!.Properties['Targets'] as { InputTransformer: { InputPathsMap: Record<string, string> } }[];
      assert.deepEqual(Object.values(target!.InputTransformer.InputPathsMap).sort(), [
        '$.detail.mail.messageId',
        '$.detail.mail.tags',
      ]);
      assert.match(JSON.stringify(target!.InputTransformer), new RegExp(happened));
      workflows.hasResourceProperties('AWS::Events::Rule', { Targets: [targetOf('mailEvents')] });
    });

  it('hears of sent and returned mails from SES', () => {
    workflows.hasResourceProperties('AWS::SES::ConfigurationSetEventDestination', {
      EventDestination: Match.objectLike({ Enabled: true, MatchingEventTypes: ['send', 'bounce'] }),
    });
  });

  for (const name of ['consumer', 'statusChange', 'mailEvents'])
    it(`is heard by the ${name} in the end, or somebody is told`, () => {
      workflows.hasResourceProperties('AWS::Lambda::EventInvokeConfig', {
        FunctionName: { Ref: idOf.get(name)! },
        MaximumRetryAttempts: 2,
        MaximumEventAgeInSeconds: 6 * 3600,
        DestinationConfig: { OnFailure: { Destination: Match.anyValue() } },
      });
    });
});
