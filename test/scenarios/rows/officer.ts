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
};

const anOfficer = async ({ sue }: Office) => ({
  officerId: await register(sue, `eve-${randomUUID().slice(0, 8)}`),
  expectedVersion: 1,
});
