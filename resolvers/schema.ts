import { buildASTSchema, isObjectType, isScalarType, parse, type GraphQLSchema } from 'graphql';
import { sdl } from '../graphql/sdl.ts';
import type { Resolvers } from '../graphql/types.ts';
import { enforceAccess } from './access.ts';
import { boundAnswers } from './answerSize.ts';
import type { Context } from './context.ts';
import { actionMutations } from './mutations/action.ts';
import { caseMutations } from './mutations/case.ts';
import { documentMutations } from './mutations/document.ts';
import { factMutations } from './mutations/facts.ts';
import { officerMutations } from './mutations/officer.ts';
import { holdMutations } from './mutations/hold.ts';
import { operatorMutations } from './mutations/operations.ts';
import { reviewMutations } from './mutations/review.ts';
import { standingMutations } from './mutations/standing.ts';
import { taskMutations } from './mutations/task.ts';
import { Query } from './queries.ts';
import { scalars } from './scalars.ts';
import * as actions from './types/action.ts';
import * as cases from './types/case.ts';
import * as files from './types/document.ts';
import * as held from './types/hold.ts';
import * as officers from './types/officer.ts';
import { operations } from './types/operationLists.ts';
import * as worked from './types/task.ts';
import * as operated from './types/operations.ts';

const resolvers: Resolvers<Context> = {
  Query,
  Mutation: {
    ...caseMutations,
    ...factMutations,
    ...reviewMutations,
    ...standingMutations,
    ...actionMutations,
    ...taskMutations,
    ...documentMutations,
    ...holdMutations,
    ...officerMutations,
    ...operatorMutations,
  },
  Case: cases.caseType,
  InvestigatorEdge: cases.investigatorEdge,
  CaseLink: cases.caseLink,
  Decision: cases.decision,
  Closure: cases.closure,
  Retention: cases.retention,
  Party: cases.party,
  Contravention: cases.contravention,
  Review: cases.review,
  EnforcementAction: actions.enforcementAction,
  Notice: actions.notice,
  Task: worked.task,
  Document: files.document,
  Hold: held.hold,
  Note: cases.note,
  Officer: officers.officer,
  Absence: officers.absence,
  Viewer: officers.viewer,
  AuditEvent: officers.auditEvent,
  AvailableAction: officers.availableAction,
  UniqueViolation: officers.uniqueViolation,
  Operations: operations,
  WorkSubject: operated.workSubject,
  Execution: operated.execution,
  Effect: operated.effect,
  OutboxMessage: operated.outboxMessage,
  Lease: operated.lease,
  ReconciliationFinding: operated.finding,
};

/** The SDL with its resolvers, and @access enforced around all of them. */
export function executableSchema(): GraphQLSchema {
  const schema = buildASTSchema(parse(sdl));
  for (const [typeName, fields] of Object.entries(resolvers)) attach(schema, typeName, fields);
  for (const [name, scalar] of Object.entries(scalars)) {
    const type = schema.getType(name);
    if (!isScalarType(type)) throw new Error(`the SDL has no scalar ${name}`);
    Object.assign(type, scalar);
  }
  enforceAccess(schema);
  boundAnswers(schema);
  return schema;
}

function attach(schema: GraphQLSchema, typeName: string, fields: object): void {
  const type = schema.getType(typeName);
  if (!isObjectType(type)) throw new Error(`the SDL has no type ${typeName}`);
  for (const [name, resolve] of Object.entries(fields)) {
    const field = type.getFields()[name];
    if (!field) throw new Error(`the SDL has no field ${typeName}.${name}`);
    field.resolve = resolve as typeof field.resolve;
  }
}
