/** The Message-ID under which every attempt of a mail is sent: the effect's key, at the office's domain. */
export const messageIdOf = (key: string, from: string) => `<${key}@${from.slice(from.lastIndexOf('@') + 1)}>`;
