import { aCase, sent, type Office } from '../office.ts';
import type { Rows } from './row.ts';

export const holdRows: Rows = {
  placeHold: { by: 'leo', strangers: ['LEGAL_OFFICER'], good: onACase },
  releaseHold: {
    by: 'leo',
    strangers: ['LEGAL_OFFICER'],
    good: async (office) => {
      const { hold } = await sent(office.lea, 'placeHold', await onACase(office));
      return { holdId: hold!.id, expectedVersion: hold!.version, reason: 'The appeal is over.' };
    },
  },
};

async function onACase({ sue }: Office) {
  const { case: opened } = await sent(sue, 'openCase', aCase);
  return { caseId: opened!.id, matterReference: '12/2026 PN Jkt', reason: 'The court has asked for the file.' };
}
