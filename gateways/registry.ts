import canonicalize from 'canonicalize';
import { Busy, NotAccepted, OutcomeUnknown } from '../domain/answer.ts';
import type { Registry, RegistryAnswer } from '../domain/ports.ts';
import { type Answered, codeOf, exchange, neverConnected } from './httpExchange.ts';
import { isObject, parsed } from './json.ts';
import { registryAnswerOf } from './registryAnswer.ts';

const maxBytes = 64 * 1024;

/** The registry over HTTP; the contract is docs/registry.openapi.yaml. */
export function httpRegistry({ url, apiKey, settleMs }: { url: string; apiKey: string; settleMs: number }): Registry {
  const at = (path: string) => new URL(`${url.replace(/\/$/, '')}${path}`);
  const authorization = `Bearer ${apiKey}`;

  return {
    settleMs,

    async submit(request, key, signal) {
      // Canonical, because a stored request comes back with its fields in any order and must be the same bytes again.
      const body = canonicalize(request);
      if (body === undefined) throw new TypeError('a submission is an object');
      const headers = { authorization, 'content-type': 'application/json', 'idempotency-key': key };
      const answered = await exchange({
        method: 'POST',
        url: at('/submissions'),
        headers,
        body,
        maxBytes,
        signal,
      }).catch(notAnswered);
      return submitted(answered);
    },

    async find(key, signal) {
      const where = at(`/submissions/${encodeURIComponent(key)}`);
      const { status, body } = await exchange({
        method: 'GET',
        url: where,
        headers: { authorization },
        maxBytes,
        signal,
      }).catch((error: unknown) => {
        throw new Busy(`the registry could not be asked: ${codeOf(error)}`, 'UNAVAILABLE');
      });
      const value = parsed(body);
      const answer = status === 200 ? registryAnswerOf(value) : undefined;
      if (answer) return { kind: 'found', answer };
      // Only the registry's own words are evidence: a proxy or a wrong address answers 404, too.
      if (status === 404 && isObject(value) && value.code === 'NO_SUCH_SUBMISSION') return { kind: 'notFound' };
      throw new Busy(`the registry could not be asked: HTTP ${status}`, 'UNAVAILABLE');
    },
  };
}

function notAnswered(error: unknown): never {
  if (neverConnected(error)) throw new NotAccepted(`no connection to the registry: ${codeOf(error)}`, 'later');
  throw new OutcomeUnknown(`no whole answer from the registry: ${codeOf(error)}`);
}

/** A submission answers with the status its code promises; 200 replays whatever the key has come to. */
const promised: Record<number, RegistryAnswer['status'] | 'ANY'> = {
  200: 'ANY',
  201: 'ACCEPTED',
  202: 'PENDING',
  422: 'REFUSED',
};

/** The address, the account or the rate is at fault, not the request. */
const later = [401, 403, 404, 405, 407, 429];
/** The request itself is at fault. 408 and 409 are not here: there, something may stand under the key. */
const never = [400, 406, 411, 413, 414, 415, 431];

function submitted({ status, headers, body }: Answered): RegistryAnswer {
  const expected = promised[status];
  const answer = expected && registryAnswerOf(parsed(body));
  if (answer && (expected === 'ANY' || expected === answer.status)) return answer;
  if (later.includes(status))
    throw new NotAccepted(`the registry answered ${status}`, 'later', retryAfterMs(headers['retry-after']));
  if (never.includes(status)) throw new NotAccepted(`the registry answered ${status}`, 'never');
  throw new OutcomeUnknown(`the registry answered ${status}${expected ? ', not as agreed' : ''}`);
}

/** The contract gives whole seconds; anything else, or more than a day, is no help. */
function retryAfterMs(header: string | undefined): number | undefined {
  if (!header || !/^\d{1,5}$/.test(header)) return undefined;
  return Number(header) * 1000;
}
