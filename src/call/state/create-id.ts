const ID_LENGTH = 8;

/** Derives the id of a call that the host numbers. All entries for the call then use the same id. */
export const deriveId = (...words: readonly string[]): string =>
  BigInt(`0x${new Bun.CryptoHasher("sha256").update(JSON.stringify(words)).digest("hex")}`)
    .toString(36)
    .slice(0, ID_LENGTH);

/** Creates an id of digits and lowercase letters, by which users refer to a call. Ids aren't secret. */
export function createId(): string {
  let id = "";
  while (id.length < ID_LENGTH) id += Math.random().toString(36).slice(2, 8);
  return id.slice(0, ID_LENGTH);
}
