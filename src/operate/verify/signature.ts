import { createPublicKey, type KeyObject, verify } from "node:crypto";

/** Curve of the release key. OpenSSL, LibreSSL and Windows can all verify its signatures. */
const RELEASE_KEY_CURVE = "prime256v1";

/**
 * Parses a public key.
 * @throws Error if the text isn't a P-256 public key in PEM format.
 */
export function readPublicKey(text: string, name: string): KeyObject {
  try {
    // Reject a private key. It contains the public key, but it must not be stored on the verifying machine.
    if (text.includes("PRIVATE KEY")) throw new Error("private");
    const key = createPublicKey(text);
    if (isReleaseKey(key)) return key;
  } catch {
    // An unreadable key is reported below.
  }
  throw new Error(`${name} is not a P-256 public key in PEM format; pass the project's release-key.pem`);
}

/** Returns whether a private or public key has the type used for signing releases. */
export const isReleaseKey = (key: KeyObject): boolean =>
  key.asymmetricKeyType === "ec" && key.asymmetricKeyDetails?.namedCurve === RELEASE_KEY_CURVE;

/** Returns whether an ECDSA signature was created with a key over the SHA-256 hash of the given bytes. */
export function isSignedBy(key: KeyObject, bytes: Uint8Array, signature: Uint8Array): boolean {
  try {
    return verify("sha256", bytes, key, signature);
  } catch {
    return false;
  }
}

const SUM_LINE = /^([0-9a-f]{64}) [ *]([^\r]+)$/;

/**
 * Parses a SHA256SUMS file and returns its hashes by path.
 * @throws Error if a line is malformed or a path is listed twice.
 */
export function parseSums(text: string, name: string): Map<string, string> {
  const sums = new Map<string, string>();
  for (const [at, line] of text.replace(/\n$/, "").split("\n").entries()) {
    const [, hash = "", path = ""] = SUM_LINE.exec(line) ?? [];
    if (hash === "") throw new Error(`${name}: line ${at + 1} does not consist of a checksum and a path`);
    if (sums.has(path)) throw new Error(`${name} lists ${path} more than once`);
    sums.set(path, hash);
  }
  return sums;
}
