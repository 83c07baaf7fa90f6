import { createPublicKey, type KeyObject, verify } from "node:crypto";

/** The curve of the release key: every OpenSSL and LibreSSL checks its signatures, and so does Windows itself. */
const CURVE = "prime256v1";

/** @throws Error if a text is not a P-256 public key in PEM. */
export function readPublicKey(text: string, name: string): KeyObject {
  try {
    // A private key also has a public half, but does not belong on the machine that checks.
    if (text.includes("PRIVATE KEY")) throw new Error("private");
    const key = createPublicKey(text);
    if (isReleaseKey(key)) return key;
  } catch {
    // Reported below.
  }
  throw new Error(`${name} is not a P-256 public key in PEM; name the release-key.pem that the project publishes`);
}

/** Whether a key, private or public, is of the kind that signs releases. */
export const isReleaseKey = (key: KeyObject): boolean =>
  key.asymmetricKeyType === "ec" && key.asymmetricKeyDetails?.namedCurve === CURVE;

/** Whether an ECDSA signature of the SHA-256 of bytes was made with a key. */
export function isSignedBy(key: KeyObject, bytes: Uint8Array, signature: Uint8Array): boolean {
  try {
    return verify("sha256", bytes, key, signature);
  } catch {
    return false;
  }
}

const SUM_LINE = /^([0-9a-f]{64}) [ *]([^\r]+)$/;

/**
 * Reads a SHA256SUMS file: hashes by path.
 * @throws Error if it has a line of another form, or two lines for one path.
 */
export function parseSums(text: string, name: string): Map<string, string> {
  const sums = new Map<string, string>();
  for (const [at, line] of text.replace(/\n$/, "").split("\n").entries()) {
    const [, hash = "", path = ""] = SUM_LINE.exec(line) ?? [];
    if (hash === "") throw new Error(`${name}: line ${at + 1} is not a checksum and a path`);
    if (sums.has(path)) throw new Error(`${name} lists ${path} more than once`);
    sums.set(path, hash);
  }
  return sums;
}
