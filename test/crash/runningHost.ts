import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';

export type RunningHost = { url: string; pid: number; kill: () => Promise<void>; stop: () => Promise<number> };

/** Starts the bundled host as its own process and answers once it says that it is ready. */
export async function startHostProcess(
  directory: string,
  port: number,
  env: Record<string, string> = {},
): Promise<RunningHost> {
  const host = spawn(process.execPath, ['--max-old-space-size=96', 'dist/main.mjs'], {
    env: { ...process.env, DOCKET_PORT: String(port), DOCKET_DATA: directory, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let complaints = '';
  host.stderr.on('data', (text: Buffer) => (complaints += text.toString()));
  const url = await readyUrl(host).catch(() => {
    throw new Error(`the host did not start: ${complaints}`);
  });
  const ended = once(host, 'exit');
  const end = async (signal: NodeJS.Signals) => {
    host.kill(signal);
    await ended;
    return host.exitCode ?? -1;
  };
  return { url, pid: host.pid!, kill: async () => void (await end('SIGKILL')), stop: () => end('SIGTERM') };
}

async function readyUrl(host: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: host.stdout! })) {
    const ready = /^docket ready (\S+)/.exec(line);
    if (ready) return ready[1]!;
  }
  throw new Error('no ready line');
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
