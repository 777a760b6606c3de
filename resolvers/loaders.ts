import DataLoader from 'dataloader';
import type { Case } from '../domain/case/case.ts';
import type { Actor } from '../domain/command.ts';
import type { CaseDocument } from '../domain/document/document.ts';
import type { CaseId, OfficerId, TenantId } from '../domain/ids.ts';
import type { Officer } from '../domain/officer/officer.ts';
import { permits, relationsOf, sees, type Access } from '../domain/policy.ts';
import { ref, type Ref } from '../domain/refs.ts';
import type { UniqueKind } from '../domain/sentinel.ts';
import type { Task } from '../domain/task/task.ts';
import { seesTask, taskAccess, type TaskAccess } from '../domain/task/taskPolicy.ts';
import type { Aggregated } from '../store/answers.ts';
import { readItems } from '../store/read.ts';
import type { Store } from '../store/store.ts';

/** Everything a request reads by key. Each method answers only what the actor may see: unseen equals absent. */
export type Loaders = ReturnType<typeof loadersOf>;

/**
 * The guard (tenant, role, relation, classification) sits here, so that no path leads around it. Reads of one tick share
 * one consistent batch of at most 100 keys; a failed batch is not remembered.
 */
export function loadersOf(store: Store, tenant: TenantId, actor: Actor) {
  const items = new DataLoader<Ref, unknown, string>((refs) => readItems(store, tenant, refs), {
    maxBatchSize: 100,
    cacheKeyFn: textOf,
  });
  const load = <Item>(wanted: Ref<Item>) => items.load(wanted) as Promise<Item | undefined>;

  /** How the actor stands to the case; every look at a case asks, and all looks of a page share a batch. */
  const accessTo = async (caseId: CaseId, current: Promise<Case | undefined>): Promise<Access | undefined> => {
    const [found, guard, exclusion] = await Promise.all([
      current,
      load(ref.investigatorGuard(caseId)),
      load(ref.exclusion(caseId, actor.id)),
    ]);
    if (!found) return undefined;
    const investigators = guard?.officerIds ?? new Set<OfficerId>();
    return { actor, relations: relationsOf(actor.id, found, investigators, exclusion !== undefined) };
  };

  /** What tells how the actor stands to the tasks of a case. */
  const standingTo = async (caseId: CaseId) => {
    const current = load(ref.case(caseId));
    const [found, access, self] = await Promise.all([current, accessTo(caseId, current), load(ref.officer(actor.id))]);
    return found && access && { current: found, access, self };
  };
  const accessIn = (standing: Awaited<ReturnType<typeof standingTo>>, task: Task): TaskAccess | undefined =>
    standing && seesTask(standing.access, standing.current, task)
      ? taskAccess(standing.access, task, standing.self)
      : undefined;

  const loaders = {
    async case(caseId: CaseId): Promise<Case | undefined> {
      const current = load(ref.case(caseId));
      const [found, access] = await Promise.all([current, accessTo(caseId, current)]);
      return found && access && sees(access, found) ? found : undefined;
    },

    /** For availableActions: of a case that was loaded here, hence seen. */
    async access(current: Case): Promise<Access> {
      return (await accessTo(current.id, Promise.resolve(current)))!;
    },

    /** Something below a case: it is seen exactly when its case is. */
    async child<Item>(wanted: Ref<Item>): Promise<Item | undefined> {
      if (!('caseId' in wanted)) return undefined;
      const [parent, found] = await Promise.all([loaders.case(wanted.caseId), load<Item>(wanted)]);
      return parent && found;
    },

    /** Its case shows it, unless the document is the more secret of the two. */
    async document(wanted: Ref<CaseDocument>): Promise<CaseDocument | undefined> {
      if (!('caseId' in wanted)) return undefined;
      const current = load(ref.case(wanted.caseId));
      const [found, parent, access] = await Promise.all([load(wanted), current, accessTo(wanted.caseId, current)]);
      return found && parent && access && sees(access, parent) && sees(access, found) ? found : undefined;
    },

    /** Its case shows it; operators see those of operations, and no case. */
    async task(wanted: Ref<Task>): Promise<Task | undefined> {
      if (!('caseId' in wanted)) return undefined;
      const [found, standing] = await Promise.all([load(wanted), standingTo(wanted.caseId)]);
      return found && accessIn(standing, found) ? found : undefined;
    },

    /** How the actor stands to the task and its case; nothing where they may not see it. */
    async taskAccess(found: Task): Promise<TaskAccess | undefined> {
      return accessIn(await standingTo(found.caseId), found);
    },

    async officer(officerId: OfficerId): Promise<Officer | undefined> {
      return permits('OFFICER_READ', actor) ? load(ref.officer(officerId)) : undefined;
    },

    /** What carries the work: for operators, who see it for every case and the case itself for none. */
    async operated<Item>(wanted: Ref<Item>): Promise<Item | undefined> {
      return permits('OPERATE', actor) ? load(wanted) : undefined;
    },

    /** The case that holds a unique value. */
    async caseHolding(kind: UniqueKind, scope: string, value: string): Promise<Case | undefined> {
      const sentinel = await load(ref.unique(kind, scope, value));
      return sentinel?.ownerType === 'Case' ? loaders.case(sentinel.ownerId as CaseId) : undefined;
    },

    /** After a command: what was read before it is old, and its aggregate as it stands passes the same guard. */
    async shown(aggregate: Aggregated | undefined): Promise<Case | Officer | undefined> {
      items.clearAll();
      if (!aggregate || 'kind' in aggregate) return undefined; // a finding is shown where operators look
      if (!isCase(aggregate)) {
        items.prime(ref.officer(aggregate.id), aggregate);
        return loaders.officer(aggregate.id);
      }
      items.prime(ref.case(aggregate.id), aggregate);
      return loaders.case(aggregate.id);
    },
  };
  return loaders;
}

export const isCase = (aggregate: Case | Officer): aggregate is Case => 'caseType' in aggregate;

/** One text for one ref, whatever the order of its fields: two spellings would be two reads of one key. */
const textOf = (wanted: Ref) => JSON.stringify(Object.entries(wanted).sort(([a], [b]) => (a < b ? -1 : 1)));
