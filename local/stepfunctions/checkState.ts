import { ruleProblems, TIMESTAMP, type ChoiceRule } from './choice.ts';
import { catcherProblems, retrierProblems } from './checkRecovery.ts';
import {
  INVOKE,
  INVOKE_AND_WAIT,
  type FailState,
  type MapState,
  type State,
  type TaskState,
  type WaitState,
} from './definition.ts';
import { parsePath, parseReferencePath } from './paths.ts';
import { problemOf, templateProblems } from './template.ts';
import { unknownFields } from './unknownFields.ts';

const ALWAYS = ['Type', 'Comment', 'QueryLanguage'];
const PATHS = ['InputPath', 'OutputPath'];
const ONWARD = ['Next', 'End'];
const RESULT = ['Parameters', 'ResultSelector', 'ResultPath'];
const RECOVERY = ['Retry', 'Catch'];
const TIMING = ['TimeoutSeconds', 'TimeoutSecondsPath', 'HeartbeatSeconds', 'HeartbeatSecondsPath'];
const WAITING = ['Seconds', 'SecondsPath', 'Timestamp', 'TimestampPath'];

/** Fields that run, by type. A field that is not here is refused: left out in silence it would change what happens. */
const FIELDS: Record<State['Type'], string[]> = {
  Pass: [...PATHS, ...ONWARD, 'Parameters', 'Result', 'ResultPath'],
  Task: [...PATHS, ...ONWARD, ...RESULT, ...RECOVERY, ...TIMING, 'Resource'],
  Choice: [...PATHS, 'Choices', 'Default'],
  Wait: [...PATHS, ...ONWARD, ...WAITING],
  Parallel: [...PATHS, ...ONWARD, ...RESULT, ...RECOVERY, 'Branches'],
  Map: [...PATHS, ...ONWARD, ...RESULT, ...RECOVERY, 'ItemsPath', 'ItemSelector', 'MaxConcurrency', 'ItemProcessor'],
  Succeed: PATHS,
  Fail: ['Error', 'ErrorPath', 'Cause', 'CausePath'],
};

export function stateProblems(state: State, where: string): string[] {
  if (typeof state !== 'object' || state === null || !Object.hasOwn(FIELDS, state.Type))
    return [`${where}: Type must be one of ${Object.keys(FIELDS).join(', ')}`];
  return [
    ...unknownFields(state, [...ALWAYS, ...FIELDS[state.Type]], where),
    ...flowProblems(state, where),
    ...(FIELDS[state.Type].includes('Next') && (typeof state.Next === 'string') === (state.End === true)
      ? [`${where}: either Next or End, not both or neither`]
      : []),
    ...retrierProblems(state, where),
    ...catcherProblems(state, where),
    ...ownProblems(state, where),
  ];
}

function flowProblems(state: State, where: string): string[] {
  return [
    ...pathProblems(state.InputPath, parsePath, `${where}.InputPath`),
    ...pathProblems(state.OutputPath, parsePath, `${where}.OutputPath`),
    ...pathProblems(state.ResultPath, parseReferencePath, `${where}.ResultPath`),
    ...templateProblems(state.Parameters, `${where}.Parameters`),
    ...templateProblems(state.ResultSelector, `${where}.ResultSelector`),
  ];
}

const pathProblems = (path: unknown, parse: (text: string) => unknown, where: string) =>
  path === undefined || path === null ? [] : problemOf(() => parse(path as string), where);

function ownProblems(state: State, where: string): string[] {
  switch (state.Type) {
    case 'Task':
      return taskProblems(state, where);
    case 'Wait':
      return waitProblems(state, where);
    case 'Map':
      return mapProblems(state, where);
    case 'Fail':
      return failProblems(state, where);
    case 'Choice':
      return Array.isArray(state.Choices) && state.Choices.length > 0
        ? state.Choices.flatMap((rule: ChoiceRule, n) => ruleProblems(rule, `${where}.Choices[${n}]`, true))
        : [`${where}: no Choices`];
    case 'Parallel':
      return Array.isArray(state.Branches) && state.Branches.length > 0
        ? state.Branches.flatMap((branch, n) =>
            unknownFields(branch, ['Comment', 'StartAt', 'States'], `${where}[${n}]`),
          )
        : [`${where}: no Branches`];
    default:
      return [];
  }
}

function taskProblems(state: TaskState, where: string): string[] {
  if (state.Resource !== INVOKE && state.Resource !== INVOKE_AND_WAIT)
    return [`${where}: the integration ${state.Resource} does not run here; only ${INVOKE}[.waitForTaskToken] does`];
  const parameters = (state.Parameters ?? {}) as Record<string, unknown>;
  const usesToken = JSON.stringify(parameters).includes('$$.Task.Token');
  return [
    ...unknownFields(parameters, ['FunctionName', 'FunctionName.$', 'Payload', 'Payload.$'], `${where}.Parameters`),
    ...('FunctionName' in parameters || 'FunctionName.$' in parameters
      ? []
      : [`${where}: Parameters name no FunctionName`]),
    ...(state.Resource === INVOKE_AND_WAIT && !usesToken ? [`${where}: Parameters never pass $$.Task.Token`] : []),
    ...(state.Resource === INVOKE && usesToken ? [`${where}: $$.Task.Token exists only with .waitForTaskToken`] : []),
    ...oneOf(state, ['TimeoutSeconds', 'TimeoutSecondsPath'], where, true),
    ...oneOf(state, ['HeartbeatSeconds', 'HeartbeatSecondsPath'], where, true),
    ...positive(state.TimeoutSeconds, `${where}.TimeoutSeconds`),
    ...positive(state.HeartbeatSeconds, `${where}.HeartbeatSeconds`),
    ...pathProblems(state.TimeoutSecondsPath, parsePath, `${where}.TimeoutSecondsPath`),
    ...pathProblems(state.HeartbeatSecondsPath, parsePath, `${where}.HeartbeatSecondsPath`),
    ...((state.HeartbeatSeconds ?? 0) >= (state.TimeoutSeconds ?? Infinity)
      ? [`${where}: HeartbeatSeconds must be below TimeoutSeconds`]
      : []),
  ];
}

function waitProblems(state: WaitState, where: string): string[] {
  const seconds = state.Seconds;
  return [
    ...oneOf(state, WAITING, where, false),
    ...(seconds === undefined || (Number.isInteger(seconds) && seconds >= 0 && seconds <= LONGEST_SECONDS)
      ? []
      : [`${where}.Seconds must be a whole number up to ${LONGEST_SECONDS}`]),
    ...(state.Timestamp === undefined || TIMESTAMP.test(state.Timestamp) ? [] : [`${where}.Timestamp is no timestamp`]),
    ...pathProblems(state.SecondsPath, parsePath, `${where}.SecondsPath`),
    ...pathProblems(state.TimestampPath, parsePath, `${where}.TimestampPath`),
  ];
}

export const LONGEST_SECONDS = 99_999_999;

function mapProblems(state: MapState, where: string): string[] {
  const processor = state.ItemProcessor as MapState['ItemProcessor'] | undefined;
  if (typeof processor !== 'object') return [`${where}: no ItemProcessor`];
  const mode = (processor.ProcessorConfig as { Mode?: string } | undefined)?.Mode ?? 'INLINE';
  return [
    ...unknownFields(processor, ['Comment', 'ProcessorConfig', 'StartAt', 'States'], `${where}.ItemProcessor`),
    ...(mode === 'INLINE' ? [] : [`${where}: a ${mode} Map does not run here; only an INLINE one does`]),
    ...unknownFields(processor.ProcessorConfig ?? {}, ['Mode'], `${where}.ProcessorConfig`),
    ...pathProblems(state.ItemsPath, parsePath, `${where}.ItemsPath`),
    ...templateProblems(state.ItemSelector, `${where}.ItemSelector`),
    ...(state.Parameters === undefined ? [] : [`${where}: Parameters of a Map do not run here; say ItemSelector`]),
    ...(Number.isInteger(state.MaxConcurrency ?? 0) && (state.MaxConcurrency ?? 0) >= 0
      ? []
      : [`${where}.MaxConcurrency must be a whole number`]),
  ];
}

const failProblems = (state: FailState, where: string): string[] => [
  ...oneOf(state, ['Error', 'ErrorPath'], where, true),
  ...oneOf(state, ['Cause', 'CausePath'], where, true),
  ...failPathProblems(state.ErrorPath, `${where}.ErrorPath`),
  ...failPathProblems(state.CausePath, `${where}.CausePath`),
];

const failPathProblems = (path: string | undefined, where: string) =>
  path?.startsWith('States.') ? templateProblems({ 'path.$': path }, where) : pathProblems(path, parsePath, where);

function oneOf(state: object, fields: string[], where: string, orNone: boolean): string[] {
  const given = fields.filter((field) => field in state).length;
  return given === 1 || (orNone && given === 0) ? [] : [`${where}: exactly one of ${fields.join(', ')}`];
}

const positive = (value: number | undefined, where: string) =>
  value === undefined || (Number.isInteger(value) && value > 0 && value <= LONGEST_SECONDS)
    ? []
    : [`${where} must be a whole number of seconds, at least 1`];
