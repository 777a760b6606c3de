import { allowedBy } from '../resolvers/access.ts';
import { executableSchema } from '../resolvers/schema.ts';
import { isEnumType, isInputObjectType, isNonNullType, type GraphQLSchema } from 'graphql';

/** What the SDL says of a command: who may knock, what it is, and whose version it takes. */
export type Door = { description: string; permissions: string[]; version: string | undefined };

export const contract = (): GraphQLSchema => executableSchema();

export function doorsOf(schema: GraphQLSchema): Map<string, Door> {
  const fields = Object.values(schema.getMutationType()!.getFields());
  return new Map(
    fields.map((field) => {
      const type = field.args[0]!.type;
      const input = isNonNullType(type) && isInputObjectType(type.ofType) ? type.ofType.getFields() : {};
      const version = input['expectedVersion'];
      const told = version && (version.description ?? 'The version of the aggregate.');
      return [
        field.name,
        { description: oneLine(field.description ?? ''), permissions: allowedBy(schema, field) ?? [], version: told },
      ];
    }),
  );
}

/** What the SDL says of each value of an enum. */
export function wordsOf(schema: GraphQLSchema, name: string): Map<string, string> {
  const type = schema.getType(name);
  if (!isEnumType(type)) throw new Error(`the SDL has no enum ${name}`);
  return new Map(type.getValues().map((value) => [value.name, oneLine(value.description ?? '')]));
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();
