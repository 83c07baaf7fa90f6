/** Number of hex digits in a hash: enough to tell policies apart, and few enough to read aloud. */
const HASH_LENGTH = 12;

export const computeHash = (parts: readonly string[]): string =>
  new Bun.CryptoHasher("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, HASH_LENGTH);
