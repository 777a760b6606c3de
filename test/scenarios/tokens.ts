import { importJWK, SignJWT, UnsecuredJWT } from 'jose';
import { audience, issuerName, mintToken, newSecrets } from '../../local/issuer.ts';
import type { Target } from './target.ts';

/** Tokens that must open nothing, and the absence of one. Where the issuer's key is not at hand, those that need none. */
export async function badTokens({ tenant, token, local }: Target): Promise<Record<string, string | undefined>> {
  const good = await token(tenant, 'sue', 'SUPERVISOR');
  const [head, body, signature] = good.split('.') as [string, string, string];
  const strangerMint = { tenant, actor: 'sue', roles: ['SUPERVISOR'], hours: 1 } as const;
  const claims = { tenant, roles: ['SUPERVISOR'], token_use: 'access' };
  const unsigned = new UnsecuredJWT(claims)
    .setIssuer(issuerName)
    .setAudience(audience)
    .setSubject('sue')
    .setExpirationTime('1h');
  const always = {
    'no token': undefined,
    'an empty token': '',
    'no token at all, but a text': 'let me in',
    'a token with another signature': [head, body, `${signature.slice(0, -4)}AAAA`].join('.'),
    'a token without its signature': [head, body, ''].join('.'),
    'an unsigned token': unsigned.encode(),
    'a token of another issuer': await mintToken(await newSecrets(), strangerMint),
    'a very long token': 'a'.repeat(9_000),
  };
  if (!local) return always;

  const { privateKey } = local.secrets;
  const key = await importJWK(privateKey, 'RS256');
  const minted = (change: object, { expires = '1h', to = audience, by = issuerName } = {}) =>
    new SignJWT({ ...claims, ...change })
      .setProtectedHeader({ alg: 'RS256', kid: privateKey.kid })
      .setIssuer(by)
      .setAudience(to)
      .setSubject('sue')
      .setExpirationTime(expires)
      .sign(key);
  return {
    ...always,
    'a token without a tenant': await minted({ tenant: undefined }),
    'a token of an impossible tenant': await minted({ tenant: 'demo#CASE' }),
    'an expired token': await minted({}, { expires: '-1m' }),
    'a token for another audience': await minted({}, { to: 'payroll' }),
    'a token in another issuer’s name': await minted({}, { by: 'https://elsewhere.example' }),
    'a token for another use': await minted({ token_use: 'id' }),
    'a token with a role nobody has': await minted({ roles: ['WIZARD'] }),
    'a token with the role of the workflows': await minted({ roles: ['SERVICE'] }),
    'a token without roles': await minted({ roles: undefined }),
  };
}
