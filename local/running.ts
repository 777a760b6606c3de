import { readFileSync } from 'node:fs';
import { dataDirectory, inDataDirectory } from './settings.ts';
import type { Host } from './host.ts';

/** The host that runs on DOCKET_DATA, as it announced itself. */
export function runningHost(): Pick<Host, 'url' | 'parts'> {
  const directory = dataDirectory();
  try {
    return JSON.parse(readFileSync(inDataDirectory(directory, 'host.json'), 'utf8')) as Pick<Host, 'url' | 'parts'>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new Error(`no host runs on ${directory}: start one with npm start, or set DOCKET_DATA`);
  }
}
