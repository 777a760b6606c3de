import http from 'node:http';
import type { FaultBox } from '../registry/faults.ts';
import { Problem, respond, respondToProblem, serveFaults } from '../registry/http.ts';
import type { MailStore } from './mailStore.ts';
import type { MailboxFault } from './smtpPort.ts';

/**
 * What arrived, for people and for the mailer's `find`:
 *
 *   GET /messages                  all, newest last
 *   GET /messages/<Message-ID>     200; 404 NO_SUCH_MESSAGE; 501 LOG_OFF when it cannot tell
 *   GET /messages/<Message-ID>/raw the mail itself
 *   GET, PUT /faults
 */
export function logPort(store: MailStore, faults: FaultBox<MailboxFault>): http.Server {
  return http.createServer((request, response) => {
    handle(store, faults, request, response).catch((error: unknown) => respondToProblem(response, error));
  });
}

async function handle(
  store: MailStore,
  faults: FaultBox<MailboxFault>,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://mailbox');
  if (pathname === '/faults') return serveFaults(faults, request, response);
  if (request.method !== 'GET') throw new Problem(404, 'NOT_FOUND', 'there is nothing at this address');
  if (pathname === '/messages') return respond(response, 200, store.all().map(shown));

  const [, id, raw] = /^\/messages\/([^/]+)(\/raw)?$/.exec(pathname) ?? [];
  if (!id) throw new Problem(404, 'NOT_FOUND', 'there is nothing at this address');
  if (!raw && faults.take('logOff')) throw new Problem(501, 'LOG_OFF', 'this server keeps no log');
  const mail = store.find(decodeURIComponent(id));
  if (!mail) throw new Problem(404, 'NO_SUCH_MESSAGE', 'no such message has arrived');
  if (!raw) return respond(response, 200, shown(mail));
  response.writeHead(200, { 'content-type': 'message/rfc822' }).end(await store.raw(mail.n));
}

const shown = ({ n, ...mail }: ReturnType<MailStore['all']>[number]) => ({ ...mail, providerMessageId: String(n) });
