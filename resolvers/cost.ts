import type { ApolloServerPlugin } from '@apollo/server';
import {
  getArgumentValues,
  getDirectiveValues,
  getNamedType,
  getNullableType,
  getVariableValues,
  GraphQLError,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  isAbstractType,
  isCompositeType,
  isListType,
  isObjectType,
  Kind,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import type { Context } from './context.ts';
import { limits } from './limits.ts';

/** What one object of these types weighs, which hold long texts; of any other, 1. */
const heavy: Readonly<Record<string, number>> = { Case: 2, Review: 2, EnforcementAction: 2, Note: 2, AuditEvent: 3 };

/** Entries of a list that has no size of its own: of buttons, of details, of names. */
const plainList = 10;

type Walk = {
  schema: GraphQLSchema;
  variables: Record<string, unknown>;
  fragments: Map<string, FragmentDefinitionNode>;
  /** A fragment weighs the same wherever it is spread on the same page size: counted once, whatever it spreads itself. */
  known: Map<string, number>;
};

/**
 * The most objects that an operation can ask for, weighed: sizes of pages and numbers of ids as they are once variables and
 * defaults are in, multiplied where lists stand in lists. Undefined where the variables are not of their types, which
 * whoever carries the operation out will say.
 */
export function costOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  given: Readonly<Record<string, unknown>>,
): number | undefined {
  const root = schema.getRootType(operation.operation);
  const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], given, { maxErrors: 1 });
  if (!root || !coerced) return undefined;
  const named = document.definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION);
  const fragments = new Map(named.map((fragment) => [fragment.name.value, fragment]));
  return selected({ schema, variables: coerced, fragments, known: new Map() }, operation.selectionSet, root, undefined);
}

/** `size` is that of the page the selection is about: the entries of a connection's lists. */
function selected(walk: Walk, set: SelectionSetNode, type: GraphQLCompositeType, size: number | undefined): number {
  let cost = 0;
  for (const node of set.selections) {
    if (leftOut(walk, node)) continue;
    if (node.kind === Kind.FIELD) cost += ofField(walk, node, type, size);
    else if (node.kind === Kind.INLINE_FRAGMENT) {
      const on = node.typeCondition ? walk.schema.getType(node.typeCondition.name.value) : type;
      if (isCompositeType(on)) cost += selected(walk, node.selectionSet, on, size);
    } else cost += ofFragment(walk, node.name.value, size);
  }
  return cost;
}

function ofFragment(walk: Walk, name: string, size: number | undefined): number {
  const key = `${name} ${size ?? ''}`;
  const known = walk.known.get(key);
  if (known !== undefined) return known;
  const fragment = walk.fragments.get(name);
  const on = fragment && walk.schema.getType(fragment.typeCondition.name.value);
  const cost = fragment && isCompositeType(on) ? selected(walk, fragment.selectionSet, on, size) : 0;
  walk.known.set(key, cost);
  return cost;
}

function ofField(walk: Walk, node: FieldNode, parent: GraphQLCompositeType, size: number | undefined): number {
  const field = isAbstractType(parent) && !('getFields' in parent) ? undefined : parent.getFields()[node.name.value];
  const of = field && getNamedType(field.type);
  if (!field || !node.selectionSet || !isCompositeType(of)) return 0; // leaves come with their object
  const args = argumentsOf(walk, field, node);
  const first = typeof args['first'] === 'number' ? Math.max(args['first'], 0) : undefined;
  const below = selected(walk, node.selectionSet, of, first);
  const each = (isObjectType(of) ? (heavy[of.name] ?? 1) : 2) + below;
  return isListType(getNullableType(field.type)) ? entriesOf(args, size) * each : each;
}

/** How many there may be: as many as are named, as fit the page, or a few. */
function entriesOf(args: Record<string, unknown>, size: number | undefined): number {
  const named = Object.values(args).find(Array.isArray);
  return named?.length ?? size ?? plainList;
}

/** None where they are not of their types: the field is then refused by itself. */
function argumentsOf(walk: Walk, field: GraphQLField<unknown, unknown>, node: FieldNode): Record<string, unknown> {
  try {
    return getArgumentValues(field, node, walk.variables);
  } catch (error) {
    if (error instanceof GraphQLError) return {};
    throw error;
  }
}

function leftOut(walk: Walk, node: SelectionSetNode['selections'][number]): boolean {
  return (
    getDirectiveValues(GraphQLSkipDirective, node, walk.variables)?.['if'] === true ||
    getDirectiveValues(GraphQLIncludeDirective, node, walk.variables)?.['if'] === false
  );
}

/** Refuses what would cost too much before any field of it is read, and tells in `extensions.cost` what it would cost. */
export const costLimit = (): ApolloServerPlugin<Context> => ({
  requestDidStart: () => {
    let cost: number | undefined;
    return Promise.resolve({
      didResolveOperation: ({ schema, document, operation, request }) => {
        cost = operation && costOf(schema, document, operation, request.variables ?? {});
        return cost !== undefined && cost > limits.cost ? Promise.reject(costsTooMuch(cost)) : Promise.resolve();
      },
      willSendResponse: ({ response: { body } }) => {
        if (cost === undefined || body.kind !== 'single') return Promise.resolve();
        const { singleResult } = body;
        singleResult.extensions = { ...singleResult.extensions, cost: { asked: cost, limit: limits.cost } };
        return Promise.resolve();
      },
    });
  },
});

const costsTooMuch = (cost: number) =>
  new GraphQLError(`This asks for ${cost}, and one request may ask for ${limits.cost}: take smaller pages.`, {
    extensions: { code: 'TOO_COSTLY', http: { status: 400 } },
  });
