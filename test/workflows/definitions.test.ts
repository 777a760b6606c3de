import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, it } from 'vitest';
import { definitions } from '../../infra/definitions.ts';
import { aslRules } from './aslRules.ts';

type Validate = (
  definition: object,
  options: object,
) => { isValid: boolean; errorsText: (separator: string) => string };
const validate = createRequire(import.meta.url)('asl-validator') as Validate; // it comes without types

describe('every state machine of the product', () => {
  for (const [name, definition] of Object.entries(definitions)) {
    it(`${name} keeps the rules of this house`, () => assert.deepEqual(aslRules(definition), []));

    it(`${name} is Amazon States Language`, () => {
      const { isValid, errorsText } = validate(definition, { checkPaths: true, checkArn: false });
      assert.ok(isValid, errorsText('\n'));
    });
  }
});
