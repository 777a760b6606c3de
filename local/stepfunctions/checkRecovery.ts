import { catchersOf, retriersOf, type State } from './definition.ts';
import { parseReferencePath } from './paths.ts';
import { problemOf } from './template.ts';
import { unknownFields } from './unknownFields.ts';

const RETRIER = [
  'ErrorEquals',
  'IntervalSeconds',
  'MaxAttempts',
  'BackoffRate',
  'MaxDelaySeconds',
  'JitterStrategy',
  'Comment',
];
const LONGEST_DELAY = 31_622_400; // a leap year, as on AWS

export function retrierProblems(state: State, where: string): string[] {
  const retriers = retriersOf(state);
  return retriers.flatMap((retrier, n) => {
    const place = `${where}.Retry[${n}]`;
    const { IntervalSeconds = 1, MaxAttempts = 3, BackoffRate = 2, MaxDelaySeconds, JitterStrategy = 'NONE' } = retrier;
    return [
      ...unknownFields(retrier, RETRIER, place),
      ...errorListProblems(retrier.ErrorEquals, n === retriers.length - 1, place),
      ...need(Number.isInteger(IntervalSeconds) && IntervalSeconds >= 1, `${place}.IntervalSeconds must be at least 1`),
      ...need(Number.isInteger(MaxAttempts) && MaxAttempts >= 0, `${place}.MaxAttempts must not be negative`),
      ...need(BackoffRate >= 1, `${place}.BackoffRate must be at least 1`),
      ...need(['FULL', 'NONE'].includes(JitterStrategy), `${place}.JitterStrategy must be FULL or NONE`),
      ...need(
        MaxDelaySeconds === undefined || (MaxDelaySeconds > IntervalSeconds && MaxDelaySeconds < LONGEST_DELAY),
        `${place}.MaxDelaySeconds must exceed IntervalSeconds`,
      ),
    ];
  });
}

export function catcherProblems(state: State, where: string): string[] {
  const catchers = catchersOf(state);
  return catchers.flatMap((catcher, n) => {
    const place = `${where}.Catch[${n}]`;
    return [
      ...unknownFields(catcher, ['ErrorEquals', 'Next', 'ResultPath', 'Comment'], place),
      ...errorListProblems(catcher.ErrorEquals, n === catchers.length - 1, place),
      ...need(typeof catcher.Next === 'string', `${place}: no Next`),
      ...(typeof catcher.ResultPath === 'string'
        ? problemOf(() => parseReferencePath(catcher.ResultPath!), `${place}.ResultPath`)
        : []),
    ];
  });
}

function errorListProblems(names: unknown, last: boolean, place: string): string[] {
  if (!Array.isArray(names) || names.length === 0) return [`${place}: no ErrorEquals`];
  return need(
    !names.includes('States.ALL') || (names.length === 1 && last),
    `${place}: States.ALL stands alone and last`,
  );
}

const need = (met: boolean, otherwise: string) => (met ? [] : [otherwise]);
