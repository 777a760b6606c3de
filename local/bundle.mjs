// Bundles the embedded host and the commands beside it into dist/: one file starts in half the time of many. Nothing is
// removed first: a host that runs from dist/ may still load a part of it.
import { build } from 'esbuild';

// CommonJS packages inside an ESM bundle still ask for require. The pinned SDK runs on Node 20; its notice about later
// versions is nothing that somebody who runs this host can act on.
const banner = `
import { createRequire as requireFrom } from 'node:module';
const require = requireFrom(import.meta.url);
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';`;

await build({
  entryPoints: [
    'local/main.ts',
    'local/token.ts',
    'local/demo.ts',
    'local/faults.ts',
    'local/verifyAudit.ts',
    'local/rebuildProjections.ts',
    'local/reconcile.ts',
    'local/corrupt.ts',
  ],
  outdir: 'dist',
  outExtension: { '.js': '.mjs' },
  bundle: true,
  splitting: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  mainFields: ['module', 'main'],
  // Read their own files (font metrics, fonts) beside themselves.
  external: ['pdfkit', '@expo-google-fonts/noto-sans'],
  banner: { js: banner },
  logLevel: 'warning',
});
