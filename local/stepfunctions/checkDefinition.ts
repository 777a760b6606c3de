import { catchersOf, nestedScopes, type Machine, type Scope, type State } from './definition.ts';
import { stateProblems } from './checkState.ts';
import { queryLanguageProblems, unknownFields } from './unknownFields.ts';

/** Everything in a definition that would not run, each with its place; nothing for one that does. */
export function definitionProblems(text: string): string[] {
  if (Buffer.byteLength(text) > LARGEST_DEFINITION) return [`the definition is over ${LARGEST_DEFINITION} bytes`];
  let machine: Machine;
  try {
    machine = JSON.parse(text) as Machine;
  } catch (error) {
    return [`the definition is not JSON: ${(error as Error).message}`];
  }
  if (typeof machine !== 'object' || machine === null) return ['the definition is not an object'];
  const names = new Set<string>();
  return [
    ...unknownFields(
      machine,
      ['Comment', 'Version', 'TimeoutSeconds', 'StartAt', 'States', 'QueryLanguage'],
      'the machine',
    ),
    ...queryLanguageProblems(machine, 'the machine'),
    ...(machine.Version === undefined || machine.Version === '1.0' ? [] : ['Version must be "1.0"']),
    ...(machine.TimeoutSeconds === undefined || machine.TimeoutSeconds > 0 ? [] : ['TimeoutSeconds must be positive']),
    ...scopeProblems(machine, 'States', names),
  ];
}

/** An item of the journal holds 400 KB; AWS would allow 1 MB. */
const LARGEST_DEFINITION = 262_144;
const LONGEST_STATE_NAME = 80;

function scopeProblems(scope: Scope, where: string, names: Set<string>): string[] {
  if (typeof scope !== 'object' || scope === null || typeof scope.States !== 'object' || scope.States === null)
    return [`${where}: no States`];
  const problems = Object.hasOwn(scope.States, scope.StartAt) ? [] : [`${where}: StartAt names no state`];
  for (const [name, state] of Object.entries(scope.States)) {
    const place = `${where}.${name}`;
    if (name.length > LONGEST_STATE_NAME) problems.push(`${place}: the name is over ${LONGEST_STATE_NAME} characters`);
    if (names.has(name)) problems.push(`${place}: the name is used twice in the machine`);
    names.add(name);
    const own = [...queryLanguageProblems(state, place), ...stateProblems(state, place)];
    problems.push(...own);
    if (own.length > 0) continue; // what follows relies on its shape
    problems.push(...transitionProblems(scope, state, place));
    for (const [n, inner] of nestedScopes(state).entries())
      problems.push(...scopeProblems(inner, `${place}[${n}]`, names));
  }
  return problems;
}

function transitionProblems(scope: Scope, state: State, place: string): string[] {
  const targets = [
    state.Next,
    ...(state.Type === 'Choice' ? [state.Default, ...state.Choices.map((choice) => choice.Next)] : []),
    ...catchersOf(state).map((catcher) => catcher.Next),
  ];
  return targets
    .filter((target) => target !== undefined && !Object.hasOwn(scope.States, target))
    .map((target) => `${place}: there is no state '${target}' beside it`);
}
