import { App } from 'aws-cdk-lib';
import { join } from 'node:path';
import { bundles } from './bundle.ts';
import { docket } from './docket.ts';
import { settingsOf } from './settings.ts';

const app = new App();
const settings = settingsOf((key) => app.node.tryGetContext(key));
const { CDK_DEFAULT_ACCOUNT: account, CDK_DEFAULT_REGION: region } = process.env;
docket(app, settings, bundles(join(app.outdir, 'bundles')), { account, region });
app.synth();
