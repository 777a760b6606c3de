import { JwtVerifier } from 'aws-jwt-verify';
import { KidNotFoundInJwksError, WaitPeriodNotYetEndedJwkError } from 'aws-jwt-verify/error';
import { FetchError, JwksValidationError, JwkValidationError } from 'aws-jwt-verify/error';
import { SimpleJwksCache, SimplePenaltyBox } from 'aws-jwt-verify/jwk';
import { GraphQLError } from 'graphql';
import { roles, serviceSubject, type Actor, type Role } from '../domain/command.ts';
import type { OfficerId, TenantId } from '../domain/ids.ts';
import { keySetFetcher, KeySetUnavailable, type KeySetFetcher } from './keySet.ts';

export type Issuer = {
  issuer: string;
  jwksUri: string;
  /** Values of `aud`, or of `client_id` where the issuer writes no audience (Cognito's access tokens). */
  audience: readonly string[];
  tokenUse: 'access' | 'id';
  /** How far the clocks may differ, at most five minutes. */
  clockSkewSeconds: number;
};

export type Principal = { tenant: TenantId; actor: Actor };
export type Authenticate = (authorization: string | undefined) => Promise<Principal>;

const longestSkewSeconds = 300;
const unknownKeyPauseSeconds = 10;

/**
 * Verifies bearer tokens of one issuer. A key id that is not known yet fetches the key set again, at most once in ten
 * seconds: a rotation is followed, and invented key ids cause no storm.
 */
export function authenticator(config: Issuer, fetcher: KeySetFetcher = keySetFetcher(config.jwksUri)): Authenticate {
  const { issuer, jwksUri, clockSkewSeconds } = config;
  if (config.audience.length === 0) throw new Error('an issuer needs an audience');
  const penaltyBox = new SimplePenaltyBox({ waitSeconds: unknownKeyPauseSeconds });
  const verifier = JwtVerifier.create(
    { issuer, jwksUri, audience: null, graceSeconds: Math.min(clockSkewSeconds, longestSkewSeconds) },
    { jwksCache: new SimpleJwksCache({ fetcher, penaltyBox }) },
  );

  return async (authorization) => {
    if (authorization === undefined || authorization === '') throw anonymous();
    const token = /^Bearer +([A-Za-z0-9._=-]{1,8192})$/i.exec(authorization)?.[1];
    if (!token) throw refusedToken('not a bearer token');
    const claims = await verifier
      .verify(token, { customJwtCheck: ({ header, payload }) => meantForUs(config, header, payload) })
      .catch((error: unknown) => {
        throw isUnavailable(error) ? unavailable() : refusedToken('not a valid token');
      });
    return principalOf(claims);
  };
}

/** 401 with the challenge RFC 6750 asks for; what exactly is wrong with a token is not told. */
export const refusedToken = (why: string) => unauthenticated(`Bearer realm="docket", error="invalid_token"`, why);
const anonymous = () => unauthenticated('Bearer realm="docket"', 'a bearer token is needed');

const unauthenticated = (challenge: string, why: string) =>
  new GraphQLError(`Not authenticated: ${why}.`, {
    extensions: { code: 'UNAUTHENTICATED', http: { status: 401, headers: new Map([['www-authenticate', challenge]]) } },
  });

/** Our trouble with the issuer is not the caller's: their token may be good. */
const isUnavailable = (error: unknown) =>
  !(error instanceof KidNotFoundInJwksError || error instanceof WaitPeriodNotYetEndedJwkError) &&
  [KeySetUnavailable, FetchError, JwksValidationError, JwkValidationError].some((kind) => error instanceof kind);

const unavailable = () =>
  new GraphQLError('Tokens cannot be checked at the moment.', {
    extensions: { code: 'UNAVAILABLE', retryable: true, retryAfterMs: 1000, http: { status: 503 } },
  });

type Claims = Record<string, unknown>;

function meantForUs({ audience, tokenUse }: Issuer, header: object, claims: Claims): void {
  const named = [claims['aud'], claims['client_id']].flat();
  const use = claims['token_use'] ?? ('typ' in header && header.typ === 'at+jwt' ? 'access' : undefined);
  if (typeof claims['exp'] !== 'number') throw new Error('a token without an end');
  if (!named.some((name) => typeof name === 'string' && audience.includes(name))) throw new Error('another audience');
  if (use !== tokenUse) throw new Error('another use');
}

/** Strict about shapes: these values become parts of keys, of the audit and of decisions. */
function principalOf(claims: Claims): Principal {
  const tenant = claims['tenant'] ?? claims['custom:tenant'];
  const { sub } = claims;
  if (typeof sub !== 'string' || !/^[A-Za-z0-9_.@-]{1,128}$/.test(sub)) throw refusedToken('no usable subject');
  if (sub === serviceSubject) throw refusedToken('no usable subject');
  if (typeof tenant !== 'string' || !/^[A-Za-z0-9_-]{1,64}$/.test(tenant)) throw refusedToken('no usable tenant');
  return { tenant: tenant as TenantId, actor: { id: sub as OfficerId, roles: rolesOf(claims) } };
}

/**
 * Roles are named for us in `roles` or `custom:roles`, where an unknown one is a mistake; groups are shared with other
 * applications, so unknown ones are theirs. SERVICE is no person: workflows act without a token.
 */
function rolesOf(claims: Claims): Role[] {
  const named = claims['roles'] ?? claims['custom:roles'];
  const given = typeof named === 'string' ? named.split(/[\s,]+/).filter(Boolean) : named;
  const groups = claims['cognito:groups'];
  const wanted: unknown = given ?? (Array.isArray(groups) ? groups.filter(isRole) : undefined);
  if (!Array.isArray(wanted) || !wanted.every(isRole) || wanted.includes('SERVICE'))
    throw refusedToken('no usable roles');
  return [...new Set(wanted)];
}

const isRole = (value: unknown): value is Role => roles.some((role) => role === value);
