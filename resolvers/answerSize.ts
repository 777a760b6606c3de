import type { ApolloServerPlugin } from '@apollo/server';
import { defaultFieldResolver, getNamedType, GraphQLError, isObjectType, isScalarType } from 'graphql';
import type { GraphQLField, GraphQLSchema } from 'graphql';
import type { Context } from './context.ts';
import { limits } from './limits.ts';

/**
 * Adds up the text of an answer while it is made, around every field that holds text, and ends it at a bound: what an
 * operation costs is known before, how long its texts are is not.
 */
export function boundAnswers(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields()) as GraphQLField<unknown, Context>[])
      if (isScalarType(getNamedType(field.type))) weigh(field);
  }
}

function weigh(field: GraphQLField<unknown, Context>): void {
  const resolve = field.resolve ?? defaultFieldResolver;
  field.resolve = (parent, args, ctx, info) => {
    const value: unknown = resolve(parent, args, ctx, info);
    return value instanceof Promise ? value.then((text) => weighed(ctx, text)) : weighed(ctx, value);
  };
}

function weighed(ctx: Context, value: unknown): unknown {
  for (const text of Array.isArray(value) ? (value as unknown[]) : [value])
    if (typeof text === 'string') ctx.tally.answerBytes += Buffer.byteLength(text, 'utf8');
  if (ctx.tally.answerBytes > limits.answerBytes) throw tooLong;
  return value;
}

/** One error for all fields that are too many: with a path it passes as it is, and thousands of copies cost memory too. */
const tooLong = new GraphQLError(
  `One answer holds at most ${limits.answerBytes} bytes of text: ask for less at once.`,
  {
    path: [],
    extensions: { code: 'TOO_COSTLY' },
  },
);

/** However many fields had no room, the answer says so once. */
export const saidOnce = (): ApolloServerPlugin<Context> => ({
  requestDidStart: () =>
    Promise.resolve({
      willSendResponse: ({ response: { body } }) => {
        if (body.kind !== 'single' || !body.singleResult.errors) return Promise.resolve();
        let said = false;
        body.singleResult.errors = body.singleResult.errors.filter(({ message }) => {
          const again = said && message === tooLong.message;
          said ||= message === tooLong.message;
          return !again;
        });
        return Promise.resolve();
      },
    }),
});
