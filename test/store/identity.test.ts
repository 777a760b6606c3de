import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { namedBy, providerKeyOf } from '../../domain/effect.ts';
import type { CommandId, EffectId, OfficerId, TenantId } from '../../domain/ids.ts';
import {
  commandIdOf,
  createdIdOf,
  effectIdOf,
  eventIdOf,
  executionNameOf,
  serviceKeyOf,
  shardOf,
} from '../../store/identity.ts';

const commandId = (tenant: string, actor: string, key: string) =>
  commandIdOf(tenant as TenantId, actor as OfficerId, key);

describe('a derived identity', () => {
  it('is the same for the same fields, for ever', () => {
    expect(commandId('demo', 'ana', 'key-1')).toBe('db7bgj2rklipqjpnoysq6hrzdwlxxwgt');
    expect(effectIdOf('case-1', 'REGISTRATION', 2)).toBe('hldb3ahknbtzhffdijfhjvhpuu4gdq6b');
  });

  it('differs wherever the fields differ, also when their texts put together are equal', () => {
    const ids = [
      commandId('a', 'b', 'cd'),
      commandId('a', 'bc', 'd'),
      commandId('ab', 'c', 'd'),
      commandId('abcd', '', ''),
      commandId('', 'a', 'bcd'),
      effectIdOf('x', 'y', 1),
      effectIdOf('x', 'y1', 0),
      effectIdOf('x', 'y', 11),
    ];
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('of one kind is never that of another kind', () => {
    const id = 'x' as CommandId & EffectId;
    const kinds = [
      createdIdOf(id, 'party', 0),
      eventIdOf(id, 0),
      effectIdOf(id, 'party', 0),
      serviceKeyOf(id, 0, 'party'),
    ];
    expect(new Set(kinds).size).toBe(kinds.length);
  });

  it('is 32 characters that no key, name or URL has to escape, whatever it is derived from', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.nat(), (text, ordinal) => {
        expect(effectIdOf(text, text, ordinal)).toMatch(/^[a-z2-7]{32}$/);
        expect(executionNameOf('registration', text as EffectId, ordinal)).toMatch(/^[A-Za-z0-9_-]{1,80}$/);
        expect(serviceKeyOf(text as EffectId, ordinal, text)).toMatch(/^[A-Za-z0-9_-]{16,128}$/);
      }),
    );
    expect(executionNameOf('notice', '💥'.repeat(200) as EffectId, 0)).toMatch(/^[A-Za-z0-9_-]{1,80}$/);
  });

  it('names another execution in every round, and the same one again for the same round', () => {
    const names = [0, 1, 2, 10].map((round) => executionNameOf('notice', effectIdOf('n', 'NOTICE_MAIL', 0), round));
    expect(new Set(names).size).toBe(4);
    expect(names[1]).toBe(executionNameOf('notice', effectIdOf('n', 'NOTICE_MAIL', 0), 1));
  });
});

describe('the key a provider sees', () => {
  it('leads back to the tenant and the effect', () => {
    const effectId = effectIdOf('case-1', 'REGISTRATION', 1);
    expect(namedBy(providerKeyOf('demo' as TenantId, effectId))).toEqual({ tenant: 'demo', effectId });
  });

  it('that is none of ours leads nowhere', () => {
    for (const key of ['', 'demo', 'demo.', '.abc', 'demo.ABC', `de#mo.${'a'.repeat(32)}`, `demo.${'a'.repeat(33)}`])
      expect(namedBy(key)).toBeUndefined();
  });
});

it('a shard is below their number, the same for the same text, and all of them are used', () => {
  const shards = Array.from({ length: 200 }, (_, i) => shardOf(`case-${i}`, 4));
  expect(new Set(shards)).toEqual(new Set([0, 1, 2, 3]));
  expect(shardOf('case-7', 4)).toBe(shards[7]);
});
