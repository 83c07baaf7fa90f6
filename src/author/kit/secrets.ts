import { mayHoldSecret, type Secret } from "../../secrets/scan.ts";

export type { Secret };

/** The longest text that is looked at, in UTF-16 units: about a second. */
const MAX_TEXT_LENGTH = 64 * 1024 * 1024;

/**
 * The secrets in a text: keys, tokens and passwords that can be told by their form. Documented examples and
 * placeholders are none, nor are names of variables (`$TOKEN`), passwords that only this machine takes
 * (`postgres://app:dev@localhost`) and JSON web tokens that have expired.
 * @returns them in order; none overlaps another.
 * @throws Error when a text has more than 64 million UTF-16 units: what is in it is not known then.
 */
export async function secrets(text: string): Promise<readonly Secret[]> {
  if (text.length > MAX_TEXT_LENGTH)
    throw new Error(
      `secrets() reads at most ${MAX_TEXT_LENGTH} characters, and this text has ${text.length}; pass it in parts`,
    );
  return mayHoldSecret(text) ? (await import("../../secrets/find.ts")).findSecrets(text) : [];
}
