import { CfnOutput, Duration, RemovalPolicy, Stack, Validations, type StackProps } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import { CorsHttpMethod, HttpApi, HttpMethod, HttpStage, LogGroupLogDestination } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpJwtAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import type { Construct } from 'constructs';
import type { Bundles } from './bundle.ts';
import { apiEnvironment, workflowEnvironment } from './environment.ts';
import { HandlerFunction } from './handlerFunction.ts';
import { api, registryCallback } from './handlers.ts';
import type { Names } from './names.ts';
import type { Settings } from './settings.ts';

type Props = StackProps & { names: Names; settings: Settings; bundles: Bundles };

/** What is reachable from outside: the GraphQL endpoint for people, the callback for the registry. */
export class ApiStack extends Stack {
  constructor(scope: Construct, id: string, { names, settings, bundles, ...props }: Props) {
    super(scope, id, props);
    const graphql = new HandlerFunction(this, 'api', {
      ...{ names, settings, code: Code.fromAsset(bundles.api), handler: api, entry: 'handler' },
      environment: apiEnvironment(this, names, settings),
    });
    const callback = new HandlerFunction(this, 'registryCallback', {
      ...{
        names,
        settings,
        code: Code.fromAsset(bundles.workflows),
        handler: registryCallback,
        entry: 'registryCallback',
      },
      environment: workflowEnvironment(this, names, settings),
    });

    const httpApi = this.gateway(names, settings);
    httpApi.addRoutes({
      path: '/graphql',
      methods: [HttpMethod.POST],
      integration: new HttpLambdaIntegration('GraphQL', graphql.lambda),
      // The function verifies the token again, and what it says; here strangers are turned away before they cost.
      authorizer: new HttpJwtAuthorizer('Token', settings.issuer, { jwtAudience: settings.audience }),
    });
    const [signed] = httpApi.addRoutes({
      path: '/registry/callback',
      methods: [HttpMethod.POST],
      integration: new HttpLambdaIntegration('RegistryCallback', callback.lambda),
    });
    Validations.of(signed!).acknowledge({
      id: 'AwsSolutions-APIG4',
      reason:
        'The registry has no token of ours: it signs its answer, and the function verifies that before anything else.',
    });
    new StringParameter(this, 'ApiId', { parameterName: names.apiId, stringValue: httpApi.apiId });
    new CfnOutput(this, 'Endpoint', { value: `${httpApi.apiEndpoint}/graphql` });
  }

  private gateway(names: Names, { allowedOrigins, throttle }: Settings): HttpApi {
    const httpApi = new HttpApi(this, 'Http', {
      apiName: names.prefix,
      createDefaultStage: false,
      corsPreflight: {
        allowOrigins: allowedOrigins,
        allowMethods: [CorsHttpMethod.POST, CorsHttpMethod.OPTIONS],
        allowHeaders: [
          'authorization',
          'content-type',
          'apollo-require-preflight',
          'x-correlation-id',
          'docket-timeout-ms',
        ],
        exposeHeaders: ['x-correlation-id'],
        maxAge: Duration.minutes(10),
      },
    });
    const logGroup = new LogGroup(this, 'AccessLog', {
      logGroupName: names.accessLog,
      retention: RetentionDays.ONE_YEAR,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    new HttpStage(this, 'Stage', {
      httpApi,
      stageName: '$default',
      autoDeploy: true,
      throttle: { rateLimit: throttle.requestsPerSecond, burstLimit: throttle.burst },
      accessLogSettings: {
        destination: new LogGroupLogDestination(logGroup),
        format: AccessLogFormat.custom(accessLine),
      },
    });
    return httpApi;
  }
}

/** What happened, and how to find it in the function's log; nobody's address, name or token. */
const accessLine = JSON.stringify({
  requestId: '$context.requestId',
  at: '$context.requestTimeEpoch',
  route: '$context.routeKey',
  status: '$context.status',
  latencyMs: '$context.responseLatency',
  functionStatus: '$context.integrationStatus',
  functionError: '$context.integrationErrorMessage',
  tokenError: '$context.authorizer.error',
  error: '$context.error.responseType',
});
