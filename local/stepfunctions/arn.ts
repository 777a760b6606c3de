import { ApiError } from './errors.ts';

/** One region, one account: names only, as nothing outside this machine ever sees them. */
export const REGION = 'eu-central-1';
const PREFIX = `arn:aws:states:${REGION}:000000000000`;

/** 1 to 80 characters, without white space, brackets, wildcards, control or special characters. */

const NAME = /^[^\s<>{}[\]?*"#%\\^|~`$&,;:/\u0000-\u001f\u007f-\u009f]{1,80}$/u;

export function checkName(name: unknown): string {
  if (typeof name !== 'string' || !NAME.test(name))
    throw new ApiError('InvalidName', `Invalid Name: '${String(name)}'`);
  return name;
}

export const machineArn = (name: string) => `${PREFIX}:stateMachine:${name}`;
export const executionArn = (machine: string, name: string) => `${PREFIX}:execution:${machine}:${name}`;

/** The machine an ARN names. A version or alias behind it names the same one: here only the current definition is started. */
export function machineOf(arn: unknown): string {
  const name = typeof arn === 'string' && /^arn:[^:]*:states:[^:]*:[^:]*:stateMachine:([^:]+)(:[^:]+)?$/.exec(arn)?.[1];
  if (!name) throw new ApiError('InvalidArn', `Invalid Arn: '${String(arn)}'`);
  return name;
}

/** The function a FunctionName names: an ARN or a plain name, either with or without an alias. */
export const functionOf = (name: string) => name.split(':function:').at(-1)!.split(':')[0]!;
