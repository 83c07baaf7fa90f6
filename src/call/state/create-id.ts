const ID_LENGTH = 8;

/** The id of a call that the host numbers: several entries that judge it give it the same one. */
export const deriveId = (...words: readonly string[]): string =>
  BigInt(`0x${new Bun.CryptoHasher("sha256").update(JSON.stringify(words)).digest("hex")}`)
    .toString(36)
    .slice(0, ID_LENGTH);

/** Digits and small letters, by which a person names a call. An id protects nothing. */
export function createId(): string {
  let id = "";
  while (id.length < ID_LENGTH) id += Math.random().toString(36).slice(2, 8);
  return id.slice(0, ID_LENGTH);
}
