import { mayHoldSecret, type Secret } from "../../secrets/scan.ts";

export type { Secret };

/** Maximum length of a string, in UTF-16 code units. Scanning a string of this length takes about one second. */
const MAX_STRING_LENGTH = 64 * 1024 * 1024;

/**
 * Finds secrets in a string: keys, tokens and passwords with a recognizable format. Documented examples, placeholders,
 * variable names (`$TOKEN`), passwords for a local server (`postgres://app:dev@localhost`) and expired JSON web tokens
 * don't count.
 * @returns The secrets in order, without overlaps.
 * @throws Error if the string has more than 64 Mi UTF-16 code units.
 */
export async function secrets(text: string): Promise<readonly Secret[]> {
  if (text.length > MAX_STRING_LENGTH)
    throw new Error(`secrets() accepts at most ${MAX_STRING_LENGTH} characters, not ${text.length}; split the text`);
  return mayHoldSecret(text) ? (await import("../../secrets/find.ts")).findSecrets(text) : [];
}
