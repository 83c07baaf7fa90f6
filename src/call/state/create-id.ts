const ID_LENGTH = 8;

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
