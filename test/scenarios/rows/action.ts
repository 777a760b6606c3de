import { approved, byPost, drafted, issue, sent, today, type Office } from '../office.ts';
import { noticeIs, until } from '../outcome.ts';
import { onCase, type Rows } from './row.ts';

export const actionRows: Rows = {
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
