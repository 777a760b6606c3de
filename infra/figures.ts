import { Duration, type Stack } from 'aws-cdk-lib';
import { MathExpression, Metric, Stats, type IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import { tableDefinition } from '../store/table.ts';
import { machineNames } from './definitions.ts';
import { alarmLines, arnsOf, deadMessages, openFindings, reconciliations, type Names } from './names.ts';

/** The figures that are watched, each from plain names: what is watched need not be known, and may be gone. */
export const figuresOf = (stack: Stack, names: Names, apiId: string) => {
  const arns = arnsOf(stack, names);
  const figure = (
    namespace: string,
    metricName: string,
    dimensionsMap: Record<string, string>,
    statistic: string = Stats.SUM,
  ) => new Metric({ namespace, metricName, dimensionsMap, statistic, period: Duration.minutes(1) });

  const executions = (metricName: string) =>
    machineNames.map((machine) =>
      figure('AWS/States', metricName, { StateMachineArn: arns.machine(machine) }).with({ label: machine }),
    );
  const lambda = (handler: string, metricName: string, statistic: string) =>
    figure('AWS/Lambda', metricName, { FunctionName: names.handler(handler) }, statistic).with({ label: handler });
  const throttled = (metricName: string) => [
    figure('AWS/DynamoDB', metricName, { TableName: names.table }),
    ...tableDefinition.indexes.map(({ name }) =>
      figure('AWS/DynamoDB', metricName, { TableName: names.table, GlobalSecondaryIndexName: name }),
    ),
  ];
  const waiting = (QueueName: string) =>
    figure('AWS/SQS', 'ApproximateNumberOfMessagesVisible', { QueueName }, Stats.MAXIMUM);
  const api = (metricName: string, statistic: string = Stats.SUM) =>
    figure('AWS/ApiGateway', metricName, { ApiId: apiId }, statistic);

  return {
    started: executions('ExecutionsStarted'),
    failed: executions('ExecutionsFailed'),
    timedOut: executions('ExecutionsTimedOut'),
    aborted: executions('ExecutionsAborted'),
    unpublished: waiting(names.unpublished),
    unheard: waiting(names.unheard),
    streamAge: lambda('publisher', 'IteratorAge', Stats.MAXIMUM),
    deadMessages: figure(names.metrics, deadMessages, {}),
    openFindings: figure(names.metrics, openFindings, {}, Stats.MAXIMUM),
    reconciliations: figure(names.metrics, reconciliations, {}).with({ period: Duration.hours(1) }),
    alarmLines: figure(names.metrics, alarmLines, {}),
    sweepErrors: lambda('sweeper', 'Errors', Stats.SUM),
    pollErrors: lambda('poller', 'Errors', Stats.SUM),
    throttledReads: throttled('ReadThrottleEvents'),
    throttledWrites: throttled('WriteThrottleEvents'),
    requests: api('Count'),
    serverErrors: api('5xx'),
    clientErrors: api('4xx'),
    latency: api('Latency', Stats.percentile(99)),
  };
};

export type Figures = ReturnType<typeof figuresOf>;

/** Of figures that are silent while nothing happens. The label is one word: it names the parts, too. */
export const sum = (label: string, metrics: IMetric[]): MathExpression =>
  new MathExpression({
    expression: metrics.map((_, i) => `FILL(${label}${i}, 0)`).join(' + '),
    usingMetrics: Object.fromEntries(metrics.map((metric, i) => [`${label}${i}`, metric])),
    label,
    period: Duration.minutes(1),
  });
