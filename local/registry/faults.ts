/** How often a fault strikes (absent: until it is removed) and, where it is about time, for how long. */
export type Fault = { times?: number; ms?: number };
export type Faults<Name extends string> = Partial<Record<Name, Fault>>;

/** The faults of one party, kept in memory only: a restarted party behaves. */
export type FaultBox<Name extends string> = {
  get(): Faults<Name>;
  set(faults: Faults<Name>): void;
  /** Uses one up. Answers the fault if it strikes now. */
  take(name: Name): Fault | undefined;
};

export function faultBox<Name extends string>(names: readonly Name[]): FaultBox<Name> {
  let current = new Map<Name, Fault>();
  return {
    get: () => Object.fromEntries(current) as Faults<Name>,
    set: (faults) => {
      current = checked(faults, names);
    },
    take: (name) => {
      const fault = current.get(name);
      if (!fault) return undefined;
      if (fault.times === undefined) return fault;
      if (fault.times <= 1) current.delete(name);
      else current.set(name, { ...fault, times: fault.times - 1 });
      return fault;
    },
  };
}

/** Comes over HTTP, too: a misspelt fault that silently does nothing would make a test pass for nothing. */
function checked<Name extends string>(faults: unknown, names: readonly Name[]): Map<Name, Fault> {
  if (typeof faults !== 'object' || faults === null) throw new TypeError('faults are an object');
  const known = new Map<Name, Fault>();
  for (const [name, fault] of Object.entries(faults) as [Name, Fault | undefined][]) {
    if (!names.includes(name)) throw new TypeError(`no such fault; there are ${names.join(', ')}`);
    if (fault === undefined) continue;
    const { times, ms } = fault;
    if (times !== undefined && !(Number.isInteger(times) && times >= 0))
      throw new TypeError(`${name}: times is a count`);
    if (ms !== undefined && !(Number.isFinite(ms) && ms >= 0)) throw new TypeError(`${name}: ms is a duration`);
    if (times !== 0) known.set(name, { times, ms });
  }
  return known;
}
