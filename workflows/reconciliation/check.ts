import { subjectOfKey, type Subject } from '../../store/keys.ts';
import type { Key } from '../../store/table-port.ts';
import { checkCase } from './checkCase.ts';
import { checkOfficer } from './checkOfficer.ts';
import { checkEffect, checkLease, checkMessage } from './checkWork.ts';
import { nothing, type Checked, type Look } from './checked.ts';
import { checkSentinel } from './sentinels.ts';

/** One thing that a key names, looked at as it stands now, whoever found the key; nothing for what belongs to another. */
export function check(look: Look, key: Key): Promise<Checked> {
  const subject = subjectOfKey(key);
  return subject ? ofSubject(look, key, subject) : Promise.resolve(nothing);
}

function ofSubject(look: Look, key: Key, subject: Subject): Promise<Checked> {
  switch (subject.of) {
    case 'case':
      return checkCase(look, subject.caseId);
    case 'officer':
      return checkOfficer(look, subject.officerId);
    case 'sentinel':
      return checkSentinel(look, key, subject.unique);
    case 'effect':
      return checkEffect(look, subject);
    case 'message': {
      const { of: _, ...named } = subject;
      return checkMessage(look, named);
    }
    case 'lease':
      return checkLease(look, subject.aggregateId);
    case 'counter':
      return Promise.resolve(nothing); // compared region by region, all at once
  }
}
