import { mkdir, open, readFile, truncate } from 'node:fs/promises';
import { join } from 'node:path';

/** An append-only log. `append` settles when the record would survive a power cut; without a directory it is memory. */
export type JsonLines<T> = {
  /** What was in the log when it was opened, oldest first. */
  before: T[];
  append(record: T): Promise<void>;
  close(): Promise<void>;
};

export async function openJsonLines<T>(directory: string | undefined, name: string): Promise<JsonLines<T>> {
  if (directory === undefined) return { before: [], append: () => Promise.resolve(), close: () => Promise.resolve() };
  await mkdir(directory, { recursive: true });
  const path = join(directory, name);
  const before = await read<T>(path);
  const file = await open(path, 'a');
  await syncDirectory(directory);

  let waiting: { line: string; done: () => void; failed: (error: unknown) => void }[] = [];
  let flushing: Promise<void> | undefined;
  let end = (await file.stat()).size; // behind the last line that is safe
  let torn = false;
  // Everything that gathered while the disk was busy goes out with the next sync, together.
  const flush = async () => {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        if (torn) await file.truncate(end);
        torn = true; // half a line may stand there from now on: nothing may follow it
        const lines = Buffer.from(batch.map(({ line }) => line).join(''));
        await file.appendFile(lines);
        await file.datasync();
        end += lines.length;
        torn = false;
        for (const { done } of batch) done();
      } catch (error) {
        for (const { failed } of batch) failed(error);
      }
    }
    flushing = undefined;
  };

  return {
    before,
    append: (record) =>
      new Promise((done, failed) => {
        waiting.push({ line: `${JSON.stringify(record)}\n`, done: () => done(), failed });
        flushing ??= flush();
      }),
    close: async () => {
      await flushing;
      await file.close();
    },
  };
}

/** A new name in a directory is lost by a power cut unless the directory itself is synced. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  await handle.sync().finally(() => handle.close());
}

/** A crash while writing leaves a last line without its end: nobody was told about it, so it is cut off. */
async function read<T>(path: string): Promise<T[]> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  });
  const end = bytes.lastIndexOf(0x0a) + 1;
  if (end < bytes.length) await truncate(path, end);
  const lines = bytes.subarray(0, end).toString('utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as T);
}
