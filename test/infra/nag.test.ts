import { AwsSolutionsChecks } from 'cdk-nag';
import { it } from 'vitest';
import { stacks } from './templates.ts';

const { app } = stacks(new AwsSolutionsChecks());

it('has no finding of AwsSolutions without a written reason', () => {
  app.synth(); // throws, and prints what was found and where
});
