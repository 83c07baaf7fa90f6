import { createPublicKey, type KeyObject, verify } from "node:crypto";

/** @throws Error if a text is not an Ed25519 public key in PEM. */
export function readPublicKey(text: string, name: string): KeyObject {
  try {
    // A private key has a public half, too; nobody should pass one here.
    if (text.includes("PRIVATE KEY")) throw new Error("private");
    const key = createPublicKey(text);
    if (key.asymmetricKeyType === "ed25519") return key;
  } catch {
    // Said below.
  }
  throw new Error(`${name} is not an Ed25519 public key in PEM; name the release-key.pem that the project publishes`);
}

/** Whether a raw Ed25519 signature of bytes is by a key. */
export function isSignedBy(key: KeyObject, bytes: Uint8Array, signature: Uint8Array): boolean {
  return signature.length === 64 && verify(null, bytes, key, signature);
}

/** Reads a SHA256SUMS file: hashes by path. */
export const parseSums = (text: string): Map<string, string> =>
  new Map([...text.matchAll(/^([0-9a-f]{64}) [ *](.+)$/gm)].map(([, hash = "", path = ""]) => [path, hash]));
