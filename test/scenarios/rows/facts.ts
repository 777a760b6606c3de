import { aParty, investigated } from '../office.ts';
import { onCase, type Rows } from './row.ts';

export const factRows: Rows = {
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
  updateParty: {
    by: 'ana',
    strangers: ['SUPERVISOR'],
    good: async (office) => {
      const { partyId, version } = await investigated(office);
      return {
        partyId,
        expectedVersion: version,
        role: 'WITNESS',
        kind: 'PERSON',
        name: 'The director',
        identifiers: [{ scheme: 'NIK', value: '3171234567890001' }],
        addressLines: ['Jalan Dua 2'],
        email: 'director@contoh.example',
        serviceChannel: 'POST',
        safetyFlag: true,
      };
    },
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
};
