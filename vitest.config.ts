import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: {
    // One copy of graphql: as ESM and as CommonJS it would be two realms, and instanceof would fail between them.
    alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }],
  },
  test: {
    include: ['test/**/*.test.ts'],
    maxWorkers: 2, // on two cores the default is one, and much of the time is spent waiting for real servers
    env: { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' },
    testTimeout: 20_000,
    hookTimeout: 20_000,
    server: { deps: { inline: [/@apollo\/server/, /graphql-armor/] } },
  },
});
