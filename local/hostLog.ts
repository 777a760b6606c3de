import { appendFile } from 'node:fs/promises';

/** At most so many characters wait for a disk that does not take them; what comes then is dropped. */
const mostWaiting = 1_000_000;

/**
 * The structured log of the host: into a file, where there is one, and alarms (or all) onto standard error. The host
 * never ends for want of it: a full disk or a reader that is gone loses lines, is said once, and is over when it is over.
 */
export function hostLog(file: string | undefined, verbose: boolean, errors: NodeJS.WritableStream = process.stderr) {
  errors.on('error', () => undefined); // its reader is gone: nobody is left to tell
  let waiting = '';
  let writing = false;
  let failing = false;

  const write = async (path: string) => {
    writing = true;
    while (waiting !== '') {
      const text = waiting;
      waiting = '';
      try {
        await appendFile(path, text);
        failing = false;
      } catch (error) {
        if (!failing) errors.write(`docket: ${path} is not written: ${(error as Error).message}\n`);
        failing = true;
      }
    }
    writing = false;
  };

  return (line: Record<string, unknown>): void => {
    const text = `${JSON.stringify({ at: new Date().toISOString(), ...line })}\n`;
    if (file !== undefined && waiting.length < mostWaiting) {
      waiting += text;
      if (!writing) void write(file);
    }
    if (verbose || 'alarm' in line) errors.write(text);
  };
}
