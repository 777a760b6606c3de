import { buildSync } from 'esbuild';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** What the functions run, as folders: one bundle for every task and one for the API, so that two are uploaded. */
export type Bundles = { api: string; workflows: string };

/** Built here and by esbuild alone: CDK's own bundling falls back to Docker where it does not find esbuild. */
export function bundles(into: string): Bundles {
  rmSync(into, { recursive: true, force: true });
  const workflows = bundle('workflows/lambda.ts', join(into, 'workflows'));
  for (const file of fonts) besideBundle(file, workflows);
  const api = bundle('resolvers/deployed.ts', join(into, 'api'));
  return { api, workflows };
}

function bundle(entry: string, into: string): string {
  buildSync({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile: join(into, 'index.mjs'),
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    mainFields: ['module', 'main'],
    // Packages that are CommonJS call `require` for what Node has built in; a module has none. A long name: the bundle's
    // own share its scope.
    banner: {
      js: "import { createRequire as requireOfThisBundle } from 'node:module'; const require = requireOfThisBundle(import.meta.url);",
    },
    legalComments: 'none',
    logLevel: 'warning',
  });
  return into;
}

/** What the notice is set in. It is found at run time where a package would be (workflows/notice/pdf.ts). */
const fonts = ['400Regular', '700Bold'].map(
  (weight) => `@expo-google-fonts/noto-sans/${weight}/NotoSans_${weight}.ttf`,
);

function besideBundle(file: string, into: string): void {
  const target = join(into, 'node_modules', file);
  mkdirSync(dirname(target), { recursive: true });
  cpSync(createRequire(import.meta.url).resolve(file), target);
}
