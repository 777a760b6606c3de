import { Duration, Stack, type StackProps } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  Dashboard,
  GraphWidget,
  TreatMissingData,
  type IMetric,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import type { Construct } from 'constructs';
import { figuresOf, sum, type Figures } from './figures.ts';
import type { Names } from './names.ts';

type Props = StackProps & { names: Names };

/** `for`: in how many minutes in a row it must be so. */
type Watch = { figure: IMetric; above: number; for: number; says: string };

/** Who must look, and at what. It refers to the other stacks by name only, and can be removed and made again freely. */
export class ObservabilityStack extends Stack {
  constructor(scope: Construct, id: string, { names, ...props }: Props) {
    super(scope, id, props);
    const figures = figuresOf(this, names, StringParameter.valueForStringParameter(this, names.apiId));
    const action = new SnsAction(this.topic(names));
    for (const [name, { figure, above, for: minutes, says }] of Object.entries(watches(figures))) {
      const alarm = new Alarm(this, name, {
        alarmName: `${names.prefix}-${name}`,
        alarmDescription: says,
        metric: figure,
        threshold: above,
        comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
        evaluationPeriods: minutes,
        treatMissingData: TreatMissingData.NOT_BREACHING,
      });
      alarm.addAlarmAction(action);
      alarm.addOkAction(action);
    }
    const missed = new Alarm(this, 'not-reconciled', {
      alarmName: `${names.prefix}-not-reconciled`,
      alarmDescription: 'No reconciliation has ended for 26 hours: look for its execution, and redrive it.',
      metric: figures.reconciliations,
      threshold: 1,
      comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
      evaluationPeriods: 26,
      treatMissingData: TreatMissingData.BREACHING,
    });
    missed.addAlarmAction(action);
    missed.addOkAction(action);
    this.dashboard(names, figures);
  }

  /** People subscribe to it by hand: who is on duty is not a matter of deployment. */
  private topic(names: Names): Topic {
    const topic = new Topic(this, 'Alarms', { topicName: names.alarms, enforceSSL: true });
    topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': this.account } },
      }),
    );
    return topic;
  }

  private dashboard(names: Names, figures: Figures): void {
    const graph = (title: string, ...left: IMetric[]) =>
      new GraphWidget({ title, left, width: 8, height: 6, period: Duration.minutes(5) });
    new Dashboard(this, 'Dashboard', {
      dashboardName: names.prefix,
      widgets: [
        [
          graph('API requests and errors', figures.requests, figures.clientErrors, figures.serverErrors),
          graph('API latency, 99 %', figures.latency),
          graph('Table throttles', sum('reads', figures.throttledReads), sum('writes', figures.throttledWrites)),
        ],
        [
          graph('Executions started', ...figures.started),
          graph('Executions failed', ...figures.failed, ...figures.timedOut, ...figures.aborted),
          graph('Outbox', figures.unpublished, figures.deadMessages, figures.sweepErrors),
        ],
      ],
    });
  }
}

const watches = (figures: Figures): Record<string, Watch> => ({
  'executions-failed': once(sum('failed', figures.failed), 'An execution failed: find the cause, then redrive it.'),
  'executions-timed-out': once(sum('timedOut', figures.timedOut), 'An execution ran out of time before its outcome.'),
  'executions-aborted': once(sum('aborted', figures.aborted), 'Somebody stopped an execution.'),
  unpublished: once(figures.unpublished, 'The stream gave records up. The sweep tells them; find out why it had to.'),
  unheard: once(figures.unheard, 'A projection or the list of executions missed an event: find out why, then rebuild.'),
  'stream-age': { figure: figures.streamAge, above: 300_000, for: 5, says: 'The publisher lags behind the table.' },
  'outbox-dead': once(figures.deadMessages, 'A message was given up and blocks its aggregate until it is redriven.'),
  findings: once(figures.openFindings, 'Reconciliation has left findings open: read them, and settle them.'),
  'needs-a-person': once(figures.alarmLines, 'A log line with `alarm` says what: see docs/operations.md.'),
  'sweep-fails': { figure: figures.sweepErrors, above: 0, for: 5, says: 'Nobody finds what was left behind.' },
  'poll-fails': once(figures.pollErrors, 'Lost answers of the registry are not being fetched.'),
  'table-throttled': {
    figure: sum('throttled', [...figures.throttledReads, ...figures.throttledWrites]),
    above: 0,
    for: 3,
    says: 'The table or an index refuses requests; commands are slow or answer Busy.',
  },
  'api-fails': { figure: figures.serverErrors, above: 0, for: 3, says: 'The API answers with errors of its own.' },
});

/** Once is enough to look. */
const once = (figure: IMetric, says: string): Watch => ({ figure, above: 0, for: 1, says });
