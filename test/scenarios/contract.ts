import {
  buildSchema,
  getNamedType,
  isInputObjectType,
  isNonNullType,
  isObjectType,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLObjectType,
} from 'graphql';
import { sdl } from '../../graphql/sdl.ts';

/** The published contract: what the scenarios send is built from it, so that nothing new in it escapes them. */
export const schema = buildSchema(sdl);

const mutations = schema.getMutationType()!.getFields();
export const inputOf = (mutation: string): GraphQLInputObjectType => {
  const type = getNamedType(mutations[mutation]!.args[0]!.type);
  if (!isInputObjectType(type)) throw new Error(`the input of ${mutation} is no input object`);
  return type;
};

/** Acts of operators are about work that has failed: test/operations makes it fail, and walks them. */
const ofOperators = (name: string) => 'expectedStatus' in inputOf(name).getFields();
export const mutationNames = Object.keys(mutations).filter((name) => !ofOperators(name));

export const inputFields = (type: GraphQLInputObjectType): GraphQLInputField[] => Object.values(type.getFields());
export const isRequired = ({ type, defaultValue }: GraphQLInputField) =>
  isNonNullType(type) && defaultValue === undefined;

export const userErrorCodes = enumValues('UserErrorCode');
export const roles = enumValues('Role').filter((role) => role !== 'SERVICE');

function enumValues(name: string): string[] {
  const type = schema.getType(name);
  if (!type || !('getValues' in type)) throw new Error(`no enum ${name}`);
  return type.getValues().map((value) => value.name);
}

/** A refusal with all that its own type adds. */
const refusal = `errors { __typename code message path retry ... on VersionConflict { expected actual changedFields }
  ... on IllegalTransition { from allowed } ... on LimitReached { limit count } ... on UniqueViolation { field holder }
  ... on PreconditionFailed { name } ... on ReferenceInvalid { name } ... on ValidationFailed { rule } }`;

const shown: Record<string, string> = {
  case: 'case { id number status version }',
  action: 'action { id status version notice { id status } }',
  task: 'task { id status version assignee { id } }',
  document: 'document { id status version }',
  transfer: 'transfer { method url headers { name value } expiresAt }',
  download: 'download { url expiresAt }',
  hold: 'hold { id status version }',
  effect: 'effect { id status }',
  message: 'message { id status }',
  execution: 'execution { id status }',
  lease: 'lease { id state }',
  officer: 'officer { id activeLoad maxLoad }',
};

/** The document of one mutation, with everything its payload holds; the answer is called `answer`. */
export function documentOf(mutation: string): string {
  const payload = getNamedType(mutations[mutation]!.type) as GraphQLObjectType;
  if (!isObjectType(payload)) throw new Error(`the payload of ${mutation} is no object`);
  const fields = Object.keys(payload.getFields()).map((name) => (name === 'errors' ? refusal : (shown[name] ?? name)));
  return `mutation ($input: ${inputOf(mutation).name}!) { answer: ${mutation}(input: $input) { ${fields.join(' ')} } }`;
}

export type Refusal = {
  __typename: string;
  code: string;
  message: string;
  path: string[] | null;
  retry: string;
  rule?: string;
  name?: string;
  holder?: string | null;
  limit?: number;
  count?: number;
  from?: string;
};

export type Payload = {
  case?: { id: string; number: string; status: string; version: number } | null;
  action?: { id: string; status: string; version: number; notice: { id: string; status: string } | null } | null;
  task?: { id: string; status: string; version: number; assignee: { id: string } | null } | null;
  document?: { id: string; status: string; version: number } | null;
  transfer?: { method: string; url: string; headers: { name: string; value: string }[]; expiresAt: string } | null;
  download?: { url: string; expiresAt: string } | null;
  hold?: { id: string; status: string; version: number } | null;
  officer?: { id: string; activeLoad: number; maxLoad: number } | null;
  appliedVersion: number | null;
  createdIds?: string[];
  replayed: boolean;
  errors: Refusal[];
};
