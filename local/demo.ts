import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { asPerson, type Ask } from './demo/client.ts';
import { tell, type Told } from './demo/story.ts';
import { mintToken, secretsIn } from './issuer.ts';
import { dataDirectory, namedDirectory } from './settings.ts';

const help = `Drives the whole life of a case through the GraphQL endpoint, and shows what came of it.

  npm run demo                     starts a host of its own, and ends it
  npm run demo -- --url URL        uses a running host, whose data is in DOCKET_DATA (.docket)
`;

type Where = { url: string; directory: string; end: () => Promise<void> };

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { url: { type: 'string' }, help: { type: 'boolean', short: 'h' } } });
  if (values.help) return void process.stdout.write(help);
  const where = values.url ? await running(values.url) : await startedHost();
  try {
    await play(where);
  } finally {
    await where.end();
  }
}

async function play({ url, directory }: Where): Promise<void> {
  const secrets = await secretsIn(directory);
  const say = (text: string) => console.log(`  ${text}`);
  console.log(`\nThe life of a case, at ${url}\n`);
  const as = async (actor: string, ...roles: Parameters<typeof mintToken>[1]['roles'][number][]): Promise<Ask> =>
    asPerson(url, await mintToken(secrets, { tenant: 'demo', actor, roles, hours: 1 }));
  const run = Date.now().toString(36);
  const told = await tell({ run, as, say, patienceMs: 120_000 });

  console.log('\nThe timeline, as the audit has it\n');
  await timeline(await as('auditor', 'AUDITOR'), told);
  console.log('\nWhat left the house\n');
  showEvidence(directory, told);
}

async function timeline(ask: Ask, { caseId }: Told): Promise<void> {
  const query = `query ($id: ID!) { case(id: $id) { timeline(first: 100) {
    edges { node { seq at type actorId from to } } } } }`;
  const data = (await ask(query, { id: caseId }))['case'] as {
    timeline: {
      edges: { node: { seq: number; at: string; type: string; actorId: string; from?: string; to?: string } }[];
    };
  };
  for (const { node } of data.timeline.edges) {
    const moved = node.to ? `  ${node.from ?? '(new)'} -> ${node.to}` : '';
    console.log(`  ${String(node.seq).padStart(2)}  ${node.at}  ${node.type.padEnd(24)} ${node.actorId}${moved}`);
  }
}

/** The notice and the mail are files of the data directory; what is missing is a failure. */
function showEvidence(directory: string, { sha256, registryNumber, number }: Told): void {
  const documents = join(directory, 'documents');
  const named = readdirSync(documents, { recursive: true, encoding: 'utf8' }).find((file) => basename(file) === sha256);
  if (!named) throw new Error('the notice is not in the document store');
  const pdf = join(documents, named);
  const mail = mailAbout(join(directory, 'mailbox'), number);
  console.log(`  notice (PDF)     ${pdf}`);
  console.log(`  mail             ${mail}`);
  console.log(`  registry number  ${registryNumber}\n`);
}

function mailAbout(directory: string, number: string): string {
  for (let n = 1; existsSync(join(directory, `${n}.eml`)); n++) {
    const file = join(directory, `${n}.eml`);
    if (readFileSync(file, 'utf8').includes(`in case ${number}`)) return file;
  }
  throw new Error('the mail is not in the mailbox');
}

async function running(url: string): Promise<Where> {
  if (!URL.canParse(url)) throw new Error(`not a URL: ${url}`);
  const endpoint = url.endsWith('/graphql') ? url : `${url.replace(/\/$/, '')}/graphql`;
  await fetch(new URL('/healthz', endpoint), { signal: AbortSignal.timeout(5_000) }).catch(() => {
    throw new Error(`no host answers at ${url}: start one with npm start, or name the address that it prints`);
  });
  return { url: endpoint, directory: dataDirectory(), end: () => Promise.resolve() };
}

/** A host of its own, on a free port, with its data in a new directory that is left for the reader to look at. */
async function startedHost(): Promise<Where> {
  const directory = namedDirectory() ?? mkdtempSync(join(tmpdir(), 'docket-demo-'));
  const main = new URL('./main.mjs', import.meta.url).pathname;
  const host = spawn(process.execPath, ['--max-old-space-size=96', main], {
    env: { ...process.env, DOCKET_PORT: '0', DOCKET_DATA: directory },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return { url: await readyUrl(host), directory, end: () => ended(host) };
}

async function readyUrl(host: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: host.stdout! })) {
    const ready = /^docket ready (\S+)/.exec(line);
    if (ready) return ready[1]!;
  }
  throw new Error('the host did not start');
}

async function ended(host: ChildProcess): Promise<void> {
  if (host.exitCode !== null) return;
  const exited = new Promise((resolve) => host.once('exit', resolve));
  host.kill('SIGTERM');
  await exited;
}

main().catch((error: Error) => {
  process.stderr.write(`\ndemo: ${error.message}\n`);
  process.exitCode = 1;
});
