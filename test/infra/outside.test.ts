import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { startHttp } from '../../resolvers/http.ts';
import type { Api } from '../../resolvers/server.ts';
import { plain, resources, templates } from './templates.ts';

const { api, workflows, observability } = templates();

describe('the HTTP API', () => {
  const routes = Object.values(resources(api, 'AWS::ApiGatewayV2::Route')).map(({ Properties }) => Properties);

  it('takes what is said with a token, and what the registry has signed', () => {
    assert.deepEqual(routes.map(({ RouteKey, AuthorizationType }) => [RouteKey, AuthorizationType]).sort(), [
      ['POST /graphql', 'JWT'],
      ['POST /registry/callback', 'NONE'],
    ]);
    api.hasResourceProperties('AWS::ApiGatewayV2::Authorizer', {
      AuthorizerType: 'JWT',
      JwtConfiguration: { Issuer: 'https://issuer.example', Audience: ['docket', 'console'] },
    });
  });

  it('is throttled, and logs every request without saying whose it was', () => {
    const [stage] = Object.values(resources(api, 'AWS::ApiGatewayV2::Stage'));
    const { DefaultRouteSettings, AccessLogSettings } = stage!.Properties;
    assert.deepEqual(DefaultRouteSettings, { ThrottlingRateLimit: 10, ThrottlingBurstLimit: 20 });
    const { Format, DestinationArn } = AccessLogSettings as { Format: string; DestinationArn: unknown };
    assert.match(Format, /\$context\.requestId/);
    assert.doesNotMatch(Format, /sourceIp|claims|userAgent|identity/);
    assert.match(plain(api, DestinationArn), /AccessLog/);
    api.hasResourceProperties('AWS::Logs::LogGroup', { LogGroupName: '/aws/vendedlogs/apis/docket-test-api' });
  });

  it('lets the named frontends in, with the headers that the other host allows', async () => {
    const [http] = Object.values(resources(api, 'AWS::ApiGatewayV2::Api'));
    const cors = http!.Properties['CorsConfiguration'] as Record<string, string[] | number>;
    assert.deepEqual(cors['AllowOrigins'], ['https://docket.example']);

    const served = await preflight('https://docket.example');
    const list = (name: string) => served.get(name)!.split(', ');
    assert.deepEqual(cors['AllowHeaders'], list('access-control-allow-headers'));
    assert.deepEqual(cors['ExposeHeaders'], list('access-control-expose-headers'));
    assert.equal(String(cors['MaxAge']), served.get('access-control-max-age'));
  });
});

/** What the other host answers a browser that asks first. */
async function preflight(origin: string): Promise<Map<string, string>> {
  const server = { start: () => Promise.resolve() };
  const listener = await startHttp({ server } as unknown as Api, { allowedOrigins: [origin], timeoutMs: 1 });
  const headers = new Map<string, string>();
  const response = {
    setHeader: (name: string, value: string) => headers.set(name, value),
    writeHead: () => ({ end: () => undefined }),
  };
  listener({ method: 'OPTIONS', headers: { origin } } as never, response as never);
  return headers;
}

describe('an alarm', () => {
  const alarms = Object.values(resources(observability, 'AWS::CloudWatch::Alarm')).map(({ Properties }) => Properties);

  it('is raised for each of these, and reaches people', () => {
    assert.deepEqual(alarms.map(({ AlarmName }) => (AlarmName as string).replace('docket-test-', '')).sort(), [
      'api-fails',
      'executions-aborted',
      'executions-failed',
      'executions-timed-out',
      'findings',
      'needs-a-person',
      'not-reconciled',
      'outbox-dead',
      'poll-fails',
      'stream-age',
      'sweep-fails',
      'table-throttled',
      'unheard',
      'unpublished',
    ]);
    for (const { AlarmActions, AlarmDescription } of alarms) {
      assert.match(plain(observability, (AlarmActions as unknown[])[0]), /^<Alarms/);
      assert.ok(AlarmDescription);
    }
  });

  it('may be told to them by CloudWatch', () => {
    const [policy] = Object.values(resources(observability, 'AWS::SNS::TopicPolicy'));
    const { Statement } = policy!.Properties['PolicyDocument'] as { Statement: Record<string, unknown>[] };
    const allowed = Statement.filter(({ Effect }) => Effect === 'Allow');
    assert.deepEqual(
      allowed.map(({ Principal }) => Principal),
      [{ Service: 'cloudwatch.amazonaws.com' }],
    );
  });

  it('watches what exists: every name in it is one that is deployed', () => {
    const deployed = [workflows, api].flatMap((template) =>
      Object.values(resources(template)).flatMap(({ Properties = {} }) =>
        ['FunctionName', 'QueueName'].map((name) => Properties[name]),
      ),
    );
    const watched = [...JSON.stringify(alarms).matchAll(/"(FunctionName|QueueName)","Value":"([\w-]+)"/g)];
    assert.equal(watched.length, 5);
    for (const [, , name] of watched) assert.ok(deployed.includes(name), name);
  });

  it('is raised by every line that needs a person, whichever function writes it', () => {
    const count = (type: string) => [workflows, api].flatMap((template) => Object.values(resources(template, type)));
    const filters = count('AWS::Logs::MetricFilter').filter(
      ({ Properties }) => Properties['FilterPattern'] === '{ $.line.alarm = "*" }',
    );
    assert.equal(filters.length, count('AWS::Lambda::Function').length);
    assert.match(JSON.stringify(alarms), /AlarmLines/);
  });

  it('of the table counts every index', () => {
    const throttled = alarms.find(({ AlarmName }) => AlarmName === 'docket-test-table-throttled')!;
    assert.equal((throttled['Metrics'] as unknown[]).length, 11); // the sum, and reads and writes of five
  });
});
