import { chmodSync, copyFileSync, mkdtempSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { readOutput, runProgram } from "../../hosts/run-program.ts";
import { removeLeftoverFile, replaceFile } from "../../system/replace-file.ts";
import { detectTarget } from "../executable/image.ts";
import { replaceExecutable } from "../executable/replace-executable.ts";
import { isSignedBy, parseSums, readPublicKey } from "../verify/signature.ts";
import { unpackFile } from "./unpack.ts";

interface UpdateSource {
  /** Base URL of the release files, without a trailing slash. */
  url: string;
  /** Path of the public key, in PEM format, for verifying the signature. */
  key: string;
}

/** A release as described in its signed list. */
export interface AvailableRelease {
  version: string;
  /** File name and SHA-256 hash of the archive for this platform. */
  archive: string;
  sha256: string;
}

/** Time limit for each download in milliseconds. */
const DOWNLOAD_MS = 10 * 60_000;
const MAX_REDIRECTS = 5;
/** Maximum download sizes in bytes. Archives typically take 60 MB; lists and signatures take a few kilobytes. */
const MAX_BYTES = { archive: 256 * 1024 * 1024, list: 1024 * 1024 };

interface Download {
  url: string;
  limit: number;
  signal?: AbortSignal;
}

/** Downloads a file. A redirect from https to another protocol is an error. */
async function downloadFile({ url, limit, signal }: Download): Promise<Buffer> {
  try {
    const ends = AbortSignal.any([AbortSignal.timeout(DOWNLOAD_MS), ...(signal ? [signal] : [])]);
    return await readBody(await followRedirects(url, ends), limit);
  } catch (error) {
    signal?.throwIfAborted();
    throw new Error(`${url} can't be downloaded (${(error as Error).message}); no changes made`);
  }
}

async function followRedirects(url: string, signal: AbortSignal): Promise<Response> {
  let current = url;
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const response = await fetch(current, { signal, redirect: "manual" });
    if (response.ok) return response;
    const location = response.headers.get("location");
    if (response.status < 300 || response.status > 399 || location === null)
      throw new Error(`status ${response.status}`);
    const nextUrl = new URL(location, current).href;
    if (current.startsWith("https:") && !nextUrl.startsWith("https:"))
      throw new Error("redirect to a URL that is not HTTPS");
    current = nextUrl;
  }
  throw new Error("too many redirects");
}

async function readBody(response: Response, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > limit) throw new Error(`larger than ${limit / 1024 / 1024} MB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Finds the release at a URL.
 * @throws Error if the release can't be reached, isn't signed with the key, or doesn't support this platform.
 */
export async function findRelease({ url, key }: UpdateSource): Promise<AvailableRelease> {
  const publicKey = readPublicKey(readFileSync(key, "utf8"), key);
  const list = `${url}/SHA256SUMS`;
  const [sums, signature] = await Promise.all(
    [list, `${list}.sig`].map((one) => downloadFile({ url: one, limit: MAX_BYTES.list })),
  );
  if (!sums || !signature || !isSignedBy(publicKey, sums, signature))
    throw new Error(`${list} is not signed with the key in ${key}; no changes made`);
  const platform = detectTarget().slice("bun-".length);
  const ending = platform.startsWith("windows") ? "zip" : "tar.gz";
  const releases = [...parseSums(sums.toString(), list)].flatMap(([archive, sha256]) => {
    const [, version] = /^bridge-hooks-(\d+\.\d+\.\d+[\w.+-]*?)-(?:linux|darwin|windows)-/.exec(archive) ?? [];
    return version !== undefined && archive === `bridge-hooks-${version}-${platform}.${ending}`
      ? [{ version, archive, sha256 }]
      : [];
  });
  const [release, another] = releases;
  if (release === undefined) throw new Error(`the release at ${url} has no executable for ${platform}`);
  if (another !== undefined) throw new Error(`${list} lists several releases: ${release.version}, ${another.version}`);
  return release;
}

/** Counts the red findings that an executable's `doctor` reports. Returns undefined if the output can't be parsed. */
async function countRedFindings(file: string, signal: AbortSignal): Promise<number | undefined> {
  try {
    const argv = [file, "doctor", "--json"];
    const { stdout } = await runProgram({ argv, cwd: dirname(file), env: process.env, timeout: 120_000, signal });
    return stdout.match(/"level": "red"/g)?.length ?? (JSON.parse(stdout) ? 0 : undefined);
  } catch {
    return undefined;
  }
}

const INTERRUPTION_SIGNALS = ["SIGHUP", "SIGINT", "SIGTERM"] as const;

/**
 * Runs `work` with a signal handler, so that a signal aborts the operation `work` awaits instead of ending the process
 * immediately.
 */
async function withInterruption<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const abort = () => controller.abort(new Error("interrupted; no changes made"));
  for (const name of INTERRUPTION_SIGNALS) process.on(name, abort);
  try {
    return await work(controller.signal);
  } finally {
    for (const name of INTERRUPTION_SIGNALS) process.off(name, abort);
  }
}

/**
 * Replaces an executable with a release and tests it in place. If `doctor` reports more problems than before, restores
 * the old executable.
 * @throws Error if the update fails. In that case, nothing has changed.
 */
export const installRelease = (
  file: string,
  source: UpdateSource,
  release: AvailableRelease,
  onStep: (step: string) => void,
): Promise<void> =>
  withInterruption(async (signal) => {
    onStep(`downloading ${release.archive}`);
    const bytes = await downloadExecutable(source, release, signal);
    // Work in the executable's directory, so that the last step is just a rename.
    const folder = mkdtempSync(join(dirname(file), ".bridge-hooks-"));
    try {
      const draft = join(folder, basename(file));
      replaceFile(draft, bytes, { mode: 0o755, durable: true });
      chmodSync(draft, 0o755);
      if (readVersionLine(draft) !== release.version)
        throw new Error(`the new executable does not run on this machine; no changes made`);
      await installDraft({ draft, bytes, file, version: release.version }, onStep, signal);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      throw code === "ENOSPC" ? new Error(`no space left in ${dirname(file)}; no changes made`) : new Error(message);
    } finally {
      removeLeftoverFile(folder);
    }
  });

async function downloadExecutable(
  { url }: UpdateSource,
  release: AvailableRelease,
  signal: AbortSignal,
): Promise<Buffer> {
  const archive = await downloadFile({ url: `${url}/${release.archive}`, limit: MAX_BYTES.archive, signal });
  if (new Bun.CryptoHasher("sha256").update(archive).digest("hex") !== release.sha256)
    throw new Error(`${url}/${release.archive} does not match the release's checksum; no changes made`);
  const program = process.platform === "win32" ? "bridge-hooks.exe" : "bridge-hooks";
  return unpackFile(archive, `${release.archive.replace(/\.(tar\.gz|zip)$/, "")}/${program}`);
}

/** Installs a draft in place of an executable, unless `doctor` reports more problems with it. */
async function installDraft(
  { draft, bytes, file, version }: { draft: string; bytes: Buffer; file: string; version: string },
  onStep: (step: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const backup = join(dirname(draft), `before-${basename(file)}`);
  onStep("running doctor with the current executable");
  const redBefore = await countRedFindings(file, signal);
  copyFileSync(file, backup);
  signal.throwIfAborted();
  // Verify the draft again: other programs could have changed it while `doctor` ran.
  if (!readFileSync(draft).equals(bytes)) throw new Error(`${draft} was modified after verification; no changes made`);
  replaceExecutable(draft, file);
  onStep("running doctor with the new executable");
  const redAfter = await countRedFindings(file, signal);
  if (!signal.aborted && redAfter !== undefined && redAfter <= (redBefore ?? redAfter)) return;
  replaceExecutable(backup, file);
  signal.throwIfAborted();
  throw new Error(
    `the old executable was restored because with ${version}, doctor ${redAfter === undefined ? "fails" : `reports ${redAfter} red findings instead of ${redBefore}`}`,
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
