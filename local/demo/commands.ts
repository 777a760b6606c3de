import type { Ask } from './client.ts';

export type Refusal = { __typename: string; code: string; message: string; expected?: number; actual?: number };
export type CaseNow = { id: string; number: string; status: string; version: number };
export type Applied = {
  case: CaseNow | null;
  action: { id: string; status: string; version: number } | null;
  officer: { id: string } | null;
  appliedVersion: number | null;
  replayed: boolean;
  errors: Refusal[];
};

const caseFields = 'case { id number status version }';
const fields: Record<'case' | 'action' | 'officer', string> = {
  case: caseFields,
  action: `${caseFields} action { id status version }`,
  officer: 'officer { id }',
};

/** The mutations of the story, with what their payloads hold. */
const payloads = {
  registerOfficer: 'officer',
  openCase: 'case',
  addParty: 'case',
  recordContravention: 'case',
  addInvestigator: 'case',
  setContraventionFinding: 'case',
  submitForReview: 'case',
  assignReviewer: 'case',
  approveCase: 'case',
  closeCase: 'case',
  startEnforcement: 'action',
  issueEnforcementAction: 'action',
  submitToRegistry: 'action',
} as const satisfies Record<string, keyof typeof fields>;
export type MutationName = keyof typeof payloads;

/** Sends one mutation; a refusal is an answer and comes back as one. */
export async function send(ask: Ask, name: MutationName, input: Record<string, unknown>): Promise<Applied> {
  const type = `${name[0]!.toUpperCase()}${name.slice(1)}Input!`;
  const errors = 'errors { __typename code message ... on VersionConflict { expected actual } }';
  const query = `mutation ($input: ${type}) { answer: ${name}(input: $input) {
    ${fields[payloads[name]]} appliedVersion replayed ${errors} } }`;
  return (await ask(query, { input }))['answer'] as Applied;
}

/** The same, for a mutation that must succeed. */
export async function must(ask: Ask, name: MutationName, input: Record<string, unknown>): Promise<Applied> {
  const answer = await send(ask, name, input);
  const [refusal] = answer.errors;
  if (refusal) throw new Error(`${name} was refused: ${refusal.code}, ${refusal.message}`);
  return answer;
}
