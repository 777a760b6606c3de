import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Function as LambdaFunction, Runtime, type Code } from 'aws-cdk-lib/aws-lambda';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import { FilterPattern, LogGroup, MetricFilter, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import { Construct } from 'constructs';
import { machineNames } from './definitions.ts';
import type { Handler } from './handlers.ts';
import { alarmLines, arnsOf, type Arns, type Names } from './names.ts';
import type { Settings } from './settings.ts';

export type FunctionProps = {
  handler: Handler;
  /** The bundle, and the export of it that is called. */
  code: Code;
  entry: string;
  environment: Record<string, string>;
  names: Names;
  settings: Settings;
  /** For those that a bus calls: it calls no second time, so the function is called again, and at last it says so here. */
  unheard?: IQueue;
};

/** A function with a role of its own, which may do what its handler says and write its own log. */
export class HandlerFunction extends Construct {
  readonly lambda: LambdaFunction;
  readonly logGroup: LogGroup;

  constructor(scope: Construct, id: string, props: FunctionProps) {
    super(scope, id);
    const { handler, code, entry, environment, names, settings, unheard } = props;
    this.logGroup = new LogGroup(this, 'Log', {
      retention: RetentionDays.ONE_YEAR,
      removalPolicy: RemovalPolicy.RETAIN, // and no name of its own, so that what is retained is in nobody's way
    });
    new MetricFilter(this, 'AlarmLines', {
      logGroup: this.logGroup,
      filterPattern: FilterPattern.exists('$.line.alarm'),
      metricNamespace: names.metrics,
      metricName: alarmLines,
      metricValue: '1',
    });
    const role = this.role(handler, names, settings);
    this.lambda = new LambdaFunction(this, 'Function', {
      functionName: names.handler(id),
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code,
      handler: `index.${entry}`,
      environment,
      role,
      logGroup: this.logGroup,
      timeout: handler.timeout,
      memorySize: handler.memoryMb,
      ...(unheard
        ? { maxEventAge: Duration.hours(6), retryAttempts: 2, onFailure: new SqsDestination(unheard) }
        : { maxEventAge: Duration.minutes(1), retryAttempts: 0 }), // the clock calls again by itself
    });
  }

  private role({ may }: Handler, names: Names, settings: Settings): Role {
    const ground = { arns: arnsOf(Stack.of(this), names), keyArn: keyArnIn(this, names), settings };
    const log = new PolicyStatement({
      actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      resources: [this.logGroup.logGroupArn],
    });
    const statements = [log, ...may.map((permission) => permission(ground))];
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { handler: new PolicyDocument({ statements }) },
    });
    acknowledgeWildcards(role, ground.arns);
    return role;
  }
}

/** Read where the stack is deployed; the same parameter of the template for every function. */
const keyArnIn = (scope: Construct, names: Names) => StringParameter.valueForStringParameter(scope, names.keyArn);

/** Within one thing each; a wildcard over anything else is still a finding. */
function acknowledgeWildcards(role: Role, { documents, executions }: Arns): void {
  const known = {
    [documents]: 'Documents are named by their content, which is not known here.',
    ...Object.fromEntries(
      machineNames.map((machine) => [executions(machine), 'Executions are named by their effects.']),
    ),
  };
  for (const [resource, reason] of Object.entries(known))
    Validations.of(role).acknowledge({ id: `AwsSolutions-IAM5[Resource::${asReported(role, resource)}]`, reason });
}

/** How the finding spells an ARN: with `<AWS::Region>` for what is only known where it is deployed. */
function asReported(scope: Construct, arn: string): string {
  const resolved = Stack.of(scope).resolve(arn) as string | { 'Fn::Join': [string, (string | { Ref: string })[]] };
  if (typeof resolved === 'string') return resolved;
  return resolved['Fn::Join'][1].map((part) => (typeof part === 'string' ? part : `<${part.Ref}>`)).join('');
}
