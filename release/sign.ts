import { createPrivateKey, createPublicKey, type KeyObject, sign } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { isReleaseKey } from "../src/operate/verify/signature.ts";

/** The key used to sign a release. */
export interface SigningKey {
  key: KeyObject;
  /** Public key in PEM format. */
  pem: string;
}

/** Command that generates a suitable key. */
export const GENERATE_KEY = "openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256";

/**
 * Reads a P-256 key in PKCS #8 format, as written by `openssl genpkey`.
 * @throws Error if the file can't be used.
 */
export function readSigningKey(file: string): SigningKey {
  const text = readKeyFile(file);
  let key: KeyObject;
  try {
    key = createPrivateKey(text);
  } catch {
    throw new Error(`${file} is not a private key without a password; create one with ${GENERATE_KEY}`);
  }
  if (!isReleaseKey(key))
    throw new Error(
      `${file} contains a key of type ${key.asymmetricKeyType}, not P-256; create one with ${GENERATE_KEY}`,
    );
  return { key, pem: createPublicKey(key).export({ format: "pem", type: "spki" }) as string };
}

function readKeyFile(file: string): string {
  try {
    if (process.platform !== "win32" && statSync(file).mode & 0o077)
      throw new Error(`other users can read the key in ${file}; run chmod 600 ${file}`);
    return readFileSync(file, "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Error(
      code === undefined ? message : `the key in ${file} can't be read (${code}); pass another key with --key`,
    );
  }
}

/** Signs bytes with ECDSA over their SHA-256, in DER, so that `openssl dgst -sha256 -verify` accepts the signature. */
export const signBytes = ({ key }: SigningKey, bytes: Uint8Array): Buffer => sign("sha256", bytes, key);
