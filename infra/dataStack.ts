import { RemovalPolicy, Stack, Validations, type CfnResource, type StackProps } from 'aws-cdk-lib';
import {
  AttributeType,
  BillingMode,
  ProjectionType,
  StreamViewType,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb';
import { Key } from 'aws-cdk-lib/aws-kms';
import { BlockPublicAccess, Bucket, BucketEncryption, HttpMethods, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import type { Construct } from 'constructs';
import { tableDefinition } from '../store/table.ts';
import type { Names, SecretName } from './names.ts';

type Props = StackProps & { names: Names; allowedOrigins: string[] };

/**
 * What must outlive everything else. Each of its resources is retained when it leaves the template, has a logical id of
 * its own, so that moving code never replaces it, and where AWS has such a thing it refuses to be deleted.
 */
export class DataStack extends Stack {
  constructor(scope: Construct, id: string, { names, allowedOrigins, ...props }: Props) {
    super(scope, id, { ...props, terminationProtection: true });
    const key = this.key(names);
    const table = this.table(names, key);
    this.documents(names, key, allowedOrigins);
    for (const secret of ['cursor-key', 'registry-api-key', 'registry-callback'] as const)
      this.secret(names, secret, key);

    const tell = (what: string, parameterName: string, stringValue: string) =>
      new StringParameter(this, what, { parameterName, stringValue });
    tell('StreamArn', names.streamArn, table.tableStreamArn!);
    tell('KeyArn', names.keyArn, key.keyArn);
  }

  private key(names: Names): Key {
    const key = new Key(this, 'Key', {
      description: 'Docket: table, documents and secrets',
      alias: names.prefix,
      enableKeyRotation: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    return pinned(key, 'DocketKey');
  }

  private table(names: Names, encryptionKey: Key): Table {
    const { keys, indexes, timeToLive, stream } = tableDefinition;
    const text = (name: string) => ({ name, type: AttributeType.STRING });
    const table = new Table(this, 'Table', {
      tableName: names.table,
      partitionKey: text(keys.partition),
      sortKey: text(keys.sort),
      billingMode: BillingMode.PAY_PER_REQUEST,
      timeToLiveAttribute: timeToLive,
      stream: StreamViewType[stream],
      encryption: TableEncryption.CUSTOMER_MANAGED,
      encryptionKey,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
    });
    for (const { name, partition, sort } of indexes)
      table.addGlobalSecondaryIndex({
        indexName: name,
        partitionKey: text(partition),
        sortKey: text(sort),
        projectionType: ProjectionType.KEYS_ONLY,
      });
    return pinned(table, 'DocketTable');
  }

  private documents(names: Names, encryptionKey: Key, allowedOrigins: string[]): void {
    const kept = {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      versioned: true,
      removalPolicy: RemovalPolicy.RETAIN,
    };
    const bucket = new Bucket(this, 'Documents', {
      ...kept,
      bucketName: names.bucket(this.account, this.region),
      encryption: BucketEncryption.KMS,
      encryptionKey,
      bucketKeyEnabled: true,
      // Frontends send and fetch documents by signed links, which name the host's headers.
      cors: [
        {
          allowedOrigins,
          allowedMethods: [HttpMethods.GET, HttpMethods.PUT],
          allowedHeaders: ['content-type', 'x-amz-checksum-sha256'],
          maxAge: 600,
        },
      ],
    });
    pinned(bucket, 'DocketDocuments');
    Validations.of(bucket).acknowledge({
      id: 'AwsSolutions-S1',
      reason: 'Who reads a document is told by CloudTrail data events, which belong to the account and not to a stack.',
    });
  }

  /** Made with a random value: right for the cursor key, and to be overwritten with the registry's for the others. */
  private secret(names: Names, name: SecretName, encryptionKey: Key): void {
    const secret = new Secret(this, name, {
      secretName: names.secret(name),
      encryptionKey,
      generateSecretString: { passwordLength: 64, excludePunctuation: true },
      removalPolicy: RemovalPolicy.RETAIN,
    });
    const id = name.replace(/(^|-)\w/g, (match) => match.slice(-1).toUpperCase());
    pinned(secret, `DocketSecret${id}`);
    Validations.of(secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason:
        name === 'cursor-key'
          ? 'A new key ends every page that is open; it is changed by hand, when there is a reason.'
          : 'The registry is party to it: both sides change it together, by hand (docs/deployment.md).',
    });
  }
}

function pinned<C extends Construct>(construct: C, logicalId: string): C {
  (construct.node.defaultChild as CfnResource).overrideLogicalId(logicalId);
  return construct;
}
