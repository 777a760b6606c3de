/** The codes a client may rely on; the table with HTTP equivalents and advice is commands.md §5. */
export type RefusalCode =
  | 'NOT_FOUND'
  | 'NOT_PERMITTED'
  | 'SEPARATION_OF_DUTIES'
  | 'NOT_THE_REVIEWER'
  | 'EXCLUDED'
  | 'VERSION_CONFLICT'
  | 'LEAD_CHANGED'
  | 'ILLEGAL_TRANSITION'
  | 'CHANGED_SINCE_SUBMISSION'
  | 'LIMIT_REACHED'
  | 'UNIQUE_VIOLATION'
  | 'ALREADY_MEMBER'
  | 'PRECONDITION_FAILED'
  | 'REFERENCE_INVALID'
  | 'HOLD_ACTIVE'
  | 'EFFECT_IN_FLIGHT'
  | 'NO_CHANGE'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'VALIDATION_FAILED';

/** What a frontend needs to act on a refusal; each code uses the parts that make sense for it. */
export type RefusalDetails = {
  /** VERSION_CONFLICT: what the caller thought, what is, and which fields moved in between. */
  expected?: number;
  actual?: number;
  changedFields?: string[];
  /** ILLEGAL_TRANSITION: where it stands (of a case, action or notice), and from where the command is allowed. */
  from?: string;
  allowed?: string[];
  /** LIMIT_REACHED. */
  limit?: number;
  count?: number;
  /** UNIQUE_VIOLATION: the claimed field and who holds it (an id, shown only where the caller may see it). */
  field?: string;
  holder?: string;
  /** PRECONDITION_FAILED, REFERENCE_INVALID: which one. VALIDATION_FAILED: which rule. */
  name?: string;
  rule?: string;
};

/** The answer is no, in words a client may rely on. A value: nobody threw anything. */
export type Refused = {
  kind: 'refused';
  code: RefusalCode;
  message: string;
  details: RefusalDetails;
  /** Where in the input, for refusals about one part of it. */
  path?: string[];
};

export const refused = (
  code: RefusalCode,
  message: string,
  details: RefusalDetails = {},
  path?: string[],
): Refused => ({
  kind: 'refused',
  code,
  message,
  details,
  ...(path && { path }),
});

export const preconditionFailed = (name: string, message: string): Refused =>
  refused('PRECONDITION_FAILED', message, { name });

export const referenceInvalid = (name: string, message: string): Refused =>
  refused('REFERENCE_INVALID', message, { name });

export const invalid = (rule: string, path: string[], message: string): Refused =>
  refused('VALIDATION_FAILED', message, { rule }, path);

export const illegalTransition = (command: string, from: string, allowed: readonly string[]): Refused =>
  refused('ILLEGAL_TRANSITION', `${command} is not possible from ${from}`, { from, allowed: [...allowed] });

export const noChange = (message: string): Refused => refused('NO_CHANGE', message);

export const isRefused = (value: unknown): value is Refused =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'refused';
