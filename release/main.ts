import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import pkg from "../package.json" with { type: "json" };
import { type BuildTarget, TARGETS } from "../src/cli/build/image.ts";
import { readOutput } from "../src/hosts/run-program.ts";
import { addArchives } from "./archives.ts";
import { describeContents, formatBom } from "./contents.ts";
import { computeSha256, describePlatform, type PlatformFiles, type PutFile, type Release } from "./release.ts";
import { addChannelFiles } from "./packages/channels.ts";
import { describeCommands } from "./packages/command-line.ts";
import { addDebPackage } from "./packages/deb.ts";
import { listShellFiles } from "./packages/linux.ts";
import { addRpmPackage } from "./packages/rpm.ts";
import { addMsiPackage, findMsiTools } from "./packages/msi.ts";
import { addNpmPackage, addNpmPlatform } from "./packages/npm.ts";
import { formatMinisignKey, readSigningKey, signBytes, signForMinisign, type SigningKey } from "./sign.ts";
import { buildInStage, type BuiltExecutable, withStage } from "./stage.ts";

const USAGE = `Usage: npm run release -- --out DIR (--key FILE | --unsigned) [options]

Builds a release: executables of all targets, archives and packages of them, checksums, and what describes them. The
same commit gives the same bytes. DIR is made in one go at the end.

  --out DIR          the folder to make
  --key FILE         the Ed25519 key that signs it (openssl genpkey -algorithm ed25519 -out FILE)
  --unsigned         without a signature
  --target NAME      ${TARGETS.map((target) => target.slice(4)).join(", ")} (default: all); may be repeated
  --url URL          where its files can be downloaded, {version} for the version: without it there are no files for
                     package managers
  --executables DIR  take the executables of this folder, as build names them, instead of building: those that were
                     signed for their systems
  --work-tree        with changes that are not committed`;

const ROOT = join(import.meta.dir, "..");

interface Order {
  out: string;
  targets: BuildTarget[];
  key: SigningKey | undefined;
  url: string | undefined;
  executables: string | undefined;
  workTree: boolean;
}

/** @throws Error for options that can't be followed. */
function readOrder(args: readonly string[]): Order | "help" {
  const { values } = parseArgs({
    args: [...args],
    options: {
      out: { type: "string" },
      key: { type: "string" },
      unsigned: { type: "boolean", default: false },
      target: { type: "string", multiple: true, default: ["all"] },
      url: { type: "string" },
      executables: { type: "string" },
      "work-tree": { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return "help";
  if (!values.out) throw new Error("--out DIR is missing; name the folder to make");
  if (values.key === undefined && !values.unsigned)
    throw new Error("--key FILE is missing; name the key that signs the release, or pass --unsigned");
  if (values.key !== undefined && values.unsigned)
    throw new Error("--key and --unsigned contradict each other; pass one of them");
  if (values.url !== undefined && !/^https?:\/\/\S+$/.test(values.url))
    throw new Error(`--url ${values.url}: not a URL; give one that begins with https://`);
  return {
    out: resolve(values.out),
    targets: values.target
      .flatMap((name): readonly BuildTarget[] => {
        if (name === "all") return TARGETS;
        const target = TARGETS.find((one) => one === `bun-${name}`);
        if (target) return [target];
        throw new Error(`unknown target "${name}"; known: ${TARGETS.map((one) => one.slice(4)).join(", ")}, all`);
      })
      .filter((target, at, all) => all.indexOf(target) === at),
    key: values.key === undefined ? undefined : readSigningKey(resolve(values.key)),
    url: values.url?.replace(/\/+$/, ""),
    executables: values.executables === undefined ? undefined : resolve(values.executables),
    workTree: values["work-tree"],
  };
}

/** Asks git about the sources; an empty text where it can't tell. */
function askGit(...args: readonly string[]): string {
  try {
    return readOutput({ argv: ["git", ...args], cwd: ROOT, env: process.env, timeout: 20_000 }).stdout.trim();
  } catch {
    return "";
  }
}

/** @throws Error if nobody could tell later which sources the release was made of. */
function identifySources({ workTree }: Order): Pick<Release, "commit" | "time"> {
  const changed = askGit("status", "--porcelain") !== "";
  const commit = changed ? undefined : askGit("rev-parse", "HEAD") || undefined;
  if (commit === undefined && !workTree)
    throw new Error(
      "there are changes that are not committed, or no repository; commit them, or pass --work-tree for a trial",
    );
  const time = Number(process.env.SOURCE_DATE_EPOCH || askGit("log", "-1", "--format=%ct"));
  if (!Number.isInteger(time) || time <= 0)
    throw new Error("git knows no commit here; set SOURCE_DATE_EPOCH to the seconds since 1970");
  return { commit, time };
}

/** How much room a target's files take while they are made, in bytes. */
const BYTES_PER_TARGET = 500_000_000;

/** Refuses at once what would end with a full disk after minutes. */
function refuseFullDisk(folder: string, targets: number): void {
  const { blocks, bavail, bsize } = statfsSync(folder);
  if (blocks > 0 && bavail * bsize < targets * BYTES_PER_TARGET)
    throw new Error(
      `${folder} has no room for ${targets} ${targets === 1 ? "target" : "targets"}: free ${Math.ceil((targets * BYTES_PER_TARGET) / 1e9)} GB, or name another place with --out`,
    );
}

/** Executables that somebody brings, as `build --target` names them. */
function findExecutables(folder: string, targets: readonly BuildTarget[]): BuiltExecutable[] {
  return targets.map((target) => {
    const { name, os } = describePlatform(target);
    const file = join(folder, `bridge-hooks-${name}${os === "windows" ? ".exe" : ""}`);
    if (!existsSync(file))
      throw new Error(`there is no ${file}; --executables takes a folder with an executable for each target`);
    return { target, file, bytes: 0, hooks: [], policy: "" };
  });
}

/** Makes `out` with `work`, in one go: interrupted or failed, it leaves nothing. */
async function makeFolder(out: string, targets: number, work: (draft: string) => Promise<void>): Promise<void> {
  if (existsSync(out) && readdirSync(out).length > 0)
    throw new Error(`${out} is there; delete it, or name another folder with --out`);
  const made = mkdirSync(dirname(out), { recursive: true });
  const draft = mkdtempSync(join(dirname(out), `.${basename(out)}-`));
  const clear = () => {
    rmSync(draft, { recursive: true, force: true });
    for (let folder = dirname(out); made !== undefined && folder.length >= made.length; folder = dirname(folder))
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

async function makeRelease(order: Order, draft: string, say: (what: string) => void): Promise<void> {
  const sources = identifySources(order);
  const { contents, bom } = await describeContents(ROOT);
  const read = (name: string) => readFileSync(join(ROOT, name), "utf8");
  const release: Release = {
    name: pkg.name,
    version: pkg.version,
    description: pkg.description,
    license: pkg.license,
    ...sources,
    url: order.url?.replaceAll("{version}", pkg.version),
    urlTemplate: order.url,
    publicKey: order.key?.pem,
    texts: { license: read("LICENSE"), readme: read("README.md"), notices: contents.notices },
  };
  const digests = new Map<string, string>();
  const put: PutFile = (path, content, mode = 0o644) => {
    const file = join(draft, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content, { mode });
    digests.set(path, computeSha256(content));
  };
  const commands = describeCommands();
  const shellFiles = listShellFiles(release, commands);
  const platforms: Omit<PlatformFiles, "executable">[] = [];
  const msi = order.targets.some((target) => target.includes("windows")) ? await findMsiTools() : undefined;
  const addPlatform = async ({ target, file }: BuiltExecutable) => {
    const executable = readFileSync(file);
    const platform = { ...describePlatform(target), executable, sha256: computeSha256(executable) };
    say(`packing ${platform.name}`);
    addArchives(release, platform, shellFiles, put);
    if (platform.os === "linux" && !platform.musl && !platform.baseline) {
      addDebPackage(release, platform, commands, put);
      addRpmPackage(release, platform, commands, put);
    }
    if (platform.os === "windows" && msi && "root" in msi) await addMsiPackage(release, platform, msi, put);
    addNpmPlatform(release, platform, put);
    platforms.push({ ...platform, executable: undefined } as Omit<PlatformFiles, "executable">);
  };
  let tried = "";
  const built = await (async () => {
    if (order.executables !== undefined) {
      const found = findExecutables(order.executables, order.targets);
      for (const one of found) await addPlatform(one);
      return found;
    }
    return withStage(ROOT, say, async (stage) => {
      say(`building ${order.targets.map((target) => target.slice(4)).join(", ")}`);
      const made = await buildInStage(stage, order.targets, interrupted.signal);
      // Cold: executables that somebody brings are not tried.
      const { formatTrials, tryExecutable } = await import("./trial.ts");
      const trials = [];
      for (const one of made) {
        say(`trying ${one.target.slice(4)}`);
        trials.push(await tryExecutable(one, pkg.version));
        interrupted.signal.throwIfAborted();
        await addPlatform(one);
      }
      tried = formatTrials(trials);
      return made;
    });
  })();
  interrupted.signal.throwIfAborted();
  addInstallScripts(release, read, put);
  if (platforms.some(({ os }) => os === "darwin"))
    for (const name of ["make-pkg.sh", "entitlements.plist"])
      put(`macos/${name}`, read(`release/macos/${name}`), name.endsWith(".sh") ? 0o755 : 0o644);
  await addNpmPackage(release, platforms, ROOT, put);
  addChannelFiles(release, platforms, digests, put);
  put("bridge-hooks.cdx.json", formatBom(release, contents, bom));
  put("THIRD-PARTY-NOTICES.txt", contents.notices);
  put("build-info.json", formatBuildInfo(release, platforms, built));
  sign(release, order.key, digests, put);
  const skipped = msi && "missing" in msi ? [`skipped: the .msi (${msi.missing})`] : [];
  say([`${digests.size} files`, ...(tried === "" ? [] : [tried]), ...skipped].join("; "));
}

function formatBuildInfo(
  release: Release,
  platforms: readonly Omit<PlatformFiles, "executable">[],
  built: readonly BuiltExecutable[],
): string {
  const { name, version, commit, time } = release;
  const info = {
    name,
    version,
    commit: commit ?? null,
    sourceDateEpoch: time,
    bun: { version: Bun.version, revision: Bun.revision },
    packageLock: computeSha256(readFileSync(join(ROOT, "package-lock.json"))),
    hooks: built[0]?.hooks ?? [],
    policy: built[0]?.policy ?? "",
    executables: platforms.map((one, at) => ({
      target: one.name,
      bytes: built[at]?.bytes || undefined,
      sha256: one.sha256,
    })),
  };
  return `${JSON.stringify(info, null, 2)}\n`;
}

/** Adds the scripts that download and install it, with what they check. */
function addInstallScripts(
  { version, urlTemplate, publicKey }: Release,
  read: (name: string) => string,
  put: PutFile,
): void {
  for (const name of ["install.sh", "install.ps1"]) {
    const values = { VERSION: version, URL: urlTemplate ?? "", KEY: publicKey?.trim() ?? "" };
    if (Object.values(values).some((value) => value.includes("'"))) throw new Error("--url can't contain a quote");
    const text = Object.entries(values).reduce(
      (text, [key, value]) => text.replace(`'@${key}@'`, () => `'${value}'`),
      read(`release/scripts/${name}`),
    );
    put(name, text, name.endsWith(".sh") ? 0o755 : 0o644);
  }
}

/** Adds the list of all files, and its signatures. */
function sign(
  { name, version, time }: Release,
  key: SigningKey | undefined,
  digests: ReadonlyMap<string, string>,
  put: PutFile,
): void {
  const lines = [...digests].sort(([a], [b]) => (a < b ? -1 : 1)).map(([path, digest]) => `${digest}  ${path}\n`);
  const sums = Buffer.from(lines.join(""));
  put("SHA256SUMS", sums);
  if (!key) return;
  put("SHA256SUMS.sig", signBytes(key, sums));
  put(
    "SHA256SUMS.minisig",
    signForMinisign(key, sums, `${name} ${version}, timestamp:${time}\tfile:SHA256SUMS\thashed`),
  );
  put("release-key.pem", key.pem);
  put("release-key.pub", formatMinisignKey(key));
}

const interrupted = new AbortController();
for (const [signal, code] of [
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)
  process.once(signal, () => {
    interrupted.abort(new Error("interrupted; nothing was made"));
    process.exitCode = code;
    setTimeout(() => process.exit(code), 2_000).unref();
  });

try {
  // npm runs this in the package's folder; paths are relative to the folder that npm was called from.
  process.chdir(process.env.INIT_CWD ?? ".");
  const order = readOrder(process.argv.slice(2));
  if (order === "help") console.log(USAGE);
  else {
    await makeFolder(order.out, order.targets.length, (draft) =>
      makeRelease(order, draft, (what) => console.error(`release: ${what}`)),
    );
    console.log(order.out);
  }
  process.exit(0);
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException;
  const full = code === "ENOSPC" || code === "EDQUOT";
  console.error(
    `release: ${full ? "there is no space left; free some, or name another place with --out" : message.split("\n")[0]}`,
  );
  process.exit(process.exitCode || 1);
}
