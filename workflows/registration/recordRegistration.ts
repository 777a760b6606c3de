import { InvariantBreach } from '../../domain/answer.ts';
import type { RegistryAnswer } from '../../domain/ports.ts';
import { withLease } from '../../store/lease.ts';
import { sight } from '../../store/findings.ts';
import { readEffect } from '../../store/ledger.ts';
import { unanswered } from './unanswered.ts';
import { command, effectOf, workerOf, type Deps, type Task } from '../task.ts';

/** The registry accepted: its number becomes the action's. A number that another action has is a branch of its own. */
export const recordRegistration = (task: Task, { store }: Deps) =>
  withLease(store, task.input.tenant, task.input.caseId, workerOf(task), async (lease) => {
    const { caseId, actionId } = task.input;
    const { response, submissionNumber } = await readEffect(store, effectOf(task.input, 'registry'));
    const answer = JSON.parse(response ?? 'null') as RegistryAnswer | null;
    if (answer?.status !== 'ACCEPTED') throw new InvariantBreach('a confirmed submission without a registry number');
    const { registryNumber } = answer;
    const asked = { type: 'recordRegistration', caseId, actionId, submissionNumber, registryNumber };
    const said = await command(store, task.input, lease, asked);
    if (said.refused === 'UNIQUE_VIOLATION') {
      store.log({ alarm: 'registry number already claimed', effectId: task.input.effectId });
      await sight(
        store,
        task.input.tenant,
        unanswered('REGISTRY_NUMBER_CLAIMED', task.input, submissionNumber),
        'CERTAIN',
      );
    }
    return said;
  });
