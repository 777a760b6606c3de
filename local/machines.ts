import {
  CreateStateMachineCommand,
  ListStateMachinesCommand,
  UpdateStateMachineCommand,
  type SFNClient,
} from '@aws-sdk/client-sfn';
import notice from '../workflows/notice/notice.asl.json';
import notification from '../workflows/notification/notification.asl.json';
import reconciliation from '../workflows/reconciliation/reconciliation.asl.json';
import registration from '../workflows/registration/registration.asl.json';
import type { MachineName } from '../workflows/stateMachines.ts';

const definitions: Record<MachineName, unknown> = { notice, notification, registration, reconciliation };

/** Creates the machines, or brings them to today's definitions; running executions keep the one they began with. */
export async function createMachines(client: SFNClient): Promise<(machine: string) => string> {
  const { stateMachines = [] } = await client.send(new ListStateMachinesCommand({}));
  const arns = new Map<string, string>();
  for (const [name, value] of Object.entries(definitions)) {
    const definition = withFunctionNames(JSON.stringify(value));
    const known = stateMachines.find((machine) => machine.name === name)?.stateMachineArn;
    if (known) {
      await client.send(new UpdateStateMachineCommand({ stateMachineArn: known, definition }));
      arns.set(name, known);
    } else {
      const roleArn = 'arn:aws:iam::000000000000:role/docket';
      const created = await client.send(new CreateStateMachineCommand({ name, definition, roleArn }));
      arns.set(name, created.stateMachineArn!);
    }
  }
  return (machine) => arns.get(machine)!;
}

/** Deployed, a placeholder becomes a function's ARN; here the function's own name is enough. */
const withFunctionNames = (definition: string) => definition.replace(/\$\{(\w+)\}/g, '$1');
