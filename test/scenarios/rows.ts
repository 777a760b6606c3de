import { randomUUID } from 'node:crypto';
import {
  aCase,
  aParty,
  approved,
  byPost,
  drafted,
  investigated,
  issue,
  sent,
  today,
  underReview,
  type Input,
  type Matter,
  type Office,
  type Person,
} from './office.ts';
import { noticeIs, until } from './outcome.ts';

/** One mutation: who sends it, and an input that is accepted as it stands and leaves nothing of the SDL's input out. */
export type Row = {
  by: Person;
  good: (office: Office) => Promise<Input>;
  /** Roles with which somebody who has no part in the case may send it, too. */
  strangers: string[];
};

const onCase = (matter: Matter, input: Input = {}) => ({
  caseId: matter.caseId,
  expectedVersion: matter.version,
  ...input,
});

const unled = async ({ sue }: Office) => (await sent(sue, 'openCase', aCase)).case!;

/** A row for every mutation of the SDL: a new one without a row fails the tests that walk them. */
export const rows: Record<string, Row> = {
  registerOfficer: {
    by: 'sue',
    strangers: ['SUPERVISOR'],
    good: () => {
      const officerId = randomUUID();
      const email = `${officerId}@regulator.example`;
      return Promise.resolve({ officerId, name: 'Eve', email, region: 'JKT', teams: ['chemicals'], maxLoad: 5 });
    },
  },
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
  closeCase: {
    by: 'sue',
    strangers: ['SUPERVISOR'],
    good: async (office) =>
      onCase(await approved(office), { outcome: 'NO_FURTHER_ACTION', reason: 'The plant has closed.' }),
  },
  addParty: {
    by: 'ana',
    strangers: ['SUPERVISOR'],
    good: async (office) =>
      onCase(await investigated(office), {
        ...aParty,
        identifiers: [{ scheme: 'NPWP', value: '01.234.567.8-901.000' }],
        safetyFlag: true,
      }),
  },
  recordContravention: {
    by: 'ana',
    strangers: ['SUPERVISOR'],
    good: async (office) => {
      const matter = await investigated(office);
      return onCase(matter, { provision: 'Section 13', date: '2026-06-30', partyIds: [matter.partyId] });
    },
  },
  setContraventionFinding: {
    by: 'ana',
    strangers: ['SUPERVISOR'],
    good: async (office) => {
      const { contraventionId, version } = await investigated(office);
      return { contraventionId, expectedVersion: version, finding: 'NOT_SUBSTANTIATED' };
    },
  },
  submitForReview: {
    by: 'ana',
    strangers: [],
    good: async (office) => onCase(await investigated(office), { recommendation: 'Enforce.' }),
  },
  assignReviewer: {
    by: 'sue',
    strangers: ['SUPERVISOR', 'REVIEWER'],
    good: async (office) => onCase(await underReview(office), { reviewerId: office.officers.bob }),
  },
  approveCase: {
    by: 'ben',
    strangers: [],
    good: async (office) => onCase(await underReview(office), { reason: 'Well founded.' }),
  },
  rejectCase: {
    by: 'ben',
    strangers: [],
    good: async (office) => onCase(await underReview(office), { reason: 'Not proved.', outcome: 'NO_BREACH' }),
  },
  returnCaseForRework: {
    by: 'ben',
    strangers: [],
    good: async (office) =>
      onCase(await underReview(office), { requiredChanges: ['Name the driver.'], reason: 'Thin.' }),
  },
  withdrawReview: {
    by: 'ana',
    strangers: [],
    good: async (office) => onCase(await underReview(office), { reason: 'A name is wrong.' }),
  },
  startEnforcement: {
    by: 'ana',
    strangers: ['SUPERVISOR'],
    good: async (office) => {
      const matter = await approved(office);
      return onCase(matter, {
        type: 'PENALTY_NOTICE',
        partyId: matter.partyId,
        contraventionIds: [matter.contraventionId],
        penalty: { minorUnits: 1_000_000, currency: 'IDR' },
      });
    },
  },
  issueEnforcementAction: {
    by: 'sue',
    strangers: ['SUPERVISOR'],
    good: async (office) => {
      const { actionId, actionVersion } = await drafted(office, await approved(office, byPost));
      return { actionId, expectedVersion: actionVersion, complyBy: '2099-12-31', appealBy: '2099-06-30' };
    },
  },
  serveNotice: {
    by: 'ana',
    strangers: ['SUPERVISOR'],
    good: async (office) => {
      const { actionId, actionVersion } = await rendered(office);
      return { actionId, expectedVersion: actionVersion, method: 'POST', date: today(), evidence: 'Receipt RR 4711.' };
    },
  },
  submitToRegistry: {
    by: 'sue',
    strangers: ['SUPERVISOR'],
    good: async (office) => {
      const { actionId, actionVersion } = await rendered(office);
      const served = { method: 'IN_PERSON', date: today(), evidence: 'Handed over.' };
      const { action } = await sent(office.ana, 'serveNotice', { actionId, expectedVersion: actionVersion, ...served });
      return { actionId, expectedVersion: action!.version };
    },
  },
  withdrawEnforcementAction: {
    by: 'sue',
    strangers: ['SUPERVISOR'],
    good: async (office) => {
      const { actionId, actionVersion } = await drafted(office, await approved(office));
      return { actionId, expectedVersion: actionVersion, reason: 'Too severe.' };
    },
  },
};

/** Issued to a party without mail, so that nothing else will move it. */
const rendered = async (office: Office) =>
  until(office.sue, await issue(office, await drafted(office, await approved(office, byPost))), noticeIs('RENDERED'));
