const ID_LENGTH = 8;

/** Whether the text is the start of a possible ID. Many program names are, too. */
export const isIdPrefix = (text: string): boolean => /^[\da-z]+$/.test(text) && text.length <= ID_LENGTH;

/** Whether the text is most likely a whole ID. Nearly all IDs contain a digit, and few long program names do. */
export const isId = (text: string): boolean => isIdPrefix(text) && text.length === ID_LENGTH && /\d/.test(text);

/** Derives an ID from the host's ID for a call, so that all entries for the call use the same one. */
export const deriveId = (...words: readonly string[]): string =>
  BigInt(`0x${new Bun.CryptoHasher("sha256").update(JSON.stringify(words)).digest("hex")}`)
    .toString(36)
    .slice(0, ID_LENGTH);

/** Creates an ID of digits and lowercase letters that users can refer to a call by. IDs aren't secret. */
export function createId(): string {
  let id = "";
  while (id.length < ID_LENGTH) id += Math.random().toString(36).slice(2, 8);
  return id.slice(0, ID_LENGTH);
}
