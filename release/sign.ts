import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from "node:crypto";
import { readFileSync, statSync } from "node:fs";

/** The key that signs a release. */
export interface SigningKey {
  key: KeyObject;
  /** The public half: 32 bytes. */
  bytes: Buffer;
  /** As OpenSSL reads it. */
  pem: string;
}

/**
 * Reads an Ed25519 key in PKCS #8, as `openssl genpkey -algorithm ed25519` writes it.
 * @throws Error if the file can't be used.
 */
export function readSigningKey(file: string): SigningKey {
  const text = readKeyFile(file);
  let key: KeyObject;
  try {
    key = createPrivateKey(text);
  } catch {
    throw new Error(`${file} is not a private key without a password; openssl genpkey -algorithm ed25519 makes one`);
  }
  if (key.asymmetricKeyType !== "ed25519")
    throw new Error(`${file} has a key for ${key.asymmetricKeyType}; openssl genpkey -algorithm ed25519 makes one`);
  const publicKey = createPublicKey(key);
  return {
    key,
    bytes: Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url"),
    pem: publicKey.export({ format: "pem", type: "spki" }) as string,
  };
}

function readKeyFile(file: string): string {
  try {
    if (process.platform !== "win32" && statSync(file).mode & 0o077)
      throw new Error(`others may read the key in ${file}; chmod 600 ${file}`);
    return readFileSync(file, "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Error(
      code === undefined ? message : `the key in ${file} can't be read (${code}); name another with --key`,
    );
  }
}

/** Signs bytes with plain Ed25519, as `openssl pkeyutl -rawin` checks it. */
export const signBytes = ({ key }: SigningKey, bytes: Uint8Array): Buffer => sign(null, bytes, key);

/** Names a key in minisign's files: any eight bytes will do, and these follow from the key. */
const computeKeyId = ({ bytes }: SigningKey): Buffer => createHash("sha256").update(bytes).digest().subarray(0, 8);

const formatKeyId = (id: Buffer): string => Buffer.from(id).reverse().toString("hex").toUpperCase();

/** The public key as minisign reads it. */
export function formatMinisignKey(key: SigningKey): string {
  const id = computeKeyId(key);
  return `untrusted comment: minisign public key ${formatKeyId(id)}\n${Buffer.concat([Buffer.from("Ed"), id, key.bytes]).toString("base64")}\n`;
}

/**
 * Signs bytes as minisign does: Ed25519 over their BLAKE2b hash ("ED"), and over that signature with the comment that
 * minisign shows as trusted. https://jedisct1.github.io/minisign/#signature-format
 */
export function signForMinisign(key: SigningKey, bytes: Uint8Array, comment: string): string {
  const hash = new Bun.CryptoHasher("blake2b512").update(bytes).digest();
  const signature = signBytes(key, hash);
  const whole = signBytes(key, Buffer.concat([signature, Buffer.from(comment)]));
  const first = Buffer.concat([Buffer.from("ED"), computeKeyId(key), signature]);
  return `untrusted comment: signature of a bridge-hooks release\n${first.toString("base64")}\ntrusted comment: ${comment}\n${whole.toString("base64")}\n`;
}
