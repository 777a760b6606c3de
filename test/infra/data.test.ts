import assert from 'node:assert/strict';
import { Match } from 'aws-cdk-lib/assertions';
import { describe, it } from 'vitest';
import { tableDefinition } from '../../store/table.ts';
import { resources, templates } from './templates.ts';

const { data, workflows, api, observability } = templates();
const retained = ['AWS::DynamoDB::Table', 'AWS::S3::Bucket', 'AWS::KMS::Key', 'AWS::SecretsManager::Secret'];

describe('the table', () => {
  const [table] = Object.values(resources(data, 'AWS::DynamoDB::Table'));
  const { keys, indexes, stream, timeToLive } = tableDefinition;
  const schema = (partition: string, sort: string) => [
    { AttributeName: partition, KeyType: 'HASH' },
    { AttributeName: sort, KeyType: 'RANGE' },
  ];

  it('is the one that every host creates', () => {
    const { KeySchema, GlobalSecondaryIndexes, TimeToLiveSpecification, StreamSpecification } = table!.Properties;
    assert.deepEqual(KeySchema, schema(keys.partition, keys.sort));
    assert.deepEqual(
      GlobalSecondaryIndexes,
      indexes.map(({ name, partition, sort }) => ({
        IndexName: name,
        KeySchema: schema(partition, sort),
        Projection: { ProjectionType: 'KEYS_ONLY' },
      })),
    );
    assert.deepEqual(TimeToLiveSpecification, { AttributeName: timeToLive, Enabled: true });
    assert.deepEqual(StreamSpecification, { StreamViewType: stream });
  });

  it('can be brought back to any second, and is not deleted by mistake', () => {
    data.hasResourceProperties('AWS::DynamoDB::Table', {
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      DeletionProtectionEnabled: true,
      SSESpecification: { SSEEnabled: true, SSEType: 'KMS' },
    });
  });
});

describe('data', () => {
  it('outlives the removal of its stack, and of its resource from the stack', () => {
    const kept = Object.entries(resources(data)).filter(([, { Type }]) => retained.includes(Type));
    assert.equal(kept.length, 6);
    for (const [id, { DeletionPolicy, UpdateReplacePolicy }] of kept)
      assert.deepEqual([id, DeletionPolicy, UpdateReplacePolicy], [id, 'Retain', 'Retain']);
  });

  it('is in one stack only, whatever else is removed', () => {
    for (const template of [workflows, api, observability])
      for (const { Type } of Object.values(resources(template))) assert.ok(!retained.includes(Type), Type);
  });

  it('keeps its logical ids, since another id would be another, empty, table', () => {
    const ids = Object.entries(resources(data)).filter(([, { Type }]) => retained.includes(Type));
    assert.deepEqual(ids.map(([id]) => id).sort(), [
      'DocketDocuments',
      'DocketKey',
      'DocketSecretCursorKey',
      'DocketSecretRegistryApiKey',
      'DocketSecretRegistryCallback',
      'DocketTable',
    ]);
  });

  it('is encrypted with a key that is renewed', () => {
    data.hasResourceProperties('AWS::KMS::Key', { EnableKeyRotation: true });
  });
});

describe('documents', () => {
  it('are private, versioned and encrypted', () => {
    data.hasResourceProperties('AWS::S3::Bucket', {
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
      VersioningConfiguration: { Status: 'Enabled' },
      BucketEncryption: {
        ServerSideEncryptionConfiguration: [
          Match.objectLike({ ServerSideEncryptionByDefault: Match.objectLike({ SSEAlgorithm: 'aws:kms' }) }),
        ],
      },
    });
  });

  it('are sent and fetched by the named frontends, with the headers of a signed link', () => {
    data.hasResourceProperties('AWS::S3::Bucket', {
      CorsConfiguration: {
        CorsRules: [
          {
            AllowedOrigins: ['https://docket.example'],
            AllowedMethods: ['GET', 'PUT'],
            AllowedHeaders: ['content-type', 'x-amz-checksum-sha256'],
            MaxAge: 600,
          },
        ],
      },
    });
  });

  it('are refused over anything but TLS', () => {
    data.hasResourceProperties('AWS::S3::BucketPolicy', {
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({ Effect: 'Deny', Action: 's3:*', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
        ]),
      },
    });
  });
});

describe('stacks', () => {
  it('know each other by name, so that none holds another', () => {
    for (const template of [data, workflows, api, observability]) {
      const json = template.toJSON() as { Outputs?: Record<string, { Export?: unknown }> };
      assert.ok(!JSON.stringify(json).includes('Fn::ImportValue'));
      for (const { Export } of Object.values(json.Outputs ?? {})) assert.equal(Export, undefined);
    }
  });

  it('find at the first deployment what they read by parameter', () => {
    const told = [data, api].flatMap((template) =>
      Object.values(resources(template, 'AWS::SSM::Parameter')).map(({ Properties }) => Properties['Name']),
    );
    for (const template of [workflows, api, observability])
      for (const { Type, Default } of Object.values(parametersOf(template)))
        if (Type === 'AWS::SSM::Parameter::Value<String>' && !Default?.startsWith('/cdk-bootstrap'))
          assert.ok(told.includes(Default), Default);
  });
});

const parametersOf = (template: typeof data) =>
  (template.toJSON() as { Parameters?: Record<string, { Type: string; Default?: string }> }).Parameters ?? {};
