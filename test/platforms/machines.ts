import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BuildTarget } from "../../src/operate/executable/image.ts";
import { findProgram } from "../../src/hosts/find-program.ts";
import { fetchPackages, runTool, UnavailableError } from "../../release/debian-packages.ts";

/** An environment in which this machine can run executables built for another target. */
export interface Machine {
  /** Description shown in the report. */
  how: string;
  /**
   * Returns the command that runs one of the target's programs in the current directory, with these environment
   * variables.
   */
  wrap(argv: readonly string[], env: Readonly<Record<string, string>>): string[];
  /** Converts a path to the form the target's programs use. */
  toPath(file: string): string;
  /** Factor by which time limits are extended. */
  slowness: number;
  isLinux: boolean;
  /**
   * What must be the same as on the reference machine when a user's command runs: the output, the files left behind, or
   * just the exit code. Answers to hosts must be identical everywhere.
   */
  sameness: "output" | "files" | "exit code";
  /** Whether the bundler works on this machine and directory listings are complete. */
  canBuild: boolean;
  /** Home directory of the machine's programs, unless an environment variable sets another. */
  home?: string;
  /** Ends processes that are still running on the machine. */
  end?(): Promise<void>;
}

/** Runs the target's programs directly. */
export const native: Machine = {
  how: "natively",
  wrap: (argv, env) => ["/usr/bin/env", "-i", ...formatVariables(env), ...argv],
  toPath: (file) => file,
  slowness: 1,
  isLinux: true,
  sameness: "output",
  canBuild: true,
};

const formatVariables = (env: Readonly<Record<string, string>>) =>
  Object.entries(env).map(([name, value]) => `${name}=${value}`);

/** Directories of this machine that a jail shares; it has its own /lib. */
const SHARED = ["usr", "proc", "dev", "etc", "tmp"];

/**
 * Switches to a directory as the root file system, in new namespaces. $1 is the directory. $2, if given, is the
 * interpreter for programs built for another CPU architecture. The kernel runs all such programs through the
 * interpreter, including those that hooks start.
 */
const ENTER_JAIL = `set -e
jail=$1 interpreter=$2; shift 2
if [ "$interpreter" ]; then
  mount -t binfmt_misc none "$jail/binfmt"
  printf '%s' ':arm64:M::\\x7fELF\\x02\\x01\\x01\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x02\\x00\\xb7\\x00:\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\x00\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xfe\\xff\\xff\\xff:'"$interpreter:F" > "$jail/binfmt/register"
fi
for place in ${SHARED.join(" ")}; do
  if [ -d "$jail/$place" ] && ! [ -L "$jail/$place" ] && [ -z "$(ls -A "$jail/$place")" ]; then mount --rbind "/$place" "$jail/$place"; fi
done
exec chroot "$jail" /usr/bin/env -i -C "$PWD" "$@"`;

const enterJail = (jail: string, interpreter = ""): string[] => [
  ...["unshare", "-rm", "sh", "-c", ENTER_JAIL, "sh"],
  ...[jail, interpreter],
];

/** Fails early if namespaces can't be created. */
async function checkJail(enter: readonly string[]): Promise<void> {
  if (!findProgram("unshare", { path: process.env.PATH })) throw new UnavailableError("unshare is missing");
  await runTool([...enter, "true"]).catch((error: Error) => {
    throw new UnavailableError(`no separate namespaces (${error.message})`);
  });
}

/**
 * Creates a directory with mount points and with links to this machine's programs. Its mounts can be seen only from
 * inside.
 */
function createJail(): string {
  const jail = mkdtempSync(join(tmpdir(), "bridge-hooks-jail-"));
  for (const place of [...SHARED, "lib", "binfmt"]) mkdirSync(join(jail, place), { recursive: true });
  linkPlaces(jail, { bin: "usr/bin", lib64: "usr/lib64", "lib/x86_64-linux-gnu": "/usr/lib/x86_64-linux-gnu" });
  return jail;
}

function linkPlaces(root: string, links: Readonly<Record<string, string>>): void {
  for (const [link, to] of Object.entries(links)) if (!existsSync(join(root, link))) symlinkSync(to, join(root, link));
}

/**
 * Emulates a CPU without AVX, on which the `baseline` builds must work. Programs started by the emulated one run
 * natively.
 */
async function prepareOldProcessor(): Promise<Machine> {
  const root = await fetchPackages("qemu", { architecture: "amd64", packages: ["qemu-user-static"] });
  const qemu = join(root, "usr/bin/qemu-x86_64-static");
  return {
    ...native,
    how: "qemu-x86_64 -cpu Nehalem (no AVX)",
    wrap: (argv, env) => native.wrap([qemu, "-cpu", "Nehalem", ...argv], env),
    slowness: 10,
    // `status` and `doctor` report slow calls, and leave out a version that takes too long to determine.
    sameness: "files",
  };
}

/** Prepares Linux on another CPU architecture. Its programs run in qemu, and all others natively. */
async function prepareArm64(): Promise<Machine> {
  const packages = await fetchPackages("qemu", { architecture: "amd64", packages: ["qemu-user-static"] });
  const libraries = await fetchPackages("arm64", {
    architecture: "arm64",
    packages: ["libc6", "libgcc-s1", "libstdc++6"],
  });
  const jail = createJail();
  for (const folder of ["lib", "usr/lib"])
    if (existsSync(join(libraries, folder)))
      cpSync(join(libraries, folder), join(jail, "lib"), { recursive: true, verbatimSymlinks: true });
  const enter = enterJail(jail, join(packages, "usr/bin/qemu-aarch64-static"));
  await checkJail(enter);
  return {
    ...native,
    how: "qemu-aarch64, Debian's glibc",
    wrap: (argv, env) => [...enter, ...formatVariables(env), ...argv],
    slowness: 10,
    // `status` and `doctor` report slow calls, and leave out a version that takes too long to determine.
    sameness: "files",
    end: async () => rmSync(jail, { recursive: true, force: true }),
  };
}

/**
 * Prepares musl as the C library. Debian doesn't offer a C++ library for musl, so glibc's is used, with `musl-shim.c`
 * supplying the missing functions.
 */
async function prepareMusl(): Promise<Machine> {
  const packages = await fetchPackages("musl", {
    architecture: "amd64",
    packages: ["musl", "libstdc++6", "libgcc-s1"],
  });
  const jail = createJail();
  const lib = join(jail, "lib");
  const findLibrary = (name: string) => {
    const found = readdirSync(packages, { recursive: true, encoding: "utf8" }).find((file) =>
      file.endsWith(`/${name}`),
    );
    if (found === undefined) throw new UnavailableError(`Debian's packages don't contain ${name}`);
    return realpathSync(join(packages, found));
  };
  cpSync(findLibrary("x86_64-linux-musl/libc.so"), join(lib, "ld-musl-x86_64.so.1"));
  for (const name of ["libstdc++.so.6", "libgcc_s.so.1"]) cpSync(findLibrary(name), join(lib, name));
  const [shim, compiled] = [join(import.meta.dir, "musl-shim.c"), join(lib, "ld-linux-x86-64.so.2")];
  await runTool(["cc", "-O1", "-fPIC", "-shared", "-nostdlib", "-o", compiled, shim]);
  const enter = enterJail(jail);
  await checkJail(enter);
  return {
    ...native,
    how: "Debian's musl, with glibc's C++ library",
    wrap: (argv, env) => [...enter, ...formatVariables(env), ...argv],
    slowness: 2,
    end: async () => rmSync(jail, { recursive: true, force: true }),
  };
}

/** Prepares Wine in a separate root, from a Debian release that has a recent enough version. */
async function prepareWine(): Promise<Machine> {
  const root = await fetchPackages("wine", {
    architecture: "amd64",
    suite: "trixie",
    packages: ["wine64", "libz-mingw-w64", "coreutils"],
  });
  linkPlaces(root, { bin: "usr/bin", sbin: "usr/sbin", lib: "usr/lib", lib64: "usr/lib64" });
  for (const place of SHARED) mkdirSync(join(root, place), { recursive: true });
  const [wine, dll] = [join(root, "usr/lib/wine"), "zlib1.dll"];
  cpSync(
    join(root, "usr/x86_64-w64-mingw32/lib", dll),
    join(root, "usr/lib/x86_64-linux-gnu/wine/x86_64-windows", dll),
  );
  cpSync(join(wine, "wineserver64"), join(wine, "wineserver"));
  chmodSync(join(wine, "wineserver"), 0o755);
  // The root has its own /etc and /usr rather than this machine's.
  writeFileSync(join(root, "etc/.own"), "");
  const enter = enterJail(root);
  await checkJail(enter);
  const prefix = mkdtempSync(join(tmpdir(), "bridge-hooks-wine-"));
  const home = join(prefix, "drive_c/users/wine");
  const variables = (env: Readonly<Record<string, string>> = {}) =>
    formatVariables({
      ...env,
      HOME: prefix,
      USER: "wine",
      PATH: "/usr/lib/wine:/usr/bin",
      WINEPREFIX: prefix,
      WINEARCH: "win64",
      WINEDEBUG: "-all",
      WINEDLLOVERRIDES: "mscoree,mshtml=",
    });
  // wineboot's exit code would only report that 32-bit programs are missing.
  await runTool([...enter, ...variables(), "/usr/lib/wine/wine64", "wineboot", "-i"]).catch(() => {});
  if (!existsSync(join(prefix, "drive_c/windows/system32/kernel32.dll")))
    throw new UnavailableError("Wine does not start");
  // Graphical programs, such as the installer, look for this DLL in system32.
  cpSync(join(root, "usr/x86_64-w64-mingw32/lib", dll), join(prefix, "drive_c/windows/system32", dll));
  return {
    how: "Wine 10",
    wrap: (argv, env) => [...enter, ...variables(env), "/usr/lib/wine/wine64", ...argv],
    toPath: (file) =>
      file
        .replace(`${prefix}/drive_c`, "C:")
        .replace(/^(?=\/)/, "Z:")
        .replaceAll("/", "\\"),
    slowness: 4,
    isLinux: false,
    sameness: "exit code",
    // Paths below a directory that is open are "not found", so bundling fails and recursive file listings are
    // incomplete [Wine 10.0, 2026-11-23].
    canBuild: false,
    home,
    async end() {
      await runTool([...enter, ...variables(), "/usr/lib/wine/wineserver", "-k"]).catch(() => {});
      rmSync(prefix, { recursive: true, force: true });
    },
  };
}

const never = (why: string) => () => Promise.reject(new UnavailableError(why));

/** Prepares an environment for each target. `native` targets require x64. */
export const MACHINES: Readonly<Record<BuildTarget, () => Promise<Machine>>> = {
  "bun-linux-x64": async () => native,
  "bun-linux-x64-baseline": prepareOldProcessor,
  "bun-linux-x64-musl": prepareMusl,
  "bun-linux-arm64": prepareArm64,
  "bun-linux-arm64-musl": never("Debian has no C++ library for musl on arm64"),
  "bun-darwin-x64": never("macOS programs can't run here"),
  "bun-darwin-arm64": never("macOS programs can't run here"),
  "bun-windows-x64": prepareWine,
  "bun-windows-arm64": never("Debian's Wine supports only x64"),
};
