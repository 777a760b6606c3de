import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uploadWithinMs } from '../../domain/document/document.ts';
import { outboxGraceMs, sweep } from '../../workflows/sweep.ts';
import { ana, done, openCase } from '../store/world.ts';
import { fakeDocuments } from './parties.ts';
import { eventBus, machines } from './publisher.ts';
import { startStage, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.stop());

describe('what was uploaded of a deleted draft', () => {
  const bytes = Buffer.from('a statement');

  it('is destroyed once no link can bring it back, and what another document holds of it stays', async () => {
    const documents = fakeDocuments();
    const swept = () =>
      sweep({ store: stage.store, stateMachines: machines(), documents, events: eventBus() }, outboxGraceMs);
    const { aggregateId: caseId } = await done(stage.world, ana, openCase({ leadOfficerId: 'ana' }));
    const owners: { tenant: string; caseId: string; ownerId: string }[] = [];
    for (let i = 0; i < 2; i++) {
      const sha256 = (await documents.put({ tenant: 'x', caseId, ownerId: 'x' }, bytes, 'text/plain')).sha256;
      const { created } = await done(stage.world, ana, {
        ...{ type: 'requestDocumentUpload', caseId, name: 'statement.txt', mediaType: 'text/plain' },
        ...{ size: bytes.length, sha256, category: 'STATEMENT', classification: 'STANDARD' },
      });
      const owner = { tenant: 'demo', caseId, ownerId: created['document']! };
      await documents.put(owner, bytes, 'text/plain');
      owners.push(owner);
    }
    const there = () => owners.map(({ ownerId }) => [...documents.files.keys()].some((name) => name.includes(ownerId)));

    const { ownerId: documentId } = owners[0]!;
    await done(stage.world, ana, { type: 'deleteDraftDocument', caseId, documentId, expectedVersion: 1 });
    stage.clock.move(outboxGraceMs + 1_000);
    await swept();
    expect(there()).toEqual([true, true]);
    stage.clock.move(uploadWithinMs + 10 * 60_000);
    await swept();
    expect(there()).toEqual([false, true]);
  });
});
