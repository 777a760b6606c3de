/**
 * Who may import whom. The rule that carries the architecture: resolvers cannot reach workflows or gateways, so a
 * mutation cannot call out; anything longer or external can only be asked for through the outbox.
 */
const inside = (...folders) => `^(${folders.join('|')})/`;
const folder = (name, mayImport, comment, more = {}) => ({
  name: `${name}-imports`,
  comment,
  severity: 'error',
  from: { path: inside(name), pathNot: more.except ?? [] },
  to: {
    path: inside(
      'graphql',
      'resolvers',
      'workflows',
      'infra',
      'test',
      'domain',
      'store',
      'gateways',
      'local',
      'console',
      'bench',
    ),
    pathNot: [inside(name, ...mayImport), ...(more.files ?? [])],
  },
});

export default {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    { name: 'not-resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'domain-is-pure',
      comment: 'rules know no I/O, no clock, no randomness and no package',
      severity: 'error',
      from: { path: inside('domain') },
      to: { pathNot: inside('domain') },
    },
    folder('store', ['domain'], 'the only folder that knows DynamoDB'),
    folder('gateways', ['domain'], 'the outside parties know ports and errors, never the table'),
    folder('resolvers', ['domain', 'store', 'graphql'], 'a mutation cannot call out, by construction', {
      except: ['^resolvers/deployed\\.ts$'],
    }),
    {
      name: 'deployed-api-imports',
      comment: 'the composition root of the deployed API puts read-only ports into the context; nothing imports it',
      severity: 'error',
      from: { path: '^resolvers/deployed\\.ts$' },
      to: { path: inside('workflows', 'infra', 'test', 'local', 'console', 'bench') },
    },
    {
      name: 'nobody-imports-the-deployed-api',
      severity: 'error',
      from: {},
      to: { path: '^resolvers/deployed\\.ts$' },
    },
    folder('workflows', ['domain', 'store', 'gateways'], 'tasks change cases by commands, like people do'),
    folder('infra', [], 'infrastructure reads plain data', { files: ['\\.asl\\.json$', '^store/table\\.ts$'] }),
    folder('local', ['graphql', 'resolvers', 'workflows', 'domain', 'store', 'gateways'], 'everything but infra'),
    folder('graphql', ['domain'], 'the contract: types of the domain, no logic'),
    {
      name: 'only-store-knows-dynamodb',
      severity: 'error',
      from: { pathNot: inside('store', 'local', 'test', 'bench') },
      to: { path: 'node_modules/(@aws-sdk/client-dynamodb|@aws-sdk/util-dynamodb)' },
    },
    {
      name: 'no-tests-in-the-product',
      severity: 'error',
      from: { pathNot: inside('test', 'bench', 'docs') },
      to: { path: inside('test') },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|cdk\\.out)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
