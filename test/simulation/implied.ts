/**
 * Premises that say nothing which another premise of the same write does not say already, and why. Taking one of them
 * away changes no answer of the database; they stand for the reader.
 */
export const impliedBy: Record<string, string | undefined> = {
  'EXECUTION/RUN update: missing asked': 'whoever asks moves the audit of the case',
  'IDEMPOTENCY/COMMAND put: exists': 'an expiry in the past is that of an item',
  'OFFICER/META update: exists': 'its state or its count is that of an item',
  'CASE/META update: exists': 'its audit sequence is that of an item',
  'CASE/PARTY update: exists': 'its version is that of an item',
  'CASE/CONTRAVENTION update: exists': 'its version is that of an item',
  'CASE/HOLD update: exists': 'its version is that of an item',
  'CASE/TASK update: oneOf status': 'whoever ends a task moves the audit of the case',
  'CASE/META update: equals activeHolds': 'whoever places a hold moves the audit of the case',
  'CASE/NOTE_PLACE put: absent': 'each event of the case has a number of its own, and moves its audit',
  'CASE/LINK delete: exists': 'whoever takes a link away moves the audit of the case that was linked',
  'CASE/LINK delete: equals direction': 'a link has the direction it was made with',
  'CASE/DOCUMENT update: exists': 'its version is that of an item',
  'CASE/DOCUMENT delete: equals status': 'whoever confirms a document moves its version',
  'CASE/REVIEW update: exists': 'a review is never deleted, and the case names it',
  'CASE/ACTION update: exists': 'its version is that of an item',
  'CASE/NOTICE update: exists': 'its version is that of an item',
  'CASE/INVESTIGATOR_GUARD check: equals activeCount': 'whoever joins or leaves moves the audit of the case',
  'CASE/INVESTIGATOR_GUARD check: contains officerIds': 'whoever joins or leaves moves the audit of the case',
  'OFFICER/META check: exists': 'its state is that of an item',
  'CASE/REVIEW update: missing decision': 'a decision moves the status of the case',
  'OFFICER/META update: equals auditSeq': "every event of an officer moves the officer's version",
};
