/** What differs between two deployments, from `environments` in cdk.json or on the command line. */
export type Settings = {
  /** Part of every name. */
  environment: string;
  /** Whose bearer tokens the API takes, and where that issuer keeps its keys. */
  issuer: string;
  jwksUri: string;
  audience: string[];
  tokenUse: 'access' | 'id';
  /** Origins of the frontends, exactly as browsers send them. */
  allowedOrigins: string[];
  registryUrl: string;
  /** The name and address that notices and mails come from; SES must know the address or its domain. */
  officeName: string;
  mailFrom: string;
  /** Whose data is reconciled every night, and in which IANA zone their day begins. */
  tenants: { id: string; zone: string }[];
  throttle: { requestsPerSecond: number; burst: number };
};

type Given = Partial<Record<string, unknown>>;

/** The settings of the environment that `-c environment=…` names; says what is missing, before anything is made. */
export function settingsOf(context: (key: string) => unknown): Settings {
  const environment = context('environment');
  if (typeof environment !== 'string' || !/^[a-z][a-z0-9-]{0,19}$/.test(environment))
    throw new Error('name the environment: -c environment=<name>');
  const given = (context('environments') as Record<string, Given> | undefined)?.[environment];
  if (!given) throw new Error(`cdk.json has no environment ${environment}`);

  const refuse = (name: string, what: string): never => {
    throw new Error(`environment ${environment}: ${name} must be ${what}`);
  };
  const text = (name: string): string => {
    const value = given[name];
    return typeof value === 'string' && value !== '' ? value : refuse(name, 'a text');
  };
  const https = (name: string): string =>
    text(name).startsWith('https://') ? text(name) : refuse(name, 'an https URL');
  const texts = (name: string): string[] => {
    const value: unknown = given[name];
    if (!Array.isArray(value) || value.length === 0) return refuse(name, 'a list of texts');
    return value.map((one) => (typeof one === 'string' ? one : refuse(name, 'a list of texts')));
  };
  const tenants = (): { id: string; zone: string }[] => {
    const value: unknown = given['tenants'];
    const right = (one: unknown): one is { id: string; zone: string } => {
      const { id, zone } = (one ?? {}) as { id?: unknown; zone?: unknown };
      return (
        typeof id === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(id) && typeof zone === 'string' && zone.includes('/')
      );
    };
    return Array.isArray(value) && value.length > 0 && value.every(right)
      ? value
      : refuse('tenants', 'a list of { id, zone }, each zone an IANA name');
  };
  const count = (name: string): number => {
    const value = given[name];
    return Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : refuse(name, 'a number above zero');
  };
  const use = (value: string) => (value === 'access' || value === 'id' ? value : refuse('tokenUse', 'access or id'));

  return {
    environment,
    issuer: https('issuer'),
    jwksUri: https('jwksUri'),
    audience: texts('audience'),
    tokenUse: use(text('tokenUse')),
    allowedOrigins: texts('allowedOrigins'),
    registryUrl: https('registryUrl'),
    officeName: text('officeName'),
    mailFrom: text('mailFrom').includes('@') ? text('mailFrom') : refuse('mailFrom', 'an address'),
    tenants: tenants(),
    throttle: { requestsPerSecond: count('requestsPerSecond'), burst: count('burst') },
  };
}
