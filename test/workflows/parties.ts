import { createHash } from 'node:crypto';
import { NotAccepted, OutcomeUnknown } from '../../domain/answer.ts';
import type {
  Content,
  Documents,
  Evidence,
  Mail,
  Mailer,
  Registry,
  RegistryAnswer,
  RegistrySubmission,
} from '../../domain/ports.ts';

/** What becomes of one call: see the names. `loses`: it is taken in, and the answer never arrives. */
export type Reception = 'takes it' | 'refuses' | 'loses' | 'was not reached' | 'fails' | 'is busy' | 'never takes it';

const thrown: Record<Exclude<Reception, 'takes it' | 'refuses'>, () => Error> = {
  loses: () => Object.assign(new Error('reset'), { code: 'ECONNRESET' }),
  'was not reached': () => Object.assign(new Error('aborted'), { name: 'TimeoutError' }),
  fails: () => new OutcomeUnknown('HTTP 503'),
  'is busy': () => new NotAccepted('HTTP 429', 'later'),
  'never takes it': () => new NotAccepted('HTTP 400', 'never'),
};

export type FakeRegistry = Registry & {
  applications: Map<string, { request: RegistrySubmission; answer: RegistryAnswer }>;
  /** Every request, as it came. */
  bodies: string[];
  receptions: Reception[];
  /** What it answers at once to what it takes in. */
  atOnce: (reference: string) => RegistryAnswer;
  findFails: boolean;
  /** Its answer to what it has, from now on also for who asks. */
  decides: (answer: RegistryAnswer) => void;
};

/** A registry that knows what it has by its key; first calls are received as told, later ones taken in and pending. */
export function fakeRegistry(): FakeRegistry {
  const applications: FakeRegistry['applications'] = new Map();
  const bodies: string[] = [];
  const registry: FakeRegistry = {
    settleMs: 2_000,
    applications,
    bodies,
    receptions: [],
    atOnce: (reference) => ({ status: 'PENDING', reference }),
    findFails: false,
    submit: (request, key) => {
      bodies.push(JSON.stringify(request));
      const reception = registry.receptions.shift() ?? 'takes it';
      const reference = `REF-${applications.size + 1}`;
      if (reception === 'refuses') return Promise.resolve({ status: 'REFUSED', reason: 'not registrable', reference });
      const taken = reception === 'takes it' || reception === 'loses';
      if (taken && !applications.has(key)) applications.set(key, { request, answer: registry.atOnce(reference) });
      return reception === 'takes it'
        ? Promise.resolve(applications.get(key)!.answer)
        : Promise.reject(thrown[reception]());
    },
    find: (key) => {
      if (registry.findFails) return Promise.reject(new OutcomeUnknown('HTTP 503'));
      const known = applications.get(key);
      return Promise.resolve<Evidence<RegistryAnswer>>(
        known ? { kind: 'found', answer: known.answer } : { kind: 'notFound' },
      );
    },
    decides: (answer) => {
      for (const application of applications.values()) application.answer = answer;
    },
  };
  return registry;
}

export const accepted = (registryNumber: string): RegistryAnswer & { status: 'ACCEPTED' } => ({
  status: 'ACCEPTED',
  registryNumber,
  reference: 'REF-1',
});
export const refused = (reason: string): RegistryAnswer & { status: 'REFUSED' } => ({
  status: 'REFUSED',
  reason,
  reference: 'REF-1',
});

export type FakeMailer = Mailer & {
  mails: Mail[];
  sent: number;
  receptions: Exclude<Reception, 'refuses'>[];
  keepsLog: boolean;
};

/** A mail server that delivers what it takes, however often it gets it, and keeps a log unless that is switched off. */
export function fakeMailer(): FakeMailer {
  const mails: Mail[] = [];
  const mailer: FakeMailer = {
    settleMs: 2_000,
    mails,
    sent: 0,
    receptions: [],
    keepsLog: true,
    send: (mail) => {
      mailer.sent++;
      const reception = mailer.receptions.shift() ?? 'takes it';
      if (reception === 'takes it' || reception === 'loses') mails.push(mail);
      if (reception !== 'takes it') return Promise.reject(thrown[reception]());
      return Promise.resolve({ providerMessageId: `queue-${mails.length}` });
    },
    find: (messageId) => {
      if (!mailer.keepsLog) return Promise.resolve({ kind: 'cannotTell' });
      const known = mails.some((mail) => mail.messageId === messageId);
      return Promise.resolve<Evidence<{ providerMessageId: string }>>(
        known ? { kind: 'found', answer: { providerMessageId: 'queue-1' } } : { kind: 'notFound' },
      );
    },
  };
  return mailer;
}

/** Kept in memory, by owner and hash. */
export function fakeDocuments(): Documents & { files: Map<string, Uint8Array> } {
  const files = new Map<string, Uint8Array>();
  const types = new Map<string, string>();
  const nameOf = ({ tenant, caseId, ownerId, sha256 }: Content) => [tenant, caseId, ownerId, sha256].join('/');
  return {
    files,
    put: (owner, content, mediaType) => {
      const sha256 = createHash('sha256').update(content).digest('hex');
      files.set(nameOf({ ...owner, sha256 }), content);
      types.set(nameOf({ ...owner, sha256 }), mediaType);
      return Promise.resolve({ sha256, size: content.length });
    },
    read: (content) => Promise.resolve(files.get(nameOf(content))),
    link: (content) => Promise.resolve(`https://documents.example/${nameOf(content)}`),
    upload: (content) =>
      Promise.resolve({ method: 'PUT', url: `https://documents.example/${nameOf(content)}`, headers: [] }),
    checksum: (content) => {
      const found = files.get(nameOf(content));
      const mediaType = types.get(nameOf(content)) ?? '';
      return Promise.resolve(found && { sha256: content.sha256, size: found.length, mediaType });
    },
    destroy: ({ tenant, caseId, ownerId }) => {
      const place = `${tenant}/${caseId}/${ownerId}/`;
      for (const name of files.keys()) if (name.startsWith(place)) files.delete(name);
      return Promise.resolve();
    },
  };
}

export const office = { name: 'Office', addressLines: [], mailFrom: 'notices@regulator.example' };
