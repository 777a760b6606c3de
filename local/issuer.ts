import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportJWK, generateKeyPair, importJWK, SignJWT, type JWK } from 'jose';
import type { Role } from '../domain/command.ts';

/** What a data directory keeps secret: the issuer's key and the host's own secrets. */
export type Secrets = {
  privateKey: JWK;
  publicKey: JWK;
  cursorKey: string;
  registryApiKey: string;
  callbackSecret: string;
  linkSecret: string;
};

export const issuerName = 'https://issuer.docket.local';
export const audience = 'docket';

/** Reads the secrets of a data directory, making them the first time; only the owner may read the file. */
export async function secretsIn(directory: string): Promise<Secrets> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const file = join(directory, 'secrets.json');
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Secrets;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const secrets = await newSecrets();
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, JSON.stringify(secrets), { mode: 0o600 });
  renameSync(temporary, file);
  return secrets;
}

export async function newSecrets(): Promise<Secrets> {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const kid = randomBytes(8).toString('hex');
  const secret = () => randomBytes(32).toString('hex');
  return {
    privateKey: { ...(await exportJWK(privateKey)), kid, alg: 'RS256' },
    publicKey: { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' },
    cursorKey: secret(),
    registryApiKey: secret(),
    callbackSecret: secret(),
    linkSecret: secret(),
  };
}

export type TokenFor = { tenant: string; actor: string; roles: readonly Role[]; hours: number };

/** A bearer token of the embedded issuer. */
export async function mintToken(secrets: Secrets, { tenant, actor, roles, hours }: TokenFor): Promise<string> {
  const key = await importJWK(secrets.privateKey, 'RS256');
  return new SignJWT({ tenant, roles, token_use: 'access' })
    .setProtectedHeader({ alg: 'RS256', kid: secrets.privateKey.kid, typ: 'JWT' })
    .setIssuer(issuerName)
    .setAudience(audience)
    .setSubject(actor)
    .setIssuedAt()
    .setExpirationTime(`${hours}h`)
    .sign(key);
}
