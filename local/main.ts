import { rmSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startHost, type Host } from './host.ts';
import { hostLog } from './hostLog.ts';
import { secretsIn } from './issuer.ts';
import { takeLock } from './lock.ts';
import { inDataDirectory, settings } from './settings.ts';

const help = `Docket on one machine: API, workflows, registry and mailbox, until Ctrl-C.

  npm start [-- [--memory] [--verbose]]

  --memory    keep no data: what happens ends with the host (its keys stay, so that tokens are those of npm run token)
  --verbose   print the structured log as well (it is in <data>/host.log)

  DOCKET_PORT                       where the API listens (4000; 0 takes a free port)
  DOCKET_DATA                       where the data lives (.docket)
  DOCKET_REGISTRY_ANSWERS_AFTER_MS  how long the local registry takes to answer (500)
  AWS_ENDPOINT_URL_DYNAMODB         use this DynamoDB endpoint instead of the embedded engine
`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { memory: { type: 'boolean' }, verbose: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help) return void process.stdout.write(help);

  const { port, directory, registryAnswersAfterMs } = settings();
  const kept = values.memory ? undefined : directory;
  const lock = kept ? undefined : takeLock(inDataDirectory(directory, '.'));
  const host = await startHost({
    port,
    directory: kept,
    secrets: await secretsIn(directory),
    registryAnswersAfterMs,
    log: hostLog(kept && inDataDirectory(kept, 'host.log'), values.verbose === true),
    onDatabaseLost: () => fail('the embedded database ended; start again, nothing committed is lost'),
  });
  process.stdout.on('error', () => undefined); // whoever started it may have stopped reading
  endOnSignals(host, () => {
    rmSync(inDataDirectory(directory, 'host.json'), { force: true });
    lock?.release();
  }); // before anybody learns that there is something to end
  announceParts(directory, host);
  for (const [name, url] of Object.entries(host.parts)) console.log(`  ${name.padEnd(14)} ${url}`);
  console.log(`docket ready ${host.url}/graphql`);
}

/** Where the parts listen, for the commands beside the host. */
const announceParts = (directory: string, { url, parts }: Host) =>
  writeFileSync(inDataDirectory(directory, 'host.json'), JSON.stringify({ url, parts, pid: process.pid }));

function endOnSignals(host: Host, gone: () => void): void {
  let ending = false;
  const end = () => {
    if (ending) return;
    ending = true;
    gone();
    host.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on('SIGINT', end).on('SIGTERM', end).on('SIGHUP', end);
}

function fail(message: string): never {
  process.stderr.write(`docket: ${message}\n`);
  process.exit(1);
}

main().catch((error: NodeJS.ErrnoException) => {
  if (error.code === 'EADDRINUSE') fail(`port ${settings().port} is taken; set DOCKET_PORT to another one`);
  fail(error.message);
});
