import { connect, type Socket } from 'node:net';

const patienceMs = 1_000;

/** Which parts listen: a part that does not take a connection within a second is missing. */
export async function healthOf(parts: Record<string, string>): Promise<Record<string, boolean>> {
  const states = await Promise.all(
    Object.entries(parts).map(async ([name, url]) => [name, await listens(url)] as const),
  );
  return Object.fromEntries(states);
}

function listens(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket: Socket = connect(Number(port), hostname);
    const answer = (up: boolean) => (socket.destroy(), resolve(up));
    socket.setTimeout(patienceMs, () => answer(false));
    socket.once('connect', () => answer(true)).once('error', () => answer(false));
  });
}
