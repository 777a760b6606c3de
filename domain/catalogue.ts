import { issueEnforcementAction } from './action/issueEnforcementAction.ts';
import {
  recordNoticeFailed,
  recordNoticeRendered,
  recordNoticeServed,
  recordNoticeUndeliverable,
} from './action/recordNotice.ts';
import {
  recordRegistration,
  recordRegistrationRefusal,
  recordRegistrationUnknown,
} from './action/recordRegistration.ts';
import { serveNotice } from './action/serveNotice.ts';
import { startEnforcement } from './action/startEnforcement.ts';
import { submitToRegistry } from './action/submitToRegistry.ts';
import { withdrawEnforcementAction } from './action/withdrawEnforcementAction.ts';
import { addNote } from './case/addNote.ts';
import { addParty } from './case/addParty.ts';
import { assignReviewer } from './case/assignReviewer.ts';
import { closeCaseAsDuplicate } from './case/closeCaseAsDuplicate.ts';
import { closeCase } from './case/closeCase.ts';
import { approveCase, rejectCase, returnCaseForRework, withdrawReview } from './case/decideReview.ts';
import { addInvestigator, removeInvestigator } from './case/investigators.ts';
import { linkCases } from './case/linkCases.ts';
import { openCase } from './case/openCase.ts';
import { reassignLead } from './case/reassignLead.ts';
import { recordContravention } from './case/recordContravention.ts';
import { reopenCase } from './case/reopenCase.ts';
import { setContraventionFinding } from './case/setContraventionFinding.ts';
import { submitForReview } from './case/submitForReview.ts';
import { resumeCase, suspendCase } from './case/suspendCase.ts';
import { unlinkCases } from './case/unlinkCases.ts';
import { updateCase } from './case/updateCase.ts';
import { updateParty } from './case/updateParty.ts';
import type { AnyDefinition } from './command.ts';
import { confirmDocument } from './document/confirmDocument.ts';
import { deleteDraftDocument } from './document/deleteDraftDocument.ts';
import { issueDocumentDownload } from './document/issueDocumentDownload.ts';
import { quarantineDocument, releaseDocument } from './document/quarantine.ts';
import { requestDocumentUpload } from './document/requestDocumentUpload.ts';
import { placeHold } from './hold/placeHold.ts';
import { releaseHold } from './hold/releaseHold.ts';
import { changeOfficerEmail } from './officer/changeOfficerEmail.ts';
import { registerOfficer } from './officer/registerOfficer.ts';
import { setOfficerAbsence } from './officer/setOfficerAbsence.ts';
import { setOfficerLimit } from './officer/setOfficerLimit.ts';
import { retryOutboxMessage, skipOutboxMessage } from './operations/outboxMessage.ts';
import { releaseLease } from './operations/releaseLease.ts';
import { repairFinding } from './operations/repairFinding.ts';
import { resolveEffect } from './operations/resolveEffect.ts';
import { redriveExecution, stopExecution } from './operations/steerExecution.ts';
import { assignTask, claimTask } from './task/assignTask.ts';
import { createTask } from './task/createTask.ts';
import { cancelTask, completeTask } from './task/endTask.ts';
import { holdTask, startTask } from './task/workOnTask.ts';

/** Every command there is, by its name, in the order of a case's life. */
const definitions: readonly AnyDefinition[] = [
  registerOfficer,
  changeOfficerEmail,
  setOfficerLimit,
  setOfficerAbsence,
  openCase,
  updateCase,
  addParty,
  updateParty,
  recordContravention,
  setContraventionFinding,
  reassignLead,
  addInvestigator,
  removeInvestigator,
  linkCases,
  createTask,
  claimTask,
  assignTask,
  startTask,
  holdTask,
  completeTask,
  cancelTask,
  unlinkCases,
  addNote,
  requestDocumentUpload,
  confirmDocument,
  quarantineDocument,
  releaseDocument,
  issueDocumentDownload,
  deleteDraftDocument,
  suspendCase,
  resumeCase,
  submitForReview,
  assignReviewer,
  approveCase,
  rejectCase,
  returnCaseForRework,
  withdrawReview,
  startEnforcement,
  issueEnforcementAction,
  recordNoticeRendered,
  recordNoticeFailed,
  recordNoticeServed,
  recordNoticeUndeliverable,
  serveNotice,
  submitToRegistry,
  recordRegistration,
  recordRegistrationRefusal,
  recordRegistrationUnknown,
  withdrawEnforcementAction,
  closeCase,
  closeCaseAsDuplicate,
  reopenCase,
  placeHold,
  releaseHold,
  resolveEffect,
  retryOutboxMessage,
  skipOutboxMessage,
  redriveExecution,
  stopExecution,
  releaseLease,
  repairFinding,
];

export const commands: ReadonlyMap<string, AnyDefinition> = new Map(definitions.map((d) => [d.type, d]));
