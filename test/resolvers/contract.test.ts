import assert from 'node:assert/strict';
import { taskCommands } from '../../domain/task/taskPolicy.ts';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { GraphQLSchema, isEnumType, isInputObjectType, isInterfaceType, isNonNullType, isObjectType } from 'graphql';
import { describe, it } from 'vitest';
import { actionStatuses, actionTypes, noticeStatuses, serviceMethods } from '../../domain/action/action.ts';
import * as cases from '../../domain/case/case.ts';
import { commands } from '../../domain/catalogue.ts';
import { roles } from '../../domain/command.ts';
import { documentCategories, documentStatuses } from '../../domain/document/document.ts';
import { ledgerStatuses } from '../../domain/effect.ts';
import { messageStatuses } from '../../domain/message.ts';
import { holdStatuses } from '../../domain/hold/hold.ts';
import { officerStates } from '../../domain/officer/officer.ts';
import { executionStatuses } from '../../domain/operations/execution.ts';
import { findingEndings, findingKinds, findingStatuses } from '../../domain/operations/finding.ts';
import { leaseStates } from '../../domain/operations/lease.ts';
import { resolutions } from '../../domain/operations/resolveEffect.ts';
import { availableActions, availableActionsOn, availableActionsOnDocument, permissions } from '../../domain/policy.ts';
import { allowedBy } from '../../resolvers/access.ts';
import { executableSchema } from '../../resolvers/schema.ts';
import { refused, type RefusalCode } from '../../domain/refusal.ts';
import { retryAdvice, typeNames, userError } from '../../resolvers/userError.ts';

const schema = executableSchema();
const onTheWork = [
  'resolveEffect',
  'retryOutboxMessage',
  'skipOutboxMessage',
  'redriveExecution',
  'stopExecution',
  'releaseLease',
  'repairFinding',
];
const valuesOf = (name: string) => {
  const type = schema.getType(name);
  assert.ok(isEnumType(type), name);
  return type.getValues().map((value) => value.name);
};

describe('the contract', () => {
  it('is of the realm that serves it', () => assert.ok(schema instanceof GraphQLSchema));

  it('is what the generated files were made from', async () => {
    await promisify(execFile)(process.execPath, ['--import', 'tsx', 'codegen.ts', '--check']);
  });

  const words: [string, readonly string[]][] = [
    ['CaseStatus', cases.caseStatuses],
    ['CaseType', cases.caseTypes],
    ['Classification', cases.classifications],
    ['Priority', cases.priorities],
    ['Outcome', cases.outcomes],
    ['PartyRole', cases.partyRoles],
    ['PartyKind', cases.partyKinds],
    ['ServiceChannel', cases.serviceChannels],
    ['Finding', cases.findings],
    ['ReviewDecision', cases.reviewDecisions],
    ['ActionType', actionTypes],
    ['ActionStatus', actionStatuses],
    ['NoticeStatus', noticeStatuses],
    ['ServiceMethod', serviceMethods],
    ['OfficerState', officerStates],
    ['ExecutionStatus', executionStatuses],
    ['EffectStatus', ledgerStatuses],
    ['EffectResolution', resolutions],
    ['MessageStatus', messageStatuses],
    ['LeaseState', leaseStates],
    ['FindingKind', Object.keys(findingKinds)],
    ['FindingStatus', findingStatuses.filter((status) => status !== 'SUSPECTED')],
    ['FindingEnding', findingEndings],
    ['DocumentCategory', documentCategories],
    ['DocumentStatus', documentStatuses],
    ['Role', roles],
    ['Permission', Object.keys(permissions)],
    ['HoldStatus', holdStatuses],
    ['LinkNature', cases.linkNatures],
    ['LinkDirection', cases.linkDirections],
    ['ReopenGround', cases.reopenGrounds],
    ['UserErrorCode', Object.keys(retryAdvice)],
  ];
  for (const [name, domain] of words)
    it(`says ${name} in exactly the domain's words`, () => assert.deepEqual(valuesOf(name), [...domain]));

  it('names the commands by their mutations', () => {
    const access = { actor: { id: 'x' as never, roles: [] }, relations: new Set<never>() };
    const offered = [
      ...availableActions(access, { status: 'OPEN' } as never),
      ...availableActionsOn(access, { status: 'OPEN' } as never, { status: 'DRAFT' } as never, undefined),
      ...availableActionsOnDocument(access, { status: 'OPEN' } as never, { status: 'PENDING' } as never),
      ...taskCommands.map((command) => ({ command })),
      { command: 'releaseHold' },
    ].map(({ command }) => command);
    assert.deepEqual(valuesOf('CaseCommand').sort(), offered.sort());
    for (const name of Object.keys(schema.getMutationType()!.getFields())) assert.ok(commands.has(name), name);
    for (const name of valuesOf('CaseCommand')) assert.ok(schema.getMutationType()!.getFields()[name], name);
  });

  it('says of every root field who may ask', () => {
    for (const type of [schema.getQueryType()!, schema.getMutationType()!])
      for (const field of Object.values(type.getFields())) {
        const allow = allowedBy(schema, field);
        assert.ok(allow && allow.length > 0, `${type.name}.${field.name} has no @access`);
      }
  });

  it('resolves every root field', () => {
    for (const type of [schema.getQueryType()!, schema.getMutationType()!])
      for (const field of Object.values(type.getFields())) assert.ok(field.resolve, `${type.name}.${field.name}`);
  });

  it('takes one non-null input with a key in every mutation', () => {
    for (const { name, args } of Object.values(schema.getMutationType()!.getFields())) {
      assert.deepEqual(
        args.map((arg) => arg.name),
        ['input'],
        name,
      );
      const type = args[0]!.type;
      assert.ok(isNonNullType(type) && isInputObjectType(type.ofType));
      const { idempotencyKey, expectedVersion, expectedStatus, reason } = type.ofType.getFields();
      assert.equal(String(idempotencyKey?.type), 'IdempotencyKey!', name);
      if (onTheWork.includes(name)) {
        // What carries the work has a status instead of a version, and whoever touches it says why.
        assert.match(String(expectedStatus?.type), /^(Effect|Finding|Message|Execution)Status!$|^LeaseState!$/, name);
        assert.equal(String(reason?.type), 'String!', name);
        continue;
      }
      const guarded = [
        ...['registerOfficer', 'openCase', 'addInvestigator', 'removeInvestigator', 'linkCases', 'createTask'],
        'placeHold',
        ...['unlinkCases', 'addNote', 'requestDocumentUpload', 'issueDocumentDownload'],
      ].includes(name);
      assert.equal(expectedVersion && String(expectedVersion.type), guarded ? undefined : 'Int!', name);
    }
  });

  it('answers every mutation with an aggregate, a version, replayed and errors', () => {
    for (const { name, type } of Object.values(schema.getMutationType()!.getFields())) {
      assert.ok(isNonNullType(type) && isObjectType(type.ofType), name);
      const fields = type.ofType.getFields();
      assert.deepEqual(
        ['appliedVersion', 'replayed', 'errors'].map((field) => String(fields[field]?.type)),
        ['Int', 'Boolean!', '[UserError!]!'],
        name,
      );
    }
  });

  it('has one error type for each code, named after it', () => {
    const userError = schema.getType('UserError');
    assert.ok(isInterfaceType(userError));
    const types = schema.getPossibleTypes(userError).map((type) => type.name);
    assert.deepEqual(types.sort(), Object.values(typeNames).sort());
    for (const [code, name] of Object.entries(typeNames))
      assert.equal(name?.replace(/(?<=.)[A-Z]/g, '_$&').toUpperCase(), code);
  });

  for (const code of Object.keys(retryAdvice) as RefusalCode[])
    it(`gives ${code} every field that its type promises`, () => {
      const error = userError(refused(code, 'no', { expected: 1, actual: 2 })) as Record<string, unknown>;
      const type = schema.getType(typeNames[code]);
      assert.ok(isObjectType(type));
      for (const field of Object.values(type.getFields()))
        if (isNonNullType(field.type)) assert.ok(error[field.name] !== undefined, field.name);
      assert.equal(error['code'], code);
    });

  it('documents every mutation', () => {
    for (const { name, description } of Object.values(schema.getMutationType()!.getFields()))
      assert.ok(description, name);
  });
});
