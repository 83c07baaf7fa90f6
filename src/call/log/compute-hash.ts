/** Number of hex digits in a hash. Enough to distinguish policies, and short enough to read aloud. */
const HASH_LENGTH = 12;

export const computeHash = (parts: readonly string[]): string =>
  new Bun.CryptoHasher("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, HASH_LENGTH);
