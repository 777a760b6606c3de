import {
  DescribeExecutionCommand,
  RedriveExecutionCommand,
  SendTaskFailureCommand,
  SendTaskHeartbeatCommand,
  SendTaskSuccessCommand,
  StartExecutionCommand,
  StopExecutionCommand,
  type SFNClient,
} from '@aws-sdk/client-sfn';
import { executionArnOf } from '../gateways/executionHistory.ts';

/** Those that carry out an effect, and the others. */
export const effectMachines = ['notice', 'notification', 'registration'] as const;
export const machineNames = [...effectMachines, 'reconciliation'] as const;
export type MachineName = (typeof machineNames)[number];

/** What an execution's waiting task is told. */
export type TokenAnswer = { success: unknown } | { error: string; cause: string };

/** Step Functions, as workflows use it: started by name, woken by token. */
export type StateMachines = {
  /** `different`: the name is taken by another input, which is a bug and never a success. */
  start: (machine: MachineName, name: string, input: string) => Promise<'started' | 'same' | 'different'>;
  /** Whether an execution of that name is at work now. */
  isRunning: (machine: MachineName, name: string) => Promise<boolean>;
  /** `stale`: nobody waits for the token any more; not an error, since the ledger is the truth. */
  answer: (token: string, answer: TokenAnswer) => Promise<'answered' | 'stale'>;
  heartbeat: (token: string) => Promise<'alive' | 'stale'>;
  /** How an execution stands, and how often it has been redriven. */
  describe: (machine: MachineName, name: string) => Promise<{ status: string; redriveCount: number } | undefined>;
  /** `refused`: it succeeded, it runs, or it is too old. */
  redrive: (machine: MachineName, name: string) => Promise<'redriven' | 'refused'>;
  /** Stopping what is over changes nothing. */
  stop: (machine: MachineName, name: string) => Promise<void>;
};

const nobodyWaits = ['TaskTimedOut', 'InvalidToken', 'TaskDoesNotExist'];

/** Over the real service or the embedded one; `arnOf` names the machine (through an alias where deployed). */
export function stateMachinesOf(client: SFNClient, arnOf: (machine: MachineName) => string): StateMachines {
  const describe: StateMachines['describe'] = async (machine, name) => {
    const executionArn = executionArnOf(arnOf(machine), name);
    try {
      const { status, redriveCount } = await client.send(new DescribeExecutionCommand({ executionArn }));
      return { status: status!, redriveCount: redriveCount ?? 0 };
    } catch (error) {
      if ((error as Error).name === 'ExecutionDoesNotExist') return undefined;
      throw error;
    }
  };

  return {
    describe,

    redrive: async (machine, name) => {
      try {
        await client.send(new RedriveExecutionCommand({ executionArn: executionArnOf(arnOf(machine), name) }));
        return 'redriven';
      } catch (error) {
        if ((error as Error).name === 'ExecutionNotRedrivable') return 'refused';
        throw error;
      }
    },

    stop: async (machine, name) => {
      const executionArn = executionArnOf(arnOf(machine), name);
      await client.send(new StopExecutionCommand({ executionArn, error: 'Operator.Stopped' }));
    },

    start: async (machine, name, input) => {
      const stateMachineArn = arnOf(machine);
      try {
        await client.send(new StartExecutionCommand({ stateMachineArn, name, input }));
        return 'started';
      } catch (error) {
        if ((error as Error).name !== 'ExecutionAlreadyExists') throw error;
        const executionArn = executionArnOf(stateMachineArn, name);
        const existing = await client.send(new DescribeExecutionCommand({ executionArn }));
        return existing.input === input ? 'same' : 'different';
      }
    },

    isRunning: async (machine, name) => (await describe(machine, name))?.status === 'RUNNING',

    answer: async (taskToken, answer) => {
      try {
        if ('success' in answer)
          await client.send(new SendTaskSuccessCommand({ taskToken, output: JSON.stringify(answer.success) }));
        else await client.send(new SendTaskFailureCommand({ taskToken, error: answer.error, cause: answer.cause }));
        return 'answered';
      } catch (error) {
        if (nobodyWaits.includes((error as Error).name)) return 'stale';
        throw error;
      }
    },

    heartbeat: async (taskToken) => {
      try {
        await client.send(new SendTaskHeartbeatCommand({ taskToken }));
        return 'alive';
      } catch (error) {
        if (nobodyWaits.includes((error as Error).name)) return 'stale';
        throw error;
      }
    },
  };
}
