import { parseArgs } from 'node:util';
import { mailboxFaults } from './mailbox/smtpPort.ts';
import { registryFaults } from './registry/startRegistry.ts';
import { runningHost } from './running.ts';

const help = `Sets how the local registry and mailbox misbehave, for drills. What is set replaces what was set before.

  npm run faults -- --registry loseAnswer:1              the next request, once
  npm run faults -- --registry delay:0:5000 --mailbox hang
  npm run faults -- --none                               both behave again
  npm run faults                                         shows what is set

  A fault is NAME[:TIMES[:MS]]; TIMES 0 or nothing means until it is changed.
  registry: ${registryFaults.join(', ')}
  mailbox:  ${mailboxFaults.join(', ')}
`;

type Faults = Record<string, { times?: number; ms?: number }>;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      registry: { type: 'string', multiple: true },
      mailbox: { type: 'string', multiple: true },
      none: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return void process.stdout.write(help);
  const { registry, mailbox } = runningHost().parts;
  const parties = {
    registry: { url: registry, wanted: values.registry },
    mailbox: { url: mailbox, wanted: values.mailbox },
  };
  for (const [name, { url, wanted }] of Object.entries(parties)) {
    if (wanted || values.none) await put(url, faultsOf(wanted ?? []));
    console.log(`${name.padEnd(9)} ${JSON.stringify(await (await fetch(`${url}/faults`)).json())}`);
  }
}

function faultsOf(wanted: string[]): Faults {
  return Object.fromEntries(
    wanted.map((text) => {
      const [, name, times, ms] = /^(\w+)(?::(\d+))?(?::(\d+))?$/.exec(text) ?? [];
      if (!name) throw new Error(`not a fault: ${text}\n\n${help}`);
      return [name, { ...(Number(times) > 0 && { times: Number(times) }), ...(ms && { ms: Number(ms) }) }];
    }),
  );
}

async function put(url: string, faults: Faults): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}/faults`, { method: 'PUT', headers, body: JSON.stringify(faults) });
  if (!response.ok) throw new Error(`refused: ${await response.text()}\n\n${help}`);
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
