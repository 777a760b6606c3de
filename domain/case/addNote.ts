import { create } from '../change.ts';
import type { NoteId } from '../ids.ts';
import { ref } from '../refs.ts';
import { paragraph } from '../text.ts';
import { anyVersion, caseTransition, defineCaseCommand, type OnAnyVersion } from './caseCommand.ts';
import type { Note } from './note.ts';

export type AddNote = OnAnyVersion<'addNote'> & { text: string };

/** Something is written down; what was written before stays as it is. */
export const addNote = defineCaseCommand({
  type: 'addNote',
  invariant: ['A note is never changed, and says who wrote it and when.', 'Nothing is noted on a closed case.'],
  stale: anyVersion,
  reads: ({ caseId }: AddNote, given) => ({ note: ref.note(caseId, given.id<NoteId>('note')) }),
  decide: (current, _found, command, given) => {
    const { caseId, text } = command;
    const no = paragraph(text, 'text');
    if (no) return no;
    const id = given.id<NoteId>('note');
    const note: Note = {
      ...{ id, caseId, text, seq: current.auditSeq + 1, writtenAt: given.at, writtenBy: given.actor.id },
      createdBy: { commandId: given.commandId, requestHash: given.requestHash },
    };
    return caseTransition(current, current, command, given, {
      moves: 'child',
      announces: 'NoteAdded',
      changed: ['notes'],
      details: { noteId: id },
      payload: { noteId: id },
      changes: [create(ref.note(caseId, id), note), create(ref.notePlace(caseId, note.seq), { noteId: id })],
      created: { note: id },
    });
  },
});
