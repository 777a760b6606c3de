import { describe, expect, it } from 'vitest';
import { rules } from './rules.ts';

describe('the command engine', () => {
  for (const { says, holds } of rules) it(says, async () => expect(await holds((table) => table)).toBe(true));
});
