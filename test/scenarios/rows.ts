import { actionRows } from './rows/action.ts';
import { caseRows } from './rows/case.ts';
import { documentRows } from './rows/document.ts';
import { factRows } from './rows/facts.ts';
import { holdRows } from './rows/hold.ts';
import { officerRows } from './rows/officer.ts';
import { reviewRows } from './rows/review.ts';
import { taskRows } from './rows/task.ts';
import type { Rows } from './rows/row.ts';

/** A row for every mutation of the SDL: a new one without a row fails the tests that walk them. */
export const rows: Rows = {
  ...caseRows,
  ...factRows,
  ...reviewRows,
  ...actionRows,
  ...taskRows,
  ...documentRows,
  ...holdRows,
  ...officerRows,
};
