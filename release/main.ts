import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statfsSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { makeRelease } from "./make-release.ts";
import { parseReleaseOptions, USAGE } from "./options.ts";

/** Disk space needed per target during the release, in bytes. */
const BYTES_PER_TARGET = 500_000_000;

/** Fails immediately instead of running out of disk space minutes later. */
function refuseFullDisk(folder: string, targets: number): void {
  const { blocks, bavail, bsize } = statfsSync(folder);
  if (blocks > 0 && bavail * bsize < targets * BYTES_PER_TARGET)
    throw new Error(
      `not enough disk space in ${folder} for ${targets} ${targets === 1 ? "target" : "targets"}; free ${Math.ceil((targets * BYTES_PER_TARGET) / 1e9)} GB, or pass another directory with --out`,
    );
}

/**
 * Creates the `out` directory by running `work`. This is atomic: an interrupted or failed run leaves nothing behind.
 */
async function writeFolderAtomically(
  out: string,
  targets: number,
  work: (draft: string) => Promise<void>,
): Promise<void> {
  if (existsSync(out) && readdirSync(out).length > 0)
    throw new Error(`${out} exists; delete it, or pass another directory with --out`);
  const firstCreated = mkdirSync(dirname(out), { recursive: true });
  const draft = mkdtempSync(join(dirname(out), `.${basename(out)}-`));
  const clear = () => {
    rmSync(draft, { recursive: true, force: true });
    for (
      let folder = dirname(out);
      firstCreated !== undefined && folder.length >= firstCreated.length;
      folder = dirname(folder)
    )
      try {
        rmdirSync(folder);
      } catch {
        break;
      }
  };
  process.once("exit", clear);
  refuseFullDisk(dirname(out), targets);
  await work(draft);
  chmodSync(draft, 0o777 & ~process.umask());
  if (existsSync(out)) rmdirSync(out);
  renameSync(draft, out);
}

const interrupted = new AbortController();
for (const [signal, code] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)
  process.once(signal, () => {
    interrupted.abort(new Error("interrupted; no files were created"));
    process.exitCode = code;
    setTimeout(() => process.exit(code), 2_000).unref();
  });

try {
  // npm runs this script in the package directory; resolve paths against the directory npm was called from.
  process.chdir(process.env.INIT_CWD ?? ".");
  const options = parseReleaseOptions(process.argv.slice(2));
  if (options === "help") console.log(USAGE);
  else {
    await writeFolderAtomically(options.out, options.targets.length, (draft) =>
      makeRelease(options, draft, {
        report: (what) => console.error(`release: ${what}`),
        signal: interrupted.signal,
      }),
    );
    console.log(options.out);
  }
  process.exit(0);
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException;
  const isDiskFull = code === "ENOSPC" || code === "EDQUOT";
  console.error(
    `release: ${isDiskFull ? "the disk is full; free some space, or pass another directory with --out" : message.split("\n")[0]}`,
  );
  process.exit(process.exitCode || 1);
}
