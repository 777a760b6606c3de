import { AwsSolutionsChecks } from 'cdk-nag';
import { it } from 'vitest';
import { stacks } from './templates.ts';

it('has no finding of AwsSolutions without a written reason', () => {
  const { app } = stacks(new AwsSolutionsChecks());
  app.synth(); // throws, and prints what was found and where
});
