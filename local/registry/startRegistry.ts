import { createHash, timingSafeEqual } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { RegistryAnswer } from '../../domain/ports.ts';
import { parsed } from '../../gateways/json.ts';
import { type Applications, openApplications, type Plan, type Submission } from './applications.ts';
import { follow } from './callbacks.ts';
import { type FaultBox, faultBox, type Faults } from './faults.ts';
import { Problem, readBody, respond, respondToProblem, serveFaults } from './http.ts';
import { submissionOf } from './submission.ts';

/**
 * refuse: 422 at once. refuseLater: taken in, refused by callback. delay: the answer comes `ms` later than usual.
 * neverAnswer: stays pending. answerTwice: the callback comes twice. contradict: the second says the opposite.
 * loseAnswer: takes it in, then cuts the connection. failBefore, failAfter: 503 without or after taking it in.
 * slow: takes it in, answers `ms` later. tooMany: 429, retry after `ms`. findFails: 503 when asked.
 */
export const registryFaults = [
  ...(['refuse', 'refuseLater', 'delay', 'neverAnswer', 'answerTwice', 'contradict'] as const),
  ...(['loseAnswer', 'failBefore', 'failAfter', 'slow', 'tooMany', 'findFails'] as const),
];
export type RegistryFaults = Faults<(typeof registryFaults)[number]>;
export type { Submission };

export type LocalRegistry = {
  url: string;
  /** One per key, oldest first. */
  applications(): Submission[];
  setFaults(faults: RegistryFaults): void;
  close(): Promise<void>;
};

type Options = {
  /** Absent: nothing outlives the process. */
  directory?: string;
  /** Absent: any free one. */
  port?: number;
  apiKey: string;
  callbackUrl: string;
  callbackSecret: string;
  /** 0: answered at once with 201, without a callback. */
  answerAfterMs: number;
};
type Party = Options & {
  applications: Applications;
  faults: FaultBox<(typeof registryFaults)[number]>;
  stop: AbortSignal;
};

/** The registry of docs/registry.openapi.yaml on this machine: a real server whose word survives its death. */
export async function startRegistry(options: Options): Promise<LocalRegistry> {
  if (!URL.canParse(options.callbackUrl)) throw new TypeError('the callback URL is not a URL');
  const applications = await openApplications(options.directory, Date.now);
  const faults = faultBox(registryFaults);
  const stopping = new AbortController();
  const party: Party = { ...options, applications, faults, stop: stopping.signal };
  const server = http.createServer((request, response) => {
    handle(party, request, response).catch((error: unknown) => respondToProblem(response, error));
  });
  await new Promise<void>((listening, failed) => {
    server.once('error', failed).listen(options.port ?? 0, '127.0.0.1', listening);
  });
  for (const submission of applications.all()) answerLater(party, submission);

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    applications: () => applications.all(),
    setFaults: (next) => faults.set(next),
    close: async () => {
      stopping.abort();
      const closed = new Promise<void>((done) => server.close(() => done()));
      server.closeAllConnections();
      await closed;
      await applications.close();
    },
  };
}

async function handle(party: Party, request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://registry');
  const route = `${request.method} ${pathname}`;
  if (pathname === '/faults') return serveFaults(party.faults, request, response);
  if (!authorized(request.headers.authorization, party.apiKey))
    throw new Problem(401, 'UNAUTHORIZED', 'the API key is missing or not known');
  if (route === 'POST /submissions') return submit(party, request, response);
  const [, key] = /^GET \/submissions\/([^/]+)$/.exec(route) ?? [];
  if (key) return find(party, decodeURIComponent(key), response);
  throw new Problem(404, 'NOT_FOUND', 'there is nothing at this address');
}

async function submit(party: Party, request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
  const { applications, faults } = party;
  const limited = faults.take('tooMany');
  if (limited) {
    const headers = { 'retry-after': String(Math.ceil((limited.ms ?? 1000) / 1000)) };
    throw new Problem(429, 'TOO_MANY_REQUESTS', 'too many requests', headers);
  }
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string' || !/^[!-~]{1,200}$/.test(key))
    throw new Problem(400, 'INVALID', 'Idempotency-Key is missing');
  const body = await readBody(request);
  const bodySha256 = createHash('sha256').update(body).digest('hex');
  const wanted = submissionOf(parsed(body.toString('utf8')));
  if (typeof wanted === 'string') throw new Problem(400, 'INVALID', wanted);
  if (faults.take('failBefore')) throw new Problem(503, 'UNAVAILABLE', 'try again later');

  const earlier = await applications.known(key);
  if (earlier && earlier.bodySha256 !== bodySha256)
    throw new Problem(409, 'KEY_REUSED', 'the key is known with another body');
  const submission = earlier ?? (await takeIn(party, key, wanted, bodySha256));

  if (faults.take('loseAnswer')) return void response.destroy();
  if (faults.take('failAfter')) throw new Problem(503, 'UNAVAILABLE', 'try again later');
  const slow = faults.take('slow');
  if (slow) await pause(slow.ms ?? 1000, undefined, { signal: party.stop });
  const { answer } = submission;
  respond(response, earlier ? 200 : statusOf[answer.status], answer);
}

const statusOf: Record<RegistryAnswer['status'], number> = { ACCEPTED: 201, PENDING: 202, REFUSED: 422 };

async function takeIn(
  party: Party,
  key: string,
  wanted: Submission['request'],
  bodySha256: string,
): Promise<Submission> {
  const { applications, faults, answerAfterMs } = party;
  const refused = faults.take('refuse');
  const atOnce = refused !== undefined || answerAfterMs === 0;
  const plan: Plan = { outcome: refused ? 'REFUSED' : 'ACCEPTED', answerAt: null, callbacks: [] };
  if (!atOnce) {
    if (faults.take('refuseLater')) plan.outcome = 'REFUSED';
    if (!faults.take('neverAnswer')) plan.answerAt = Date.now() + answerAfterMs + (faults.take('delay')?.ms ?? 0);
    plan.callbacks = ['answer'];
    if (faults.take('answerTwice')) plan.callbacks.push('answer');
    if (faults.take('contradict')) plan.callbacks.push('contradiction');
  }
  const submission = await applications.add(key, wanted, bodySha256, plan, atOnce);
  answerLater(party, submission);
  return submission;
}

function answerLater(party: Party, submission: Submission): void {
  const account = { callbackUrl: party.callbackUrl, callbackSecret: party.callbackSecret, now: Date.now };
  const { stop, applications } = party;
  const untilDone = async (): Promise<void> => {
    for (;;) {
      try {
        return await follow(applications, submission, account, stop);
      } catch {
        await pause(1000, undefined, { signal: stop }); // its log cannot be written now: what is not on disk is not told
      }
    }
  };
  untilDone().catch(() => undefined); // only when the registry ends
}

async function find({ applications, faults }: Party, key: string, response: http.ServerResponse): Promise<void> {
  if (faults.take('findFails')) throw new Problem(503, 'UNAVAILABLE', 'try again later');
  const submission = await applications.known(key);
  if (!submission) throw new Problem(404, 'NO_SUCH_SUBMISSION', 'nothing has arrived under this key');
  respond(response, 200, submission.answer);
}

function authorized(header: string | undefined, apiKey: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(header ?? ''), digest(`Bearer ${apiKey}`));
}
