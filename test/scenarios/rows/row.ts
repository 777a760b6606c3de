import type { Input, Matter, Office, Person } from '../office.ts';

/** One mutation: who sends it, and an input that is accepted as it stands and leaves nothing of the SDL's input out. */
export type Row = {
  by: Person;
  good: (office: Office) => Promise<Input>;
  /** Roles with which somebody who has no part in the case may send it, too. */
  strangers: string[];
};
export type Rows = Record<string, Row>;

export const onCase = (matter: Matter, input: Input = {}) => ({
  caseId: matter.caseId,
  expectedVersion: matter.version,
  ...input,
});
