import type { Key } from '../store/table-port.ts';

/** The part of a DynamoDB stream record that the publisher needs; the embedded feed builds the same shape. */
export type StreamRecord = {
  eventID?: string;
  dynamodb?: { Keys?: { pk?: { S?: string }; sk?: { S?: string } } };
};

/** The message that an inserted outbox item is; the item itself is read again, since the stream is only a hint. */
export function keyIn(record: StreamRecord): Key | undefined {
  const { pk, sk } = record.dynamodb?.Keys ?? {};
  return pk?.S !== undefined && sk?.S !== undefined ? { pk: pk.S, sk: sk.S } : undefined;
}
