import { Duration, Validations } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping, FilterCriteria, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import { Construct } from 'constructs';
import { tableDefinition } from '../store/table.ts';
import { failureQueue } from './failureQueue.ts';
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
      // Where in the stream the records stand that could not be told: no data, and an alarm for each.
      onFailure: new SqsDlq(failureQueue(this, 'Unpublished', props.names.unpublished)),
    });
  }
}
