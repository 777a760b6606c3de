import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { settingsOf } from '../../infra/settings.ts';

type Context = { environment?: string; environments: { example: Record<string, unknown> } };
const { context } = JSON.parse(readFileSync(join(import.meta.dirname, '../../cdk.json'), 'utf8')) as {
  context: Context;
};

const settingsIn = (changes: Record<string, unknown>, environment: unknown = 'example') => {
  const environments = { example: { ...context.environments.example, ...changes } };
  return settingsOf((key) => ({ environment, environments })[key]);
};

describe('the settings of an environment', () => {
  it('are those of cdk.json', () => {
    const { environment, issuer, throttle } = settingsIn({});
    assert.deepEqual([environment, issuer], ['example', 'https://issuer.example']);
    assert.deepEqual(throttle, { requestsPerSecond: 100, burst: 200 });
  });

  const wrong = [
    [{ issuer: undefined }, /environment example: issuer must be a text/],
    [{ jwksUri: 'http://issuer.example/keys' }, /jwksUri must be an https URL/],
    [{ audience: [] }, /audience must be a list of texts/],
    [{ mailFrom: 'notices' }, /mailFrom must be an address/],
    [{ tokenUse: 'refresh' }, /tokenUse must be access or id/],
    [{ burst: 0 }, /burst must be a number above zero/],
  ] as const;
  for (const [changes, says] of wrong)
    it(`are refused before anything is made: ${Object.keys(changes)[0]}`, () => {
      assert.throws(() => settingsIn(changes), says);
    });

  it('are of one environment, named and known', () => {
    assert.throws(() => settingsIn({}, 'Production!'), /name the environment/);
    assert.throws(() => settingsIn({}, 'production'), /cdk.json has no environment production/);
  });
});
