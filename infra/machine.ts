import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import {
  CfnStateMachineAlias,
  CfnStateMachineVersion,
  DefinitionBody,
  LogLevel,
  StateMachine,
  type CfnStateMachine,
} from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { definitions, tasksOf, type MachineName } from './definitions.ts';
import { liveAlias, type Names } from './names.ts';

type Props = { machine: MachineName; tasks: ReadonlyMap<string, IFunction>; names: Names };

/**
 * A machine from its definition. Executions are started through the alias, which each deployment moves to a version that
 * stays: an execution that waits for days goes on with the definition it began with.
 */
export class Machine extends Construct {
  constructor(scope: Construct, id: string, { machine, tasks, names }: Props) {
    super(scope, id);
    const called = tasksOf(machine).map((task) => [task, tasks.get(task)] as const);
    const arns = called.map(([task, found]) => {
      if (!found) throw new Error(`${machine} calls ${task}, which is not deployed`);
      return [task, found.functionArn] as const;
    });
    const stateMachine = new StateMachine(this, 'Machine', {
      stateMachineName: names.machine(machine),
      definitionBody: DefinitionBody.fromString(JSON.stringify(definitions[machine])),
      definitionSubstitutions: Object.fromEntries(arns),
      logs: { destination: this.log(names.machineLog(machine)), level: LogLevel.ALL, includeExecutionData: false },
      tracingEnabled: true,
    });
    // A definition that is text grants nothing by itself.
    stateMachine.addToRolePolicy(
      new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: arns.map(([, arn]) => arn) }),
    );
    Validations.of(stateMachine).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'Delivery of logs and traces has no resources to name.',
    });
    this.live(stateMachine);
  }

  /**
   * A name under this prefix, because the policy of CloudWatch Logs that lets others write is short and grows by every
   * other name. No input or output is logged: they stand in the history, where the service guards them.
   */
  private log(logGroupName: string): LogGroup {
    return new LogGroup(this, 'Log', {
      logGroupName,
      retention: RetentionDays.ONE_YEAR,
      removalPolicy: RemovalPolicy.DESTROY, // its name is taken again by the next deployment
    });
  }

  private live(stateMachine: StateMachine): void {
    const { attrStateMachineRevisionId } = stateMachine.node.defaultChild as CfnStateMachine;
    const version = new CfnStateMachineVersion(this, 'Version', {
      stateMachineArn: stateMachine.stateMachineArn,
      stateMachineRevisionId: attrStateMachineRevisionId,
    });
    // A new revision replaces it; the earlier one stays, for those that run it and for the way back.
    version.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
    new CfnStateMachineAlias(this, 'Live', {
      name: liveAlias,
      routingConfiguration: [{ stateMachineVersionArn: version.attrArn, weight: 100 }],
    });
  }
}
