import { randomUUID } from 'node:crypto';
import { aCase, approved, dayFromNow, investigated, mondayFromNow, on, sent, type Office } from '../office.ts';
import { onCase, type Rows } from './row.ts';

export const caseRows: Rows = {
  openCase: {
    by: 'ana',
    strangers: ['CASE_OFFICER', 'SUPERVISOR'],
    good: ({ officers }) =>
      Promise.resolve({
        ...aCase,
        classification: 'SENSITIVE',
        priority: 'HIGH',
        externalReference: { sourceSystem: 'INTAKE', value: randomUUID() },
        leadOfficerId: officers.ana,
      }),
  },
  updateCase: {
    by: 'ana',
    strangers: ['SUPERVISOR'],
    good: async (office) =>
      onCase(await investigated(office), {
        title: 'Storage of chemicals without a licence',
        summary: 'Forty drums beside a school.',
        classification: 'SENSITIVE',
        priority: 'URGENT',
        dueAt: mondayFromNow(),
      }),
  },
  linkCases: {
    by: 'ana',
    strangers: ['SUPERVISOR'],
    good: async (office) => {
      const { caseId } = await investigated(office);
      return { caseId, otherCaseId: (await unled(office)).id, nature: 'RELATED', reason: 'The same plant.' };
    },
  },
  unlinkCases: {
    by: 'ana',
    strangers: ['SUPERVISOR'],
    good: async (office) => {
      const { caseId } = await investigated(office);
      const link = { caseId, otherCaseId: (await unled(office)).id, nature: 'RELATED' };
      await sent(office.ana, 'linkCases', link);
      return { ...link, reason: 'Another plant of the same name.' };
    },
  },
  addNote: {
    by: 'ana',
    strangers: ['SUPERVISOR'],
    good: async (office) => ({
      caseId: (await investigated(office)).caseId,
      text: 'The gate was open.\nNobody there.',
    }),
  },
  reassignLead: {
    by: 'sue',
    strangers: ['SUPERVISOR'],
    good: async (office) => ({
      ...onCase(await investigated(office)),
      expectedLeadOfficerId: office.officers.ana,
      leadOfficerId: office.officers.bob,
      reason: 'Balance of work.',
      overrideLimitReason: 'Urgent.',
    }),
  },
  addInvestigator: {
    by: 'sue',
    strangers: ['SUPERVISOR'],
    good: async (office) => ({ caseId: (await unled(office)).id, officerId: office.officers.ida }),
  },
  removeInvestigator: {
    by: 'sue',
    strangers: ['SUPERVISOR'],
    good: async (office) => {
      const member = { caseId: (await unled(office)).id, officerId: office.officers.ida };
      await sent(office.sue, 'addInvestigator', member);
      return { ...member, reason: 'Other duties.' };
    },
  },
  suspendCase: {
    by: 'sue',
    strangers: ['SUPERVISOR'],
    good: async (office) =>
      onCase(await investigated(office), { until: dayFromNow(30), reason: 'The court decides first.' }),
  },
  resumeCase: {
    by: 'sue',
    strangers: ['SUPERVISOR'],
    good: async (office) => {
      const suspension = { until: dayFromNow(30), reason: 'The court decides first.' };
      return onCase(await on(office.sue, await investigated(office), 'suspendCase', suspension), { reason: 'It has.' });
    },
  },
  closeCase: {
    by: 'sue',
    strangers: ['SUPERVISOR'],
    good: async (office) =>
      onCase(await approved(office), { outcome: 'NO_FURTHER_ACTION', reason: 'The plant has closed.' }),
  },
  closeCaseAsDuplicate: {
    by: 'sue',
    strangers: ['SUPERVISOR'],
    good: async (office) => {
      const matter = await investigated(office);
      const { id } = await unled(office);
      await sent(office.sue, 'linkCases', { caseId: matter.caseId, otherCaseId: id, nature: 'DUPLICATE_OF' });
      return onCase(matter, { duplicateOfCaseId: id, reason: 'Reported twice.' });
    },
  },
  reopenCase: {
    by: 'sue',
    strangers: ['SUPERVISOR'],
    good: async (office) => {
      const closing = { outcome: 'NO_FURTHER_ACTION', reason: 'The plant has closed.' };
      return onCase(await on(office.sue, await approved(office), 'closeCase', closing), {
        ground: 'NEW_EVIDENCE',
        reason: 'The plant runs again.',
        leadOfficerId: office.officers.bob,
        overrideLimitReason: 'Urgent.',
      });
    },
  },
};

const unled = async ({ sue }: Office) => (await sent(sue, 'openCase', aCase)).case!;
