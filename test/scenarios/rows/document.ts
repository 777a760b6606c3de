import { announce, announced, confirmed, uploaded } from '../files.ts';
import { investigated, sent } from '../office.ts';
import type { Rows } from './row.ts';

const readers = [
  'CASE_OFFICER',
  'INVESTIGATOR',
  'REVIEWER',
  'SUPERVISOR',
  'LEGAL_OFFICER',
  'RECORDS_MANAGER',
  'AUDITOR',
];

export const documentRows: Rows = {
  requestDocumentUpload: {
    by: 'ana',
    strangers: ['SUPERVISOR'],
    good: async (office) => {
      const { caseId } = await investigated(office);
      const { documentId } = await confirmed(office.ana, caseId);
      return { ...announce(caseId), classification: 'SENSITIVE', previousDocumentId: documentId };
    },
  },
  confirmDocument: {
    by: 'ana',
    strangers: ['SUPERVISOR'],
    good: async (office) => uploaded(office.ana, (await investigated(office)).caseId),
  },
  quarantineDocument: {
    by: 'ana',
    strangers: ['SUPERVISOR'],
    good: async (office) => ({
      ...(await confirmed(office.ana, (await investigated(office)).caseId)),
      reason: 'It has macros.',
    }),
  },
  releaseDocument: {
    by: 'sue',
    strangers: ['SUPERVISOR'],
    good: async (office) => {
      const { documentId, expectedVersion } = await confirmed(office.ana, (await investigated(office)).caseId);
      const why = { reason: 'It has macros.' };
      const { document } = await sent(office.ana, 'quarantineDocument', { documentId, expectedVersion, ...why });
      return { documentId, expectedVersion: document!.version, reason: 'They are harmless.' };
    },
  },
  issueDocumentDownload: {
    by: 'ida',
    strangers: readers,
    good: async (office) => {
      const { documentId } = await confirmed(office.ana, (await investigated(office)).caseId);
      return { documentId };
    },
  },
  deleteDraftDocument: {
    by: 'ana',
    strangers: ['SUPERVISOR'],
    good: async (office) => {
      const { documentId, expectedVersion } = await announced(office.ana, (await investigated(office)).caseId);
      return { documentId, expectedVersion };
    },
  },
};
