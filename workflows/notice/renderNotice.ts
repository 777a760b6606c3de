import { withLease } from '../../store/lease.ts';
import { command, workerOf, type Deps, type Task } from '../task.ts';
import { contentOf, contentOwner, readNotice } from './content.ts';
import { NoticeNotRenderable, renderNotice as pdfOf } from './pdf.ts';

/**
 * Renders the notice and stores it under its content hash, once however often it runs: the same records give the same
 * bytes, and the same bytes are the same document. What the font or the layout cannot show is recorded as a failure.
 */
export async function renderNotice(task: Task, deps: Deps) {
  const { input } = task;
  const { store } = deps;
  return withLease(store, input.tenant, input.caseId, workerOf(task), async (lease) => {
    const records = await readNotice(store, input);
    const { caseId, actionId, noticeId } = input;
    if (records.notice.status !== 'REQUESTED') return { status: records.notice.status, refused: 'NO' };
    try {
      const { sha256, size } = await deps.documents.put(
        contentOwner(input),
        await pdfOf(contentOf(records, deps.office)),
        'application/pdf',
      );
      const asked = { type: 'recordNoticeRendered', caseId, actionId, noticeId, sha256, size };
      // An address corrected between two attempts is another document, and so another command.
      return { status: 'RENDERED', ...(await command(store, input, lease, asked, sha256)) };
    } catch (error) {
      if (!(error instanceof NoticeNotRenderable)) throw error;
      const failure = error.message;
      const asked = { type: 'recordNoticeFailed', caseId, actionId, noticeId, failure };
      return { status: 'FAILED', ...(await command(store, input, lease, asked)) };
    }
  });
}
