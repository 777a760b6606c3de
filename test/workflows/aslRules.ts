/** Rules of this house that neither public validator of the Amazon States Language has. */
export type Finding = { state: string; rule: string; text: string };

type Retrier = {
  ErrorEquals: string[];
  IntervalSeconds?: number;
  BackoffRate?: number;
  MaxAttempts?: number;
  MaxDelaySeconds?: number;
  JitterStrategy?: string;
};
type Catcher = { ErrorEquals: string[]; ResultPath?: string | null; Next: string };
type Scope = { StartAt: string; States: Record<string, State> };
type State = {
  Type: string;
  Resource?: string;
  End?: boolean;
  Default?: string;
  Parameters?: Record<string, unknown>;
  Retry?: Retrier[];
  Catch?: Catcher[];
  Branches?: Scope[];
  ItemProcessor?: Scope;
  TimeoutSeconds?: number;
  TimeoutSecondsPath?: string;
  HeartbeatSeconds?: number;
  HeartbeatSecondsPath?: string;
  QueryLanguage?: string;
};
type Machine = Scope & { TimeoutSeconds?: number; QueryLanguage?: string };
type Named = { name: string; state: State };

/** Acts on an outside party, so it may end not knowing whether it did. */
const SENDS = /^(Send|Submit)/;
/** Finds out what became of it. */
const ASKS = /^(Ask|Settle)/;

/** T: what Lambda itself answers when the call did not work. Q: throttling. B: somebody else is working on it. */
const RETRIERS: Record<
  string,
  { errors: string[]; interval: number; rate: number; attempts: number; jitter: boolean }
> = {
  T: {
    errors: [
      'Lambda.ClientExecutionTimeoutException',
      'Lambda.ServiceException',
      'Lambda.AWSLambdaException',
      'Lambda.SdkClientException',
    ],
    ...{ interval: 2, rate: 2, attempts: 6, jitter: true },
  },
  Q: { errors: ['Lambda.TooManyRequestsException'], interval: 1, rate: 2, attempts: 8, jitter: true },
  B: { errors: ['Busy'], interval: 5, rate: 1.5, attempts: 20, jitter: false },
};
const CAP_SECONDS = 60;

export function aslRules(definition: object): Finding[] {
  const machine = definition as Machine;
  const states = [...statesOf(machine)];
  const findings: Finding[] = [];
  if (!machine.TimeoutSeconds) findings.push(found('(machine)', 'machine-timeout', 'no TimeoutSeconds'));
  if ([machine, ...states.map(({ state }) => state)].some(({ QueryLanguage }) => QueryLanguage === 'JSONata'))
    findings.push(found('(machine)', 'jsonpath-only', 'JSONata does not run in the embedded host'));
  for (const [n, { name }] of states.entries())
    if (states.findIndex((other) => other.name === name) < n)
      findings.push(found(name, 'unique-names', 'the name is used twice'));
  return [...findings, ...states.flatMap((one) => stateRules(one, states))];
}

function* statesOf(scope: Scope): Generator<Named> {
  for (const [name, state] of Object.entries(scope.States)) {
    yield { name, state };
    for (const inner of [...(state.Branches ?? []), ...(state.ItemProcessor ? [state.ItemProcessor] : [])])
      yield* statesOf(inner);
  }
}

function stateRules({ name, state }: Named, all: Named[]): Finding[] {
  return [
    ...(state.Type === 'Choice' && !state.Default ? [found(name, 'choice-default', 'a Choice without Default')] : []),
    ...(state.Type === 'Task'
      ? [...timingRules(name, state), ...dataRules(name, state), ...houseRetriers(name, state)]
      : []),
    ...(state.Retry ?? []).flatMap((retrier, n) => retrierRules(name, retrier, n)),
    ...(state.Catch ?? []).flatMap((catcher, n) => catcherRules(name, state, catcher, n, all)),
    ...wildcardRules(name, 'Retry', state.Retry ?? []),
    ...wildcardRules(name, 'Catch', state.Catch ?? []),
  ];
}

function timingRules(name: string, state: State): Finding[] {
  const waits = awaitsToken(state);
  const findings: Finding[] = [];
  if (!state.TimeoutSeconds && !state.TimeoutSecondsPath)
    findings.push(found(name, 'task-timeout', 'a Task without TimeoutSeconds'));
  if (waits && !state.HeartbeatSeconds && !state.HeartbeatSecondsPath)
    findings.push(found(name, 'heartbeat', 'a Task that waits for its token without HeartbeatSeconds'));
  if ((state.HeartbeatSeconds ?? 0) >= (state.TimeoutSeconds ?? Infinity))
    findings.push(found(name, 'heartbeat-order', 'HeartbeatSeconds must be below TimeoutSeconds'));
  if (waits !== JSON.stringify(state.Parameters ?? {}).includes('$$.Task.Token'))
    findings.push(
      found(name, 'token', waits ? 'Parameters never pass $$.Task.Token' : '$$.Task.Token without .waitForTaskToken'),
    );
  return findings;
}

function dataRules(name: string, state: State): Finding[] {
  const decided = state.End === true || ['ResultPath', 'ResultSelector', 'OutputPath'].some((field) => field in state);
  return [
    ...(decided ? [] : [found(name, 'payload-growth', 'keep, select or drop the result on purpose')]),
    ...forgottenDollars(state.Parameters, 'Parameters').map((text) => found(name, 'dollar-key', text)),
    ...(JSON.stringify(state.Parameters ?? {}).includes('$$.Execution.Id')
      ? []
      : [found(name, 'execution-arn', 'the task is not told its execution ($$.Execution.Id)')]),
  ];
}

function forgottenDollars(template: unknown, where: string): string[] {
  if (typeof template !== 'object' || template === null) return [];
  return Object.entries(template).flatMap(([key, value]) => {
    if (typeof value !== 'string') return forgottenDollars(value, `${where}.${key}`);
    return !key.endsWith('.$') && /^\$\$?[.[]/.test(value) ? [`${where}.${key} looks like a path but lacks ".$"`] : [];
  });
}

/** Every task has all three, the sending ones too: re-entry meets the ledger, so a retry is never a blind resend. */
function houseRetriers(name: string, state: State): Finding[] {
  return Object.entries(RETRIERS).flatMap(([letter, wanted]) => {
    const retrier = state.Retry?.find(({ ErrorEquals }) => wanted.errors.every((error) => ErrorEquals.includes(error)));
    if (!retrier)
      return [found(name, `retrier-${letter}`, `does not retry ${wanted.errors.join(', ')} in one retrier`)];
    const right =
      (retrier.IntervalSeconds ?? 1) === wanted.interval &&
      (retrier.BackoffRate ?? 2) === wanted.rate &&
      (retrier.MaxAttempts ?? 3) === wanted.attempts &&
      retrier.MaxDelaySeconds === CAP_SECONDS &&
      (!wanted.jitter || retrier.JitterStrategy === 'FULL');
    const { interval, rate, attempts, jitter } = wanted;
    const text = `retrier ${letter} is ${interval} s, x${rate}, ${attempts} tries, cap ${CAP_SECONDS} s${jitter ? ', full jitter' : ''}`;
    return right ? [] : [found(name, `retrier-${letter}`, text)];
  });
}

function retrierRules(name: string, retrier: Retrier, n: number): Finding[] {
  const { BackoffRate = 2, MaxAttempts = 3, MaxDelaySeconds, IntervalSeconds = 1 } = retrier;
  const findings: Finding[] = [];
  if (BackoffRate < 1) findings.push(found(name, 'backoff', `Retry[${n}]: BackoffRate below 1`));
  if (MaxAttempts > 3 && MaxDelaySeconds === undefined)
    findings.push(found(name, 'max-delay', `Retry[${n}] backs off without a cap`));
  if (MaxDelaySeconds !== undefined && MaxDelaySeconds <= IntervalSeconds)
    findings.push(found(name, 'max-delay', `Retry[${n}]: MaxDelaySeconds must exceed IntervalSeconds`));
  if (retrier.ErrorEquals.some((error) => WILDCARDS.includes(error)))
    findings.push(found(name, 'named-retries', `Retry[${n}] retries whatever comes; name the errors`));
  return findings;
}

const WILDCARDS = ['States.ALL', 'States.TaskFailed'];

/** Other faults stay uncaught, so that the execution fails where it failed and can be redriven from there. */
function catcherRules(name: string, state: State, catcher: Catcher, n: number, all: Named[]): Finding[] {
  const findings: Finding[] = [];
  if (!('ResultPath' in catcher))
    findings.push(found(name, 'catch-keeps-input', `Catch[${n}] replaces the whole input`));
  if (!catcher.ErrorEquals.some((error) => WILDCARDS.includes(error))) return findings;
  if (state.Type !== 'Task' || !SENDS.test(name))
    findings.push(
      found(name, 'catch-all', `Catch[${n}]: only a sending state (Send..., Submit...) may catch whatever comes`),
    );
  else if (!ASKS.test(catcher.Next))
    findings.push(
      found(
        name,
        'catch-all-asks',
        `Catch[${n}] leads to ${catcher.Next}, not to a state that asks (Ask..., Settle...)`,
      ),
    );
  if (all.find((other) => other.name === catcher.Next)?.state.Type === 'Fail')
    findings.push(
      found(name, 'redrivable', `Catch[${n}] leads into a Fail state: a redrive would only enter it again`),
    );
  return findings;
}

function wildcardRules(name: string, kind: string, list: { ErrorEquals: string[] }[]): Finding[] {
  return list.flatMap(({ ErrorEquals }, n) => {
    if (!ErrorEquals.includes('States.ALL')) return [];
    return [
      ...(ErrorEquals.length > 1 ? [found(name, 'all-alone', `${kind}[${n}] mixes States.ALL with other names`)] : []),
      ...(n < list.length - 1 ? [found(name, 'all-last', `${kind}[${n}] has States.ALL before other entries`)] : []),
    ];
  });
}

const awaitsToken = (state: State) => state.Resource?.endsWith('.waitForTaskToken') === true;

const found = (state: string, rule: string, text: string): Finding => ({ state, rule, text });
