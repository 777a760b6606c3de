import { Duration, Stack, TimeZone, Validations, type CfnElement, type StackProps } from 'aws-cdk-lib';
import { EventBus, EventField, Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as CallFunction } from 'aws-cdk-lib/aws-events-targets';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Code, type IFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs';
import {
  ConfigurationSet,
  ConfigurationSetTlsPolicy,
  EmailSendingEvent,
  EventDestination,
  SuppressionReasons,
} from 'aws-cdk-lib/aws-ses';
import { Schedule as Nightly, ScheduleExpression, ScheduleTargetInput } from 'aws-cdk-lib/aws-scheduler';
import { LambdaInvoke as CallNightly } from 'aws-cdk-lib/aws-scheduler-targets';
import type { Construct } from 'constructs';
import type { Bundles } from './bundle.ts';
import { machineNames } from './definitions.ts';
import { workflowEnvironment } from './environment.ts';
import { failureQueue } from './failureQueue.ts';
import { HandlerFunction } from './handlerFunction.ts';
import {
  consumer,
  mailEvents,
  poller,
  publisher,
  reconciler,
  statusChange,
  sweeper,
  taskHandlers,
  type Handler,
} from './handlers.ts';
import { Machine } from './machine.ts';
import { arnsOf, deadMessages, openFindings, reconciliations, type Names } from './names.ts';
import { Publisher } from './publisher.ts';
import type { Settings } from './settings.ts';

export type WorkflowsProps = StackProps & { names: Names; settings: Settings; bundles: Bundles };

/** Everything longer or external: the machines and their tasks, and what starts, wakes and sweeps them. */
export class WorkflowsStack extends Stack {
  constructor(scope: Construct, id: string, props: WorkflowsProps) {
    super(scope, id, props);
    const { names, settings, bundles } = props;
    const code = Code.fromAsset(bundles.workflows);
    const environment = workflowEnvironment(this, names, settings);
    const deployed = (entry: string, handler: Handler) => ({ names, settings, code, environment, entry, handler });

    const bus = new EventBus(this, 'Events', { eventBusName: names.bus });
    const mail = new ConfigurationSet(this, 'Mail', {
      configurationSetName: names.configurationSet,
      suppressionReasons: SuppressionReasons.BOUNCES_AND_COMPLAINTS,
      tlsPolicy: ConfigurationSetTlsPolicy.REQUIRE,
      reputationMetrics: true,
    });

    const called = Object.entries(taskHandlers).map(
      ([name, handler]) => [name, new HandlerFunction(this, name, deployed(name, handler))] as const,
    );
    const tasks = new Map<string, IFunction>(called.map(([name, { lambda }]) => [name, lambda]));
    const reconciles = called.find(([name]) => name === 'endFindings')?.[1];
    for (const machine of machineNames) new Machine(this, machine, { machine, tasks, names });

    const stream = new Publisher(this, 'Publisher', deployed('publisher', publisher));
    const sweep = new HandlerFunction(this, 'sweeper', deployed('sweeper', sweeper));
    const poll = new HandlerFunction(this, 'poller', deployed('poller', poller));
    this.every(Duration.minutes(1), sweep);
    this.every(Duration.minutes(5), poll);
    const unheard = failureQueue(this, 'Unheard', names.unheard);
    const told = (entry: string, handler: Handler) =>
      new HandlerFunction(this, entry, { ...deployed(entry, handler), unheard });
    new Rule(this, 'EventsRule', {
      eventBus: bus,
      eventPattern: { source: ['docket'] },
      targets: [new CallFunction(told('consumer', consumer).lambda)],
    });
    new Rule(this, 'StatusChangeRule', {
      eventPattern: {
        source: ['aws.states'],
        detailType: ['Step Functions Execution Status Change'],
        detail: { stateMachineArn: machineNames.map((machine) => arnsOf(this, names).machine(machine)) },
      },
      targets: [new CallFunction(told('statusChange', statusChange).lambda)],
    });
    this.mailEvents(mail, told('mailEvents', mailEvents));
    this.everyNight(told('reconciler', reconciler), settings);
    this.countFindings(reconciles!, names);
    for (const publishing of [stream.function, sweep]) this.countDeadMessages(publishing, names);
  }

  /**
   * What SES tells of mails goes over the account's own bus, which is the only one it knows. Only what is needed is
   * handed on: an event that nobody could take in waits in a queue, and is to hold no address.
   */
  private mailEvents(set: ConfigurationSet, { lambda }: HandlerFunction): void {
    const happened = [
      ['SENT', 'Email Sent', {}],
      ['BOUNCED', 'Email Bounced', { bounce: { bounceType: ['Permanent'] } }],
    ] as const;
    set.addEventDestination('MailEvents', {
      destination: EventDestination.eventBus(EventBus.fromEventBusName(this, 'AccountBus', 'default')),
      events: [EmailSendingEvent.SEND, EmailSendingEvent.BOUNCE],
    });
    for (const [what, detailType, narrowed] of happened)
      new Rule(this, `Mail${what}Rule`, {
        eventPattern: {
          source: ['aws.ses'],
          detailType: [detailType],
          detail: { mail: { tags: { 'ses:configuration-set': [set.configurationSetName] } }, ...narrowed },
        },
        targets: [
          new CallFunction(lambda, {
            event: RuleTargetInput.fromObject({
              happened: what,
              providerMessageId: EventField.fromPath('$.detail.mail.messageId'),
              tags: EventField.fromPath('$.detail.mail.tags'),
            }),
          }),
        ],
      });
  }

  /** A run that fails is not repeated: the next one does what it left. */
  private every(rate: Duration, { lambda, node }: HandlerFunction): void {
    const targets = [new CallFunction(lambda, { retryAttempts: 0, maxEventAge: Duration.minutes(1) })];
    new Rule(this, `${node.id}Schedule`, { schedule: Schedule.rate(rate), targets });
  }

  /** At a quarter past four where the tenant is; told twice, it is the same pass. */
  private everyNight({ lambda }: HandlerFunction, { tenants }: Settings): void {
    const role = new Role(this, 'Nightly', { assumedBy: new ServicePrincipal('scheduler.amazonaws.com') });
    Validations.of(role).acknowledge({
      id: `AwsSolutions-IAM5[Resource::<${this.getLogicalId(lambda.node.defaultChild as CfnElement)}.Arn>:*]`,
      reason: 'Whatever version of this one function.',
    });
    for (const { id, zone } of tenants)
      new Nightly(this, `Nightly-${id}`, {
        schedule: ScheduleExpression.cron({ minute: '15', hour: '4', timeZone: TimeZone.of(zone) }),
        target: new CallNightly(lambda, {
          input: ScheduleTargetInput.fromObject({ tenant: id }),
          retryAttempts: 3,
          role,
        }),
      });
  }

  /** The report of a pass is one line: how many findings are open, and that there was a pass at all. */
  private countFindings({ logGroup }: HandlerFunction, { metrics }: Names): void {
    const filterPattern = FilterPattern.stringValue('$.line.reconciliation', '=', 'done');
    const figures = [
      [openFindings, '$.line.open'],
      [reconciliations, '1'],
    ] as const;
    for (const [metricName, metricValue] of figures)
      new MetricFilter(this, metricName, {
        logGroup,
        filterPattern,
        metricNamespace: metrics,
        metricName,
        metricValue,
      });
  }

  /** A message that nobody could tell is said in the log, by the one who gave up. */
  private countDeadMessages({ logGroup, node }: HandlerFunction, { metrics }: Names): void {
    new MetricFilter(this, `${node.id}DeadMessages`, {
      logGroup,
      filterPattern: FilterPattern.stringValue('$.line.alarm', '=', 'outbox message dead'),
      metricNamespace: metrics,
      metricName: deadMessages,
      metricValue: '1',
    });
  }
}
