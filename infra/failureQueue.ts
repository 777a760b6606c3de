import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';

/** Where it is said what could not be told or heard: each message is an alarm, and a person reads it. */
export function failureQueue(scope: Construct, id: string, queueName: string): Queue {
  const queue = new Queue(scope, id, {
    queueName,
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
    removalPolicy: RemovalPolicy.DESTROY,
  });
  Validations.of(queue).acknowledge({ id: 'AwsSolutions-SQS3', reason: 'It is the queue of failures itself.' });
  return queue;
}
