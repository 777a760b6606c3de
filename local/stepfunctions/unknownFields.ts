export const queryLanguageProblems = (holder: object, where: string): string[] =>
  'QueryLanguage' in holder && holder.QueryLanguage !== 'JSONPath'
    ? [`${where}: QueryLanguage ${String(holder.QueryLanguage)} does not run here; only JSONPath does`]
    : [];

export const unknownFields = (holder: object, known: string[], where: string): string[] =>
  Object.keys(holder)
    .filter((field) => !known.includes(field))
    .map((field) => `${where}: the field ${field} does not run here`);
