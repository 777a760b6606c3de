import { investigated, underReview } from '../office.ts';
import { onCase, type Rows } from './row.ts';

export const reviewRows: Rows = {
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
};
