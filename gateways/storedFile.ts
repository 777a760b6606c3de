import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** What came is not what was announced; nothing of it is kept. A host answers 415, 413 and 400. */
export class TransferRefused extends Error {
  override readonly name = 'TransferRefused';
  readonly reason: 'TYPE' | 'SIZE' | 'HASH';

  constructor(reason: TransferRefused['reason']) {
    super(`transfer refused: ${reason}`);
    this.reason = reason;
  }
}

type Awaited = { folder: string; sha256: string; size: number; mediaType: string };
type Bytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/**
 * Written beside, synced, then renamed: a crash leaves a stray temporary file and never half a document. Measured while
 * it is written: no byte beyond the size is, and what is not as awaited gets no name.
 */
export async function createFile({ folder, sha256, size, mediaType }: Awaited, bytes: Bytes): Promise<void> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, sha256);
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    const file = await open(temporary, 'wx');
    try {
      if ((await writeAtMost(file, bytes, size)) !== sha256) throw new TransferRefused('HASH');
      await file.sync();
    } finally {
      await file.close();
    }
    await writeFile(`${path}.type`, mediaType); // before the name: what has a name has a type
    await rename(temporary, path); // over the same bytes, should somebody have been faster
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await sync(folder);
  await sync(dirname(folder));
}

/** The hash of what was written, which is exactly so many bytes. */
async function writeAtMost(file: FileHandle, bytes: Bytes, size: number): Promise<string> {
  const hash = createHash('sha256');
  let written = 0;
  for await (const chunk of bytes) {
    written += chunk.length;
    if (written > size) throw new TransferRefused('SIZE');
    hash.update(chunk);
    await file.writeFile(chunk); // goes on where the last one ended
  }
  if (written < size) throw new TransferRefused('SIZE');
  return hash.digest('hex');
}

async function sync(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

export function undefinedIfAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
