/**
 * Premises that say nothing which another premise of the same write does not say already, and why. Taking one of them
 * away changes no answer of the database; they stand for the reader.
 */
export const impliedBy: Record<string, string | undefined> = {};
