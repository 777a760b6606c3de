// Bundles the embedded host and the commands beside it into dist/: one file starts in half the time of many.
import { build } from 'esbuild';
import { rmSync } from 'node:fs';

rmSync('dist', { recursive: true, force: true });
await build({
  entryPoints: ['local/main.ts', 'local/token.ts', 'local/demo.ts'],
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
  // CommonJS packages inside an ESM bundle still ask for require.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
  },
  logLevel: 'warning',
});
