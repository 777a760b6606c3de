import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping, FilterCriteria, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import { Construct } from 'constructs';
import { tableDefinition } from '../store/table.ts';
import { HandlerFunction, type FunctionProps } from './handlerFunction.ts';

/**
 * The fast path: inserted outbox messages, as the table's stream brings them. It is a hint and the sweep is the
 * guarantee, so a record that cannot be told is put aside after a few tries and does not hold up its shard.
 */
export class Publisher extends Construct {
  readonly function: HandlerFunction;

  constructor(scope: Construct, id: string, props: FunctionProps) {
    super(scope, id);
    this.function = new HandlerFunction(this, props.entry, props);
    const { lambda } = this.function;
    const eventSourceArn = StringParameter.valueForStringParameter(this, props.names.streamArn);
    const read = ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'];
    lambda.addToRolePolicy(new PolicyStatement({ actions: read, resources: [eventSourceArn] }));
    lambda.addToRolePolicy(new PolicyStatement({ actions: ['dynamodb:ListStreams'], resources: ['*'] }));
    Validations.of(lambda.role!).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'Streams can be listed only altogether.',
    });
    new EventSourceMapping(this, 'Stream', {
      target: lambda,
      eventSourceArn,
      startingPosition: StartingPosition.TRIM_HORIZON,
      filters: [FilterCriteria.filter(tableDefinition.streamFilter)],
      batchSize: 50,
      reportBatchItemFailures: true,
      bisectBatchOnError: true,
      retryAttempts: 5,
      maxRecordAge: Duration.hours(6),
      onFailure: new SqsDlq(this.unpublished(props.names.unpublished)),
    });
  }

  /** Where in the stream the records stand that could not be told: no data, and an alarm for each. */
  private unpublished(queueName: string): Queue {
    const queue = new Queue(this, 'Unpublished', {
      queueName,
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
      removalPolicy: RemovalPolicy.DESTROY,
    });
    Validations.of(queue).acknowledge({ id: 'AwsSolutions-SQS3', reason: 'It is the queue of failures itself.' });
    return queue;
  }
}
