import {
  DescribeExecutionCommand,
  SendTaskFailureCommand,
  SendTaskHeartbeatCommand,
  SendTaskSuccessCommand,
  StartExecutionCommand,
  type SFNClient,
} from '@aws-sdk/client-sfn';

export type MachineName = 'notice' | 'registration';

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
};

const nobodyWaits = ['TaskTimedOut', 'InvalidToken', 'TaskDoesNotExist'];

/** Over the real service or the embedded one; `arnOf` names the machine (through an alias where deployed). */
export function stateMachinesOf(client: SFNClient, arnOf: (machine: MachineName) => string): StateMachines {
  return {
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

    isRunning: async (machine, name) => {
      const executionArn = executionArnOf(arnOf(machine), name);
      try {
        return (await client.send(new DescribeExecutionCommand({ executionArn }))).status === 'RUNNING';
      } catch (error) {
        if ((error as Error).name === 'ExecutionDoesNotExist') return false;
        throw error;
      }
    },

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

/** The ARN of an execution of a machine, or of a machine named through an alias or version. */
function executionArnOf(stateMachineArn: string, name: string): string {
  const parts = stateMachineArn.split(':');
  return [...parts.slice(0, 5), 'execution', parts[6], name].join(':');
}
