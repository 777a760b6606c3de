import { NotAccepted, OutcomeUnknown } from '../../domain/answer.ts';
import type { Evidence } from '../../domain/ports.ts';
import type { Effect, Verdict } from '../../workflows/once.ts';

/** What becomes of one send. The party knows no keys: what is sent twice and accepted twice is there twice. */
export type Reception =
  | 'accepts'
  | 'refuses'
  | 'answers later'
  | 'is busy'
  | 'never takes it'
  | 'accepts, answer lost'
  | 'was not reached'
  | 'accepts, then fails'
  | 'fails before'
  | 'accepts late';

export type Answer = { said: 'ACCEPTED' | 'REFUSED' | 'PENDING'; reference: string };
type Request = { text: string };

/** How long a request may be on its way. */
export const onItsWayMs = 9_000;

/** Another party, as an effect sees it: the first sends are received as told, the later ones accepted. */
export function partyWith(now: () => number, ...receptions: Reception[]) {
  const sent: string[] = [];
  const accepted: { at: number; answer: Answer }[] = [];
  let refused: Answer | undefined;
  let asked = 0;
  const accept = (said: Answer['said'] = 'ACCEPTED', at = now()) => {
    const answer: Answer = { said, reference: `R-${accepted.length + 1}` };
    accepted.push({ at, answer });
    return answer;
  };
  const receive = (reception: Reception): Answer => {
    switch (reception) {
      case 'accepts':
        return accept();
      case 'answers later':
        return accept('PENDING');
      case 'refuses':
        return (refused = { said: 'REFUSED', reference: 'R-0' });
      case 'is busy':
        throw new NotAccepted('429', 'later');
      case 'never takes it':
        throw new NotAccepted('400', 'never');
      case 'accepts, answer lost':
        accept();
        throw Object.assign(new Error('aborted'), { name: 'TimeoutError' });
      case 'accepts late':
        accept('ACCEPTED', now() + onItsWayMs);
        throw Object.assign(new Error('aborted'), { name: 'TimeoutError' });
      case 'was not reached':
        throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
      case 'accepts, then fails':
        accept();
        throw new OutcomeUnknown('503');
      case 'fails before':
        throw new OutcomeUnknown('503');
    }
  };
  const known = (): Evidence<Answer> => {
    const arrived = accepted.find(({ at }) => at <= now());
    if (arrived) return { kind: 'found', answer: arrived.answer };
    return refused ? { kind: 'found', answer: refused } : { kind: 'notFound' };
  };
  const party = {
    sent,
    accepted,
    asked: () => asked,
    /** What a question is answered with, where it is not the truth. */
    evidence: known as () => Evidence<Answer> | Promise<Evidence<Answer>>,
    send: (request: Request): Promise<Answer> => {
      sent.push(JSON.stringify(request));
      return Promise.resolve().then(() => receive(receptions.shift() ?? 'accepts'));
    },
    find: (): Promise<Evidence<Answer>> => {
      asked++;
      return Promise.resolve(party.evidence());
    },
    known,
  };
  return party;
}

export type Party = ReturnType<typeof partyWith>;

/** The effect that acts on the party; its request would differ at every attempt if it were built anew. */
export function effectOn(party: Pick<Party, 'send' | 'find'>): Effect<Request, Answer> {
  let built = 0;
  return {
    request: () => Promise.resolve({ text: `request ${++built}` }),
    prepare: (request) => Promise.resolve(() => party.send(request)),
    find: party.find,
    settleMs: 2_000,
    triesForMs: 20 * 3_600_000,
    verdict: verdictOf,
    whenCannotTell: 'PARKED',
  };
}

const verdicts = { ACCEPTED: 'CONFIRMED', REFUSED: 'FAILED_FINAL', PENDING: 'SENT' } as const;
const verdictOf = ({ said, reference }: Answer): Verdict => ({ to: verdicts[said], providerRequestId: reference });
