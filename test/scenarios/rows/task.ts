import { randomUUID } from 'node:crypto';
import { aCase, dayFromNow, sent, type Input, type Office } from '../office.ts';
import type { Rows } from './row.ts';

export const taskRows: Rows = {
  createTask: {
    by: 'sue',
    strangers: ['SUPERVISOR'],
    good: async (office) => ({
      ...(await onACase(office)),
      type: 'SUPERVISOR',
      origin: randomUUID(),
      assigneeId: office.officers.bob,
      teamId: 'SUPERVISORS',
      priority: 'HIGH',
      dueAt: dayFromNow(30),
      blocks: 'CLOSE',
      note: 'Ask the neighbour first.',
    }),
  },
  claimTask: { by: 'ana', strangers: ['SUPERVISOR'], good: (office) => made(office) },
  assignTask: {
    by: 'sue',
    strangers: ['SUPERVISOR'],
    good: async (office) => ({
      ...(await made(office, { assigneeId: office.officers.ben })),
      expectedAssigneeId: office.officers.ben,
      assigneeId: office.officers.bob,
    }),
  },
  startTask: { by: 'ana', strangers: [], good: anas },
  holdTask: {
    by: 'ana',
    strangers: [],
    good: async (office) => ({ ...(await anas(office)), until: dayFromNow(30), reason: 'The plant is shut.' }),
  },
  completeTask: {
    by: 'sue',
    strangers: ['SUPERVISOR'],
    good: async (office) => ({ ...(await made(office)), note: 'Nothing was found.' }),
  },
  cancelTask: {
    by: 'sue',
    strangers: ['SUPERVISOR'],
    good: async (office) => ({ ...(await made(office)), reason: 'Seen by another agency.' }),
  },
};

async function onACase({ sue }: Office) {
  const { case: opened } = await sent(sue, 'openCase', aCase);
  return { caseId: opened!.id, title: 'Visit the plant' };
}

async function made(office: Office, whose: Input = {}) {
  const { task } = await sent(office.sue, 'createTask', { ...(await onACase(office)), ...whose });
  return { taskId: task!.id, expectedVersion: task!.version };
}

function anas(office: Office) {
  return made(office, { assigneeId: office.officers.ana });
}
