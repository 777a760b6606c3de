import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createServer, type AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';

export type DynamoDbOptions = {
  /** Where the data lives; without it they live in memory and end with the engine. */
  file?: string;
  /** Called when the engine ends although nobody asked it to. */
  onExit?: (code: number | null) => void;
};

export type DynamoDb = { endpoint: string; stop(): Promise<void> };

/** Starts the embedded DynamoDB on a free port of this machine and answers once it listens. */
export async function startDynamoDb(options: DynamoDbOptions): Promise<DynamoDb> {
  const binary = engineBinary();
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    const engine = spawnEngine(binary, port, options.file);
    const refusal = await listening(engine);
    if (refusal === undefined) return running(engine, port, options.onExit);
    if (!refusal.includes('already in use') || attempt === PORTS_TRIED)
      throw new Error(`the embedded DynamoDB did not start: ${refusal}`);
  }
}

/** Between finding a free port and using it another process may take it, so a few are tried. */
const PORTS_TRIED = 5;

/**
 * The engine ends with the host even when the host is killed outright: the shell reads a pipe whose other end only the
 * host holds. It also waits for the engine, so that the engine's end is the shell's end and the host hears of it.
 */
const ENDS_WITH_THE_HOST = `
exec 3<&0
"$@" & engine=$!
{ cat >/dev/null; kill $engine; sleep 2; kill -9 $engine; } <&3 2>/dev/null & watch=$!
wait $engine; code=$?
kill $watch 2>/dev/null
exit $code`;

type Engine = ChildProcessByStdio<Writable, Readable, Readable>;

/** `detached`, because Ctrl-C reaches a whole process group and the host still writes while it shuts down. */
function spawnEngine(binary: string, port: number, file: string | undefined): Engine {
  const args = ['serve', '--host', '127.0.0.1', '--port', String(port), ...(file ? ['--db-path', file] : [])];
  return spawn('/bin/sh', ['-c', ENDS_WITH_THE_HOST, 'sh', binary, ...args], { stdio: 'pipe', detached: true });
}

/** Nothing once the engine says that it listens; its last words if it ends before that. */
function listening(engine: Engine): Promise<string | undefined> {
  return new Promise((resolve) => {
    let said = '';
    const hear = (words: Buffer) => {
      said += words.toString();
      if (said.includes('listening on')) resolve(undefined);
    };
    engine.stdout.on('data', hear);
    engine.stderr.on('data', hear);
    engine.once('error', (error) => resolve(error.message));
    engine.once('close', () => resolve(said.trim() || 'it ended at once'));
  });
}

function running(engine: Engine, port: number, onExit: DynamoDbOptions['onExit']): DynamoDb {
  let asked = false;
  const ended = once(engine, 'exit').then(([code]: unknown[]) => {
    engine.stdin.destroy(); // lets go of the process that reads it
    if (!asked) onExit?.(code as number | null);
  });
  for (const stream of [engine.stdout, engine.stderr]) stream.removeAllListeners('data').resume();
  return {
    endpoint: `http://127.0.0.1:${port}`,
    stop: async () => {
      asked = true;
      engine.stdin.end();
      await ended;
    },
  };
}

function engineBinary(): string {
  const name = `@dynoxide/${process.platform}-${process.arch}`;
  try {
    return join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), 'dynoxide');
  } catch {
    throw new Error(
      `the embedded DynamoDB for this platform (${name}) is not installed: install it, or name a DynamoDB in AWS_ENDPOINT_URL_DYNAMODB`,
    );
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  await new Promise((closed) => probe.close(closed));
  return port;
}
