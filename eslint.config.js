import tseslint from 'typescript-eslint';

/** A key of the table is built in store/keys.ts and nowhere else, so no other run-time file spells one. */
const keysLiveInOnePlace = {
  selector: 'Literal[value=/^T#|^(CASE|OFFICER|IDEMPOTENCY|OUTBOX|SIDE_EFFECT|WORK|UNIQUE)#/]',
  message: 'keys are built in store/keys.ts only',
};

export default tseslint.config(
  { ignores: ['node_modules', 'dist', 'cdk.out', 'coverage', 'graphql/types.ts'] },
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        projectService: { allowDefaultProject: ['eslint.config.js', '.dependency-cruiser.mjs'] },
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        {
          argsIgnorePattern: '^_',
          varsIgnorePattern: '^_',
          destructuredArrayIgnorePattern: '^_',
          ignoreRestSiblings: true,
        },
      ],
      '@typescript-eslint/require-await': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      'no-else-return': 'error',
      'no-restricted-syntax': ['error', keysLiveInOnePlace],
      eqeqeq: 'error',
      'no-console': 'error',
    },
  },
  { files: ['store/keys.ts', 'test/**'], rules: { 'no-restricted-syntax': 'off' } },
  {
    files: ['local/**', 'bench/**', 'codegen.ts', 'docs/**', 'test/**', 'infra/app.ts'],
    rules: { 'no-console': 'off' },
  },
  { files: ['**/*.js', '**/*.mjs'], extends: [tseslint.configs.disableTypeChecked] },
);
