import {
  defaultFieldResolver,
  getDirectiveValues,
  GraphQLError,
  isObjectType,
  type GraphQLField,
  type GraphQLSchema,
} from 'graphql';
import type { Actor } from '../domain/command.ts';
import { permits, type Availability, type Permission } from '../domain/policy.ts';
import { refused } from '../domain/refusal.ts';
import type { Context } from './context.ts';

/** Enforces @access wherever the SDL says it, once: no resolver asks about roles. */
export function enforceAccess(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields()) as GraphQLField<unknown, Context>[])
      guard(field, allowedBy(schema, field));
  }
}

/** The permissions of which one is needed; nothing where the SDL does not say. */
export function allowedBy(
  schema: GraphQLSchema,
  field: Pick<GraphQLField<unknown, unknown>, 'astNode'>,
): Permission[] | undefined {
  const directive = schema.getDirective('access');
  const values = directive && field.astNode && getDirectiveValues(directive, field.astNode);
  return values?.['allow'] as Permission[] | undefined;
}

function guard(field: GraphQLField<unknown, Context>, allow: Permission[] | undefined): void {
  if (!allow) return;
  const resolve = field.resolve ?? defaultFieldResolver;
  field.resolve = (parent, args, ctx, info) => {
    if (!allow.some((permission) => permits(permission, ctx.actor))) throw forbidden();
    return resolve(parent, args, ctx, info);
  };
}

const forbidden = () => new GraphQLError('Your roles do not permit this.', { extensions: { code: 'FORBIDDEN' } });

/** Whether a command's own door is open to the actor at all; where it is not, the policy behind it is not asked. */
export const atTheDoor = (schema: GraphQLSchema, actor: Actor, actions: Availability[]): Availability[] =>
  actions.map(({ command, refusal }) => {
    const door = schema.getMutationType()?.getFields()[command];
    const open = door && allowedBy(schema, door)?.some((permission) => permits(permission, actor));
    return { command, refusal: open ? refusal : refused('NOT_PERMITTED', 'your roles do not permit this') };
  });
