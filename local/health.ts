import { connect, type Socket } from 'node:net';

const patienceMs = 1_000;

/** Which parts answer: one that has not said a word within a second is missing, also where it takes connections. */
export async function healthOf(parts: Record<string, string>): Promise<Record<string, boolean>> {
  const states = await Promise.all(
    Object.entries(parts).map(async ([name, url]) => [name, await answers(url)] as const),
  );
  return Object.fromEntries(states);
}

const answers = (url: string): Promise<boolean> =>
  url.startsWith('smtp:') ? greets(url) : repliesToHttp(url).catch(() => false);

/** A question that every DynamoDB knows and that costs it nothing; whatever another part replies to it is an answer. */
async function repliesToHttp(url: string): Promise<boolean> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'DynamoDB_20120810.ListTables' },
    body: '{"Limit":1}',
    signal: AbortSignal.timeout(patienceMs),
  });
  await response.body?.cancel();
  return response.status < 500;
}

function greets(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket: Socket = connect(Number(port), hostname);
    const answer = (up: boolean) => (socket.destroy(), resolve(up));
    socket.setTimeout(patienceMs, () => answer(false));
    socket.once('data', () => answer(true)).once('error', () => answer(false));
  });
}
