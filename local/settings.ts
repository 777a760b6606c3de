import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';

/** What the environment says about the embedded host; a mistake in it is one clear line. */
export function settings(): { port: number; directory: string; registryAnswersAfterMs: number } {
  const port = whole('DOCKET_PORT', '4000', 65_535);
  const registryAnswersAfterMs = whole('DOCKET_REGISTRY_ANSWERS_AFTER_MS', '500', 24 * 3_600_000);
  return { port, directory: dataDirectory(), registryAnswersAfterMs };
}

/** Where the host's data lives, for the host and for the commands beside it. */
export const dataDirectory = () => resolve(namedDirectory() ?? '.docket');

/** The directory that DOCKET_DATA names; an empty name is none. */
export const namedDirectory = (): string | undefined => process.env['DOCKET_DATA'] || undefined;

/** A file of the data directory that needs the directory to be there. */
export function inDataDirectory(directory: string, name: string): string {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  return resolve(directory, name);
}

function whole(name: string, otherwise: string, most: number): number {
  const text = process.env[name] ?? otherwise;
  if (!/^\d{1,8}$/.test(text) || Number(text) > most) throw new Error(`${name} must be a whole number up to ${most}`);
  return Number(text);
}
