import { chmodSync, copyFileSync, mkdtempSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { readOutput } from "../../hosts/run-program.ts";
import { removeLeftover, replaceFile } from "../../run/replace-file.ts";
import { detectTarget } from "../build/image.ts";
import { replaceExecutable } from "../build/replace-executable.ts";
import { isSignedBy, parseSums, readPublicKey } from "../verify/signature.ts";
import { unpackFile } from "./unpack.ts";

interface UpdateSource {
  /** Where a release's files are, without a slash at the end. */
  url: string;
  /** The public key in PEM that signed it. */
  key: string;
}

/** A release, as its signed list describes it. */
export interface AvailableRelease {
  version: string;
  /** The archive of this platform, and its hash. */
  archive: string;
  sha256: string;
}

/** How long one file may take. */
const DOWNLOAD_MS = 10 * 60_000;

/** Downloads a file. What is reached by https is not left for a place that is not. */
async function download(url: string): Promise<Buffer> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(DOWNLOAD_MS) });
    if (!response.ok) throw new Error(`status ${response.status}`);
    if (url.startsWith("https:") && !response.url.startsWith("https:"))
      throw new Error("it leads to a place without https");
    return Buffer.from(await response.arrayBuffer());
  } catch (error) {
    throw new Error(`${url} can't be downloaded (${(error as Error).message}); nothing was changed`);
  }
}

/**
 * Finds out which release is at a place.
 * @throws Error if it can't be reached, is not signed by the key, or has nothing for this platform.
 */
export async function findRelease({ url, key }: UpdateSource): Promise<AvailableRelease> {
  const publicKey = readPublicKey(readFileSync(key, "utf8"), key);
  const [sums, signature] = await Promise.all([download(`${url}/SHA256SUMS`), download(`${url}/SHA256SUMS.sig`)]);
  if (!isSignedBy(publicKey, sums, signature))
    throw new Error(`${url}/SHA256SUMS is not signed by the key in ${key}; nothing was changed`);
  const platform = detectTarget().slice("bun-".length);
  const ending = platform.startsWith("windows") ? "zip" : "tar.gz";
  for (const [archive, sha256] of parseSums(sums.toString())) {
    const [, version] = /^bridge-hooks-(\d+\.\d+\.\d+[\w.+-]*?)-(?:linux|darwin|windows)-/.exec(archive) ?? [];
    if (version !== undefined && archive === `bridge-hooks-${version}-${platform}.${ending}`)
      return { version, archive, sha256 };
  }
  throw new Error(`the release at ${url} has nothing for ${platform}`);
}

/** How many red findings `doctor` of an executable has; undefined if it does not say. */
function countRedFindings(file: string): number | undefined {
  try {
    const { stdout } = readOutput({
      argv: [file, "doctor", "--json"],
      cwd: dirname(file),
      env: process.env,
      timeout: 120_000,
    });
    return stdout.match(/"level": "red"/g)?.length ?? (JSON.parse(stdout) ? 0 : undefined);
  } catch {
    return undefined;
  }
}

/**
 * Puts a release in the place of an executable, tries it there, and puts the old one back if that turns out worse.
 * @throws Error if nothing was changed.
 */
export async function installRelease(
  file: string,
  { url }: UpdateSource,
  release: AvailableRelease,
  at: (what: string) => void,
): Promise<void> {
  at(`downloading ${release.archive}`);
  const archive = await download(`${url}/${release.archive}`);
  if (new Bun.CryptoHasher("sha256").update(archive).digest("hex") !== release.sha256)
    throw new Error(`${url}/${release.archive} is not the file that the release lists; nothing was changed`);
  const program = process.platform === "win32" ? "bridge-hooks.exe" : "bridge-hooks";
  const bytes = unpackFile(archive, `${release.archive.replace(/\.(tar\.gz|zip)$/, "")}/${program}`);
  // Beside the executable, so that the last step is a rename.
  const folder = mkdtempSync(join(dirname(file), ".bridge-hooks-"));
  const [draft, before] = [join(folder, basename(file)), join(folder, `before-${basename(file)}`)];
  try {
    replaceFile(draft, bytes, { mode: 0o755, durable: true });
    chmodSync(draft, 0o755);
    if (readVersionLine(draft) !== release.version)
      throw new Error(`the new executable does not run on this machine; nothing was changed`);
    at("asking doctor how it is now");
    const red = countRedFindings(file);
    copyFileSync(file, before);
    replaceExecutable(draft, file);
    at("asking doctor whether a denial still holds");
    const then = countRedFindings(file);
    if (then !== undefined && then <= (red ?? then)) return;
    replaceExecutable(before, file);
    throw new Error(
      `${release.version} was put back: with it doctor ${then === undefined ? "fails" : `has ${then} red findings instead of ${red}`}; nothing was changed`,
    );
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw code === "ENOSPC"
      ? new Error(`there is no space left in ${dirname(file)}; nothing was changed`)
      : new Error(message);
  } finally {
    removeLeftover(folder);
  }
}

function readVersionLine(file: string): string | undefined {
  try {
    return readOutput({
      argv: [file, "--version"],
      cwd: dirname(file),
      env: process.env,
      timeout: 10_000,
    }).stdout.split(/\r?\n/)[0];
  } catch {
    return undefined;
  }
}
