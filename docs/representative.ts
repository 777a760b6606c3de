import { commands } from '../domain/catalogue.ts';
import type { Given } from '../domain/command.ts';
import type { Case } from '../domain/case/case.ts';
import type { ContraventionId, OfficerId, PartyId, TaskId } from '../domain/ids.ts';
import { ref, type Reads } from '../domain/refs.ts';
import type { Transition } from '../domain/transition.ts';
import type { Write } from '../store/table-port.ts';
import { planOf } from '../store/writes.ts';
import { ask, but, type Items, type Scene } from '../test/domain/ask.ts';
import {
  ana,
  c1,
  c2,
  cai,
  contravention,
  dan,
  givenTo,
  open,
  party,
  registered,
  rejected,
  rob,
  task,
} from '../test/domain/builders.ts';
import { documentScenes } from '../test/domain/documentScenes.ts';
import { operationScenes } from '../test/domain/operationScenes.ts';
import { beginnings, officerScenes } from '../test/domain/otherScenes.ts';
import { afterRegistration, afterService, openTask, scenes, standing } from '../test/domain/scenes.ts';
import { taskScenes } from '../test/domain/taskScenes.ts';

/** One scene in which each command is done: the same that the tests of the domain start from. */
export const representatives: Record<string, Scene> = {
  ...beginnings,
  ...officerScenes,
  ...scenes,
  ...taskScenes,
  ...documentScenes,
  ...operationScenes,
};

/** A command really decided, and what it would send. */
export type Decided = { given: Given; first: Reads; second: Reads; transition: Transition; writes: Write[] };

export function decided(scene: Scene): Decided {
  const { reads, found } = ask(scene);
  const definition = commands.get(scene.command.type)!;
  const given = { ...givenTo(scene.actor, scene.command), caseNumber: '2026-000001' };
  const answer = definition.decide(found, scene.command, given);
  if (answer.kind === 'refused') throw new Error(`${scene.command.type} was refused: ${answer.code}`);
  const first = definition.reads(scene.command, given);
  const second = Object.fromEntries(Object.entries(reads).filter(([name]) => !(name in first)));
  const { writes } = planOf(answer, scene.command, given, 0, 'salt');
  return { given, first, second, transition: answer, writes };
}

const fifty = Array.from({ length: 50 }, (_, i) => i);
const members = [cai, dan, rob];

/** Forty that people make, and two that come by themselves beyond them: a notice to serve, a submission refused. */
function asManyTasks(current: Case, assigneeId: OfficerId) {
  const tasks = Array.from({ length: 42 }, (_, i) => task({ id: `t${i}` as TaskId, origin: `o${i}`, assigneeId }));
  const instead: Items = [
    [ref.case(c1), { ...current, openTasks: tasks.length }],
    [ref.openTask(c1, 'GENERAL', 'visit'), undefined],
  ];
  return { items: [...instead, ...tasks.flatMap(openTask)] };
}

/** Where the number of writes depends on the input or the case: the scene in which it is largest. */
export const largest: Partial<Record<string, Scene>> = {
  openCase: but(beginnings.openCase, {
    command: { leadOfficerId: ana.id, externalReference: { sourceSystem: 'REG', value: '1' } },
    items: standing(open()),
  }),
  recordContravention: but(scenes.recordContravention, {
    actor: cai,
    command: { partyIds: fifty.map((i) => `p${i}`) },
    items: fifty.map((i) => [ref.party(c1, `p${i}` as PartyId), party({ id: `p${i}` as PartyId })] as const),
  }),
  startEnforcement: but(scenes.startEnforcement, {
    command: { contraventionIds: fifty.map((i) => `k${i}`) },
    items: fifty.map((i) => {
      const id = `k${i}` as ContraventionId;
      return [ref.contravention(c1, id), contravention({ id })] as const;
    }),
  }),
  reassignLead: but(scenes.reassignLead, { command: { leadOfficerId: cai.id }, ...asManyTasks(open(), ana.id) }),
  removeInvestigator: but(scenes.removeInvestigator, asManyTasks(open(), cai.id)),
  closeCaseAsDuplicate: but(scenes.closeCaseAsDuplicate, asManyTasks(open(), dan.id)),
  linkCases: but(scenes.linkCases, {
    actor: cai,
    items: [
      [ref.case(c2), open({ id: c2, classification: 'RESTRICTED' })],
      [ref.investigator(c2, cai.id), { officerId: cai.id }],
    ],
  }),
  submitToRegistry: { ...scenes.submitToRegistry, items: afterService },
  closeCase: but(
    { ...scenes.closeCase, items: afterRegistration },
    {
      command: { outcome: 'ENFORCED' },
      ...asManyTasks(registered(), dan.id),
    },
  ),
  reopenCase: but(
    { ...scenes.reopenCase, items: standing(rejected()) },
    {
      command: { leadOfficerId: dan.id },
      items: [
        [ref.investigatorGuard(c1), { activeCount: 3, officerIds: new Set(members.map(({ id }) => id)) }],
        ...members.map(({ id }) => [ref.investigator(c1, id), { officerId: id }] as const),
        ...[cai, rob].map(({ id }) => [ref.officer(id), { id, state: 'INACTIVE' }] as const),
      ],
    },
  ),
};
