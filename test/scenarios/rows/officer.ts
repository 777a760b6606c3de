import { randomUUID } from 'node:crypto';
import { dayFromNow, register, type Office } from '../office.ts';
import { type Rows } from './row.ts';

export const officerRows: Rows = {
  registerOfficer: {
    by: 'sue',
    strangers: ['SUPERVISOR'],
    good: () => {
      const officerId = randomUUID();
      const email = `${officerId}@regulator.example`;
      return Promise.resolve({ officerId, name: 'Eve', email, region: 'JKT', teams: ['chemicals'], maxLoad: 5 });
    },
  },
  changeOfficerEmail: {
    by: 'sue',
    strangers: ['SUPERVISOR'],
    good: async (office) => ({ ...(await anOfficer(office)), email: `${randomUUID()}@regulator.example` }),
  },
  setOfficerLimit: {
    by: 'sue',
    strangers: ['SUPERVISOR'],
    good: async (office) => ({ ...(await anOfficer(office)), maxLoad: 7, reason: 'Part-time from now on.' }),
  },
  setOfficerAbsence: {
    by: 'sue',
    strangers: ['SUPERVISOR'],
    good: async (office) => ({
      ...(await anOfficer(office)),
      absence: { from: dayFromNow(10), to: dayFromNow(20), delegateId: office.officers.bob },
    }),
  },
  moveCaseload: { by: 'sue', strangers: ['SUPERVISOR'], good: passing },
  deactivateOfficer: { by: 'sue', strangers: ['SUPERVISOR'], good: passing },
};

/** What the supervisor has seen and accepts: of somebody who has nothing. */
async function passing(office: Office) {
  const named = await anOfficer(office);
  const toOfficerIds = [await register(office.sue, `bea-${randomUUID().slice(0, 8)}`)];
  const query = 'query ($of: ID!, $to: [ID!]!) { caseloadPreview(officerId: $of, toOfficerIds: $to) { digest } }';
  const { caseloadPreview } = (await office.sue(query, { of: named.officerId, to: toOfficerIds })) as {
    caseloadPreview: { digest: string };
  };
  return { ...named, toOfficerIds, previewDigest: caseloadPreview.digest, reason: 'A new post.' };
}

const anOfficer = async ({ sue }: Office) => ({
  officerId: await register(sue, `eve-${randomUUID().slice(0, 8)}`),
  expectedVersion: 1,
});
