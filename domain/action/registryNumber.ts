/**
 * A number of the registry, as a case can record it and everybody can tell it from another: one line of at most 100
 * printable ASCII characters. What is not would be a registration that nobody can enter.
 */
export const isRegistryNumber = (text: string): boolean => /^[\x21-\x7e]([\x20-\x7e]{0,98}[\x21-\x7e])?$/.test(text);
