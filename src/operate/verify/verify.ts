import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { orAbsent } from "../../system/errors.ts";
import { isOwnImage } from "../../system/own-image.ts";
import { findReachableSwitches } from "../executable/runtime.ts";
import { isSignedBy, parseSums, readPublicKey } from "./signature.ts";

interface VerifyOptions {
  file: string;
  /** SHA256SUMS file of the release. Defaults to SHA256SUMS in the file's directory. */
  sums: string | undefined;
  /** Public key of the release. */
  key: string | undefined;
}

/** Result of a single check. A skipped check proves nothing. */
export interface VerificationCheck {
  check: "file" | "listed" | "signature" | "hardening" | "policy";
  result: "ok" | "wrong" | "skipped";
  what: string;
}

/** Returns whether a release lists the file, the list is signed with the key, and no check failed. */
export const isProven = (checks: readonly VerificationCheck[]): boolean =>
  checks.every(
    ({ check, result }) => result !== "wrong" && (result === "ok" || (check !== "listed" && check !== "signature")),
  );

/**
 * Checks a file without running it: a forged executable would confirm its own authenticity.
 * @throws Error if a file can't be read, or if the list isn't a SHA256SUMS file.
 */
export function verifyFile({ file, sums, key }: VerifyOptions): VerificationCheck[] {
  if (!orAbsent(() => statSync(file))?.isFile()) throw new Error(`${file} is not a file`);
  const bytes = readFileSync(file);
  const hash = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
  const fileCheck: VerificationCheck = { check: "file", result: "ok", what: `${bytes.length} bytes, SHA-256 ${hash}` };
  return [fileCheck, ...checkOrigin(file, hash, sums, key), ...checkExecutable(file, bytes)];
}

/** Checks whether a release lists the file, and whether the list is signed with the key. */
function checkOrigin(
  file: string,
  hash: string,
  sumsOption: string | undefined,
  key: string | undefined,
): VerificationCheck[] {
  const sums = sumsOption ?? join(dirname(file), "SHA256SUMS");
  const [signature, skippedResult] = ["signature", "skipped"] as const;
  if (!existsSync(sums)) {
    if (sumsOption !== undefined) throw new Error(`no such file: ${sumsOption}; --sums must be a release's SHA256SUMS`);
    return [
      { check: "listed", result: skippedResult, what: "no SHA256SUMS in the file's directory; pass one with --sums" },
      { check: signature, result: skippedResult, what: "nothing to verify without SHA256SUMS" },
    ];
  }
  const list = readFileSync(sums);
  return [checkList(file, hash, sums, list.toString()), checkSignature(sums, list, key)];
}

function checkList(file: string, hash: string, sums: string, text: string): VerificationCheck {
  const hashes = parseSums(text, sums);
  const listedPath = [...hashes].find(([, one]) => one === hash)?.[0];
  if (listedPath !== undefined) return { check: "listed", result: "ok", what: `listed as ${listedPath} in ${sums}` };
  // The list contains archives, and the build info lists what they contain. Trust the build info only if the list
  // contains its hash.
  const info = join(dirname(sums), "build-info.json");
  if (existsSync(info) && hashFile(info) === hashes.get("build-info.json")) {
    const { executables = [] } = JSON.parse(readFileSync(info, "utf8")) as {
      executables?: { target: string; sha256: string }[];
    };
    const one = executables.find(({ sha256 }) => sha256 === hash);
    if (one) return { check: "listed", result: "ok", what: `listed as the executable for ${one.target} in ${info}` };
  }
  const sameName = [...hashes.keys()].find((path) => basename(path) === basename(file));
  return {
    check: "listed",
    result: "wrong",
    what: sameName === undefined ? `not listed in ${sums}` : `the hash differs from that of ${sameName} in ${sums}`,
  };
}

const hashFile = (file: string) => new Bun.CryptoHasher("sha256").update(readFileSync(file)).digest("hex");

function checkSignature(sums: string, list: Uint8Array, key: string | undefined): VerificationCheck {
  const file = `${sums}.sig`;
  if (key === undefined) return { check: "signature", result: "skipped", what: "no key; pass --key FILE" };
  const publicKey = readPublicKey(readFileSync(key, "utf8"), key);
  if (!existsSync(file)) return { check: "signature", result: "wrong", what: `no such file: ${file}` };
  return isSignedBy(publicKey, list, readFileSync(file))
    ? { check: "signature", result: "ok", what: `${sums} is signed with the key in ${key}` }
    : {
        check: "signature",
        result: "wrong",
        what: `${file} was not created with the key in ${key}, or ${sums} was changed`,
      };
}

/** Matches the policy information that the build embeds, in the bundler's format. */
const EMBEDDED_POLICY =
  /\{(?:name:"([^"\\]{1,100})",)?(?:version:"([^"\\]{1,100})",)?hooks:"([0-9a-f]{12})",(?:sources:"[0-9a-f]{12}",)?(?:checked:!0,)?release:"[^"\\]{1,100}",hash:"[0-9a-f]{12}"\}/;

function checkExecutable(file: string, bytes: Buffer): VerificationCheck[] {
  if (!isOwnImage(file))
    return [
      {
        check: "hardening",
        result: "skipped",
        what: "not a bridge-hooks executable; unpack an archive first",
      },
    ];
  const reachable = findReachableSwitches(bytes);
  const [, name, version, hooks] = EMBEDDED_POLICY.exec(bytes.toString("latin1")) ?? [];
  return [
    reachable.length === 0
      ? { check: "hardening", result: "ok", what: "all dangerous runtime switches are disabled" }
      : {
          check: "hardening",
          result: "wrong",
          what: `the runtime reacts to ${reachable.slice(0, 3).join(", ")}, so it was not built by bridge-hooks`,
        },
    hooks === undefined
      ? { check: "policy", result: "skipped", what: "no policy information, so the file is from another release" }
      : {
          check: "policy",
          result: "ok",
          what: `${name ?? "bridge-hooks"}${version === undefined ? "" : ` ${version}`}, hooks hash ${hooks} (claimed by the file)`,
        },
  ];
}
