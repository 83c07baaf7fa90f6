import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import pkg from "../package.json" with { type: "json" };
import type { BuildTarget } from "../src/operate/executable/image.ts";
import { readOutput } from "../src/hosts/run-program.ts";
import { addArchives } from "./archives.ts";
import { describeContents, formatBom } from "./contents.ts";
import type { ReleaseOptions } from "./options.ts";
import { computeSha256, describePlatform, type PlatformFiles, type PutFile, type Release } from "./release.ts";
import { addChannelFiles } from "./packages/channels.ts";
import { type CommandDescription, describeCommands } from "./packages/command-line.ts";
import { addDebPackage } from "./packages/deb.ts";
import { listShellFiles } from "./packages/linux.ts";
import { addRpmPackage } from "./packages/rpm.ts";
import { addMsiPackage, findMsiTools } from "./packages/msi.ts";
import { addNpmPackage, addNpmPlatform } from "./packages/npm.ts";
import { addPluginFolders } from "./plugin-folders.ts";
import { signBytes, type SigningKey } from "./sign.ts";
import { buildInStage, type BuiltExecutable, withStage } from "./stage.ts";

const ROOT = join(import.meta.dir, "..");

/** Runs git on the sources; returns an empty string on failure. */
function askGit(...args: readonly string[]): string {
  try {
    return readOutput({ argv: ["git", ...args], cwd: ROOT, env: process.env, timeout: 20_000 }).stdout.trim();
  } catch {
    return "";
  }
}

/** @throws Error if the release can't be traced back to its sources. */
function identifySources({ workTree }: ReleaseOptions): Pick<Release, "commit" | "time"> {
  const hasChanges = askGit("status", "--porcelain") !== "";
  const commit = hasChanges ? undefined : askGit("rev-parse", "HEAD") || undefined;
  if (commit === undefined && !workTree)
    throw new Error("uncommitted changes, or no repository; commit the changes, or pass --work-tree for a trial");
  const time = Number(process.env.SOURCE_DATE_EPOCH || askGit("log", "-1", "--format=%ct"));
  if (!Number.isInteger(time) || time <= 0)
    throw new Error("no git commit found; set SOURCE_DATE_EPOCH to the seconds since 1970");
  return { commit, time };
}

/** Finds user-supplied executables that are named like the output of `build --target`. */
function findExecutables(folder: string, targets: readonly BuildTarget[]): BuiltExecutable[] {
  return targets.map((target) => {
    const { name, os } = describePlatform(target);
    const file = join(folder, `bridge-hooks-${name}${os === "windows" ? ".exe" : ""}`);
    if (!existsSync(file))
      throw new Error(`${file} is missing; --executables requires a directory with an executable for each target`);
    return { target, file, bytes: 0, hooks: [], policy: "" };
  });
}

const readText = (name: string) => readFileSync(join(ROOT, name), "utf8");

/** The state of a release in progress. */
interface Draft {
  release: Release;
  put: PutFile;
  commands: readonly CommandDescription[];
  msi: Awaited<ReturnType<typeof findMsiTools>> | undefined;
  /** Progress callback. */
  report: (what: string) => void;
  /** Aborts the release when the user interrupts it. */
  signal: AbortSignal;
}

export async function makeRelease(
  options: ReleaseOptions,
  folder: string,
  { report, signal }: Pick<Draft, "report" | "signal">,
): Promise<void> {
  const sources = identifySources(options);
  const { contents, bom } = await describeContents(ROOT);
  const release = describeRelease(options, sources, contents.notices);
  const digests = new Map<string, string>();
  const put: PutFile = (path, content, mode = 0o644) => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content, { mode });
    digests.set(path, computeSha256(content));
  };
  const msi = options.targets.some((target) => target.includes("windows")) ? await findMsiTools() : undefined;
  const draft: Draft = { release, put, commands: describeCommands(), msi, report, signal };
  const { platforms, builtExecutables, trialSummary } = await addPlatforms(options, draft);
  signal.throwIfAborted();
  addInstallScripts(release, put);
  if (platforms.some(({ os }) => os === "darwin"))
    for (const name of ["make-pkg.sh", "entitlements.plist"])
      put(`macos/${name}`, readText(`release/macos/${name}`), name.endsWith(".sh") ? 0o755 : 0o644);
  await addNpmPackage(release, platforms, ROOT, put);
  // User-supplied executables may contain other hooks, which the plugin's entries wouldn't match.
  if (options.executables === undefined) await addPluginFolders(release, join(ROOT, "hooks"), put);
  addChannelFiles(release, platforms, digests, put);
  put("bridge-hooks.cdx.json", formatBom(release, contents, bom));
  put("THIRD-PARTY-NOTICES.txt", contents.notices);
  put("build-info.json", formatBuildInfo(release, platforms, builtExecutables));
  sign(options.key, digests, put);
  const skipped = msi && "missing" in msi ? [`skipped: the .msi (${msi.missing})`] : [];
  report([`${digests.size} files`, ...(trialSummary === "" ? [] : [trialSummary]), ...skipped].join("; "));
}

const describeRelease = (
  { url, key }: ReleaseOptions,
  sources: Pick<Release, "commit" | "time">,
  notices: string,
): Release => ({
  name: pkg.name,
  version: pkg.version,
  description: pkg.description,
  license: pkg.license,
  ...sources,
  url: url?.replaceAll("{version}", pkg.version),
  urlTemplate: url,
  publicKey: key?.pem,
  texts: { license: readText("LICENSE"), readme: readText("README.md"), notices },
});

type PackedPlatform = Omit<PlatformFiles, "executable">;

/** Packs user-supplied executables, or newly built and tested executables. */
async function addPlatforms(
  { executables, targets }: ReleaseOptions,
  draft: Draft,
): Promise<{ platforms: PackedPlatform[]; builtExecutables: readonly BuiltExecutable[]; trialSummary: string }> {
  const { release, commands, report, signal } = draft;
  const shellFiles = listShellFiles(release, commands);
  const platforms: PackedPlatform[] = [];
  if (executables !== undefined) {
    const builtExecutables = findExecutables(executables, targets);
    for (const one of builtExecutables) platforms.push(await addPlatform(one, shellFiles, draft));
    return { platforms, builtExecutables, trialSummary: "" };
  }
  return withStage(ROOT, report, async (stage) => {
    report(`building ${targets.map((target) => target.slice(4)).join(", ")}`);
    const builtExecutables = await buildInStage(stage, targets, signal);
    // Imported only here: user-supplied executables aren't tested.
    const { formatTrials, tryExecutable } = await import("./trial.ts");
    const trials = [];
    for (const one of builtExecutables) {
      report(`testing ${one.target.slice(4)}`);
      trials.push(await tryExecutable(one, pkg.version));
      signal.throwIfAborted();
      platforms.push(await addPlatform(one, shellFiles, draft));
    }
    return { platforms, builtExecutables, trialSummary: formatTrials(trials) };
  });
}

async function addPlatform(
  { target, file }: BuiltExecutable,
  shellFiles: ReturnType<typeof listShellFiles>,
  { release, put, commands, msi, report }: Draft,
): Promise<PackedPlatform> {
  const executable = readFileSync(file);
  const packed = { ...describePlatform(target), sha256: computeSha256(executable) };
  const platform = { ...packed, executable };
  report(`packing ${platform.name}`);
  addArchives(release, platform, shellFiles, put);
  if (platform.os === "linux" && !platform.musl && !platform.baseline) {
    addDebPackage(release, platform, commands, put);
    addRpmPackage(release, platform, commands, put);
  }
  if (platform.os === "windows" && msi && "root" in msi) await addMsiPackage(release, platform, msi, put);
  addNpmPlatform(release, platform, put);
  return packed;
}

function formatBuildInfo(
  release: Release,
  platforms: readonly PackedPlatform[],
  builtExecutables: readonly BuiltExecutable[],
): string {
  const { name, version, commit, time } = release;
  const info = {
    name,
    version,
    commit: commit ?? null,
    sourceDateEpoch: time,
    bun: { version: Bun.version, revision: Bun.revision },
    packageLock: computeSha256(readFileSync(join(ROOT, "package-lock.json"))),
    hooks: builtExecutables[0]?.hooks ?? [],
    policy: builtExecutables[0]?.policy ?? "",
    executables: platforms.map((one, at) => ({
      target: one.name,
      bytes: builtExecutables[at]?.bytes || undefined,
      sha256: one.sha256,
    })),
  };
  return `${JSON.stringify(info, null, 2)}\n`;
}

/** Adds the install scripts, which download and verify a release. */
function addInstallScripts({ version, urlTemplate, publicKey }: Release, put: PutFile): void {
  for (const name of ["install.sh", "install.ps1"]) {
    const values = { VERSION: version, URL: urlTemplate ?? "", KEY: publicKey?.trim() ?? "" };
    if (Object.values(values).some((value) => value.includes("'"))) throw new Error("--url can't contain a quote");
    const text = Object.entries(values).reduce(
      (text, [key, value]) => text.replace(`'@${key}@'`, () => `'${value}'`),
      readText(`release/scripts/${name}`),
    );
    put(name, text, name.endsWith(".sh") ? 0o755 : 0o644);
  }
}

/** Adds the list of all files and its signature. */
function sign(key: SigningKey | undefined, digests: ReadonlyMap<string, string>, put: PutFile): void {
  const lines = [...digests].sort(([a], [b]) => (a < b ? -1 : 1)).map(([path, digest]) => `${digest}  ${path}\n`);
  const sums = Buffer.from(lines.join(""));
  put("SHA256SUMS", sums);
  if (!key) return;
  put("SHA256SUMS.sig", signBytes(key, sums));
  put("release-key.pem", key.pem);
}
