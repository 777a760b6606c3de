import type { Case, CaseLink, Contravention, Investigator, Party, Review } from '../domain/case/case.ts';
import type { EnforcementAction, Notice } from '../domain/action/action.ts';
import type { Hold } from '../domain/hold/hold.ts';
import type { NoteId } from '../domain/ids.ts';
import type { Officer } from '../domain/officer/officer.ts';
import { ref } from '../domain/refs.ts';
import type { OpenTask, Task } from '../domain/task/task.ts';
import { listChildren, listEvents } from '../store/lists.ts';
import { connection, type PageArgs } from './connections.ts';
import type { Context } from './context.ts';

type Children = {
  party: Party;
  contravention: Contravention;
  review: Review;
  action: EnforcementAction;
  notice: Notice;
  task: Task;
  hold: Hold;
  investigator: Investigator;
};

/** What hangs below a case that was loaded through the guard. */
export const children = <Kind extends keyof Children>(ctx: Context, current: Case, kind: Kind, args: PageArgs) =>
  connection(ctx, args, {
    scope: { connection: `case.${kind}`, of: { case: current.id }, sort: 'id' },
    list: (limit, after) => listChildren<Children[Kind]>(ctx.reads, ctx.tenant, current.id, kind, limit, after),
    shown: everyOne,
  });

/** By their keys, of which a case has few; each as it stands. */
export const openTasksOf = (ctx: Context, current: Case, args: PageArgs) =>
  connection(ctx, args, {
    scope: { connection: 'case.openTask', of: { case: current.id }, sort: 'origin' },
    list: (limit, after) => listChildren<OpenTask>(ctx.reads, ctx.tenant, current.id, 'openTask', limit, after),
    shown: async (keys) => {
      const found = await Promise.all(keys.map(({ taskId }) => ctx.loaders.task(ref.task(current.id, taskId))));
      return found.map((task) => (task?.endedAt === undefined ? task : undefined));
    },
  });

/** By their places, which are in the order of writing; each note as it is. */
export const notesOf = (ctx: Context, current: Case, args: PageArgs) =>
  connection(ctx, args, {
    scope: { connection: 'case.note', of: { case: current.id }, sort: 'seq' },
    list: (limit, after) =>
      listChildren<{ noteId: NoteId }>(ctx.reads, ctx.tenant, current.id, 'notePlace', limit, after),
    shown: (places) => Promise.all(places.map(({ noteId }) => ctx.loaders.child(ref.note(current.id, noteId)))),
  });

export const timelineOf = (ctx: Context, aggregate: Case | Officer, args: PageArgs) => {
  const named =
    'caseType' in aggregate
      ? ({ of: 'case', caseId: aggregate.id } as const)
      : ({ of: 'officer', officerId: aggregate.id } as const);
  return connection(ctx, args, {
    scope: { connection: `${named.of}.timeline`, of: { id: aggregate.id }, sort: 'seq' },
    list: (limit, after) => listEvents(ctx.reads, ctx.tenant, named, limit, true, after),
    shown: everyOne,
  });
};

/** A link leads to another case, which has its own guard: what cannot be seen there is not told here. */
export const linksOf = (ctx: Context, current: Case, args: PageArgs) =>
  connection(ctx, args, {
    scope: { connection: 'case.link', of: { case: current.id }, sort: 'id' },
    list: (limit, after) => listChildren<CaseLink>(ctx.reads, ctx.tenant, current.id, 'link', limit, after),
    shown: async (links) => {
      const others = await Promise.all(links.map(({ otherCaseId }) => ctx.loaders.case(otherCaseId)));
      return links.map((link, i) => (others[i] ? link : undefined));
    },
  });

const everyOne = <Row>(rows: Row[]): Promise<Row[]> => Promise.resolve(rows);
