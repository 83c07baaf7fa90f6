import { chmodSync, copyFileSync, mkdtempSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { readOutput, runProgram } from "../../hosts/run-program.ts";
import { removeLeftover, replaceFile } from "../../system/replace-file.ts";
import { detectTarget } from "../executable/image.ts";
import { replaceExecutable } from "../executable/replace-executable.ts";
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
async function downloadFile(url: string, signal?: AbortSignal): Promise<Buffer> {
  try {
    const response = await fetch(url, {
      signal: AbortSignal.any([AbortSignal.timeout(DOWNLOAD_MS), ...(signal ? [signal] : [])]),
    });
    if (!response.ok) throw new Error(`status ${response.status}`);
    if (url.startsWith("https:") && !response.url.startsWith("https:"))
      throw new Error("it leads to a URL without https");
    return Buffer.from(await response.arrayBuffer());
  } catch (error) {
    signal?.throwIfAborted();
    throw new Error(`${url} can't be downloaded (${(error as Error).message}); nothing was changed`);
  }
}

/**
 * Finds out which release is at a place.
 * @throws Error if it can't be reached, is not signed by the key, or has nothing for this platform.
 */
export async function findRelease({ url, key }: UpdateSource): Promise<AvailableRelease> {
  const publicKey = readPublicKey(readFileSync(key, "utf8"), key);
  const [sums, signature] = await Promise.all([
    downloadFile(`${url}/SHA256SUMS`),
    downloadFile(`${url}/SHA256SUMS.sig`),
  ]);
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
async function countRedFindings(file: string, signal: AbortSignal): Promise<number | undefined> {
  try {
    const argv = [file, "doctor", "--json"];
    const { stdout } = await runProgram({ argv, cwd: dirname(file), env: process.env, timeout: 120_000, signal });
    return stdout.match(/"level": "red"/g)?.length ?? (JSON.parse(stdout) ? 0 : undefined);
  } catch {
    return undefined;
  }
}

const SIGNALS = ["SIGHUP", "SIGINT", "SIGTERM"] as const;

/** Runs `work`; a signal does not end this process at once, but aborts what `work` waits for. */
async function withInterruption<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const interrupted = new AbortController();
  const abort = () => interrupted.abort(new Error("interrupted; nothing was changed"));
  for (const name of SIGNALS) process.on(name, abort);
  try {
    return await work(interrupted.signal);
  } finally {
    for (const name of SIGNALS) process.off(name, abort);
  }
}

/**
 * Puts a release in the place of an executable, tries it there, and puts the old one back if that turns out worse.
 * @throws Error if nothing was changed.
 */
export const installRelease = (
  file: string,
  source: UpdateSource,
  release: AvailableRelease,
  at: (what: string) => void,
): Promise<void> =>
  withInterruption(async (signal) => {
    at(`downloading ${release.archive}`);
    const bytes = await downloadExecutable(source, release, signal);
    // Beside the executable, so that the last step is a rename.
    const folder = mkdtempSync(join(dirname(file), ".bridge-hooks-"));
    try {
      const draft = join(folder, basename(file));
      replaceFile(draft, bytes, { mode: 0o755, durable: true });
      chmodSync(draft, 0o755);
      if (readVersionLine(draft) !== release.version)
        throw new Error(`the new executable does not run on this machine; nothing was changed`);
      await installDraft({ draft, file, version: release.version }, at, signal);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      throw code === "ENOSPC"
        ? new Error(`there is no space left in ${dirname(file)}; nothing was changed`)
        : new Error(message);
    } finally {
      removeLeftover(folder);
    }
  });

async function downloadExecutable(
  { url }: UpdateSource,
  release: AvailableRelease,
  signal: AbortSignal,
): Promise<Buffer> {
  const archive = await downloadFile(`${url}/${release.archive}`, signal);
  if (new Bun.CryptoHasher("sha256").update(archive).digest("hex") !== release.sha256)
    throw new Error(`${url}/${release.archive} is not the file that the release lists; nothing was changed`);
  const program = process.platform === "win32" ? "bridge-hooks.exe" : "bridge-hooks";
  return unpackFile(archive, `${release.archive.replace(/\.(tar\.gz|zip)$/, "")}/${program}`);
}

/** Puts a draft in the place of an executable, unless `doctor` is worse with it. */
async function installDraft(
  { draft, file, version }: { draft: string; file: string; version: string },
  at: (what: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const before = join(dirname(draft), `before-${basename(file)}`);
  at("asking doctor about the present executable");
  const red = await countRedFindings(file, signal);
  copyFileSync(file, before);
  signal.throwIfAborted();
  replaceExecutable(draft, file);
  at("asking doctor whether a denial still holds");
  const then = await countRedFindings(file, signal);
  if (!signal.aborted && then !== undefined && then <= (red ?? then)) return;
  replaceExecutable(before, file);
  signal.throwIfAborted();
  throw new Error(
    `${version} was put back: with it doctor ${then === undefined ? "fails" : `has ${then} red findings instead of ${red}`}; nothing was changed`,
  );
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
