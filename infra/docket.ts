import type { App, Environment } from 'aws-cdk-lib';
import { ApiStack } from './apiStack.ts';
import type { Bundles } from './bundle.ts';
import { DataStack } from './dataStack.ts';
import { namesOf } from './names.ts';
import { ObservabilityStack } from './observabilityStack.ts';
import type { Settings } from './settings.ts';
import { WorkflowsStack } from './workflowsStack.ts';

/**
 * The stacks of one environment. They know each other by name: what one says, the next reads when it is deployed, so the
 * order matters at the first deployment only, and each can be removed without asking the others.
 */
export function docket(app: App, settings: Settings, bundles: Bundles, env?: Environment) {
  const names = namesOf(settings.environment);
  const id = (stack: string) => `Docket-${settings.environment}-${stack}`;
  const common = { env, names, tags: { application: 'docket', environment: settings.environment } };

  const data = new DataStack(app, id('Data'), { ...common, allowedOrigins: settings.allowedOrigins });
  const workflows = new WorkflowsStack(app, id('Workflows'), { ...common, settings, bundles });
  const api = new ApiStack(app, id('Api'), { ...common, settings, bundles });
  const observability = new ObservabilityStack(app, id('Observability'), common);
  for (const stack of [workflows, api]) stack.addStackDependency(data);
  observability.addStackDependency(api);
  return { data, workflows, api, observability };
}
