import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { roles, type Role } from '../domain/command.ts';
import { mintToken, secretsIn } from './issuer.ts';
import { dataDirectory } from './settings.ts';

const help = `Prints a bearer token of the embedded issuer.

  npm run --silent token -- --tenant demo --actor alice --roles CASE_OFFICER,INVESTIGATOR [--hours 8]

  Roles: ${roles.filter((role) => role !== 'SERVICE').join(', ')}
  The key is in DOCKET_DATA (.docket), the same that the host uses.
`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      tenant: { type: 'string', default: 'demo' },
      actor: { type: 'string' },
      roles: { type: 'string' },
      hours: { type: 'string', default: '8' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return void process.stdout.write(help);
  if (!values.actor || !values.roles) throw new Error(`--actor and --roles are needed\n\n${help}`);
  const wanted = values.roles.split(',');
  const unknown = wanted.filter((role) => role === 'SERVICE' || !(roles as readonly string[]).includes(role));
  if (unknown.length > 0) throw new Error(`no role ${unknown.join(', ')}\n\n${help}`);
  const hours = Number(values.hours);
  if (!(hours > 0 && hours <= 24 * 30)) throw new Error('--hours must be above 0 and at most 720');
  const token = { tenant: values.tenant, actor: values.actor, roles: wanted as Role[], hours };
  const directory = dataDirectory();
  if (!existsSync(join(directory, 'secrets.json')))
    process.stderr.write(`no host has been on ${directory} yet: the key is made now, for a host that starts there\n`);
  console.log(await mintToken(await secretsIn(directory), token));
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
