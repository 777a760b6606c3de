// node bench/bundled.mjs commands.ts: runs a bench in the form in which the product runs, bundled; what a loader adds to
// every function of the sources is not part of what it costs.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { build } from 'esbuild';

const [bench, ...rest] = process.argv.slice(2);
const outfile = `dist/bench-${process.pid}.mjs`;
await build({
  entryPoints: [`bench/${bench}`],
  outfile,
  bundle: true,
  packages: 'external',
  platform: 'node',
  target: 'node20',
  format: 'esm',
  logLevel: 'warning',
});
const env = { ...process.env, AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' };
const { status } = spawnSync(process.execPath, [outfile, ...rest], { stdio: 'inherit', env });
rmSync(outfile);
process.exitCode = status ?? 1;
