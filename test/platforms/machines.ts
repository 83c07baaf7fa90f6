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

/** What runs executables of another target here. */
export interface Machine {
  /** How it is done, for the report. */
  how: string;
  /** Returns the command that runs a program of the target with these variables, in the current folder. */
  wrap(argv: readonly string[], env: Readonly<Record<string, string>>): string[];
  /** How programs of the target name a file. */
  toPath(file: string): string;
  /** By how much it is slower, for time limits. */
  slowness: number;
  isLinux: boolean;
  /**
   * What of the commands for people is the same: what they print, too, or the files that they leave, or only their exit
   * code. Answers to hosts are the same everywhere, in every byte.
   */
  sameness: "output" | "files" | "exit code";
  /** Whether the bundler runs there, and folders are listed with all that is in them. */
  canBuild: boolean;
  /** The home of its programs, where a variable does not say. */
  home?: string;
  /** Ends what it left running. */
  end?(): Promise<void>;
}

/** Runs the target's programs as any other. */
export const native: Machine = {
  how: "as it is",
  wrap: (argv, env) => ["/usr/bin/env", "-i", ...formatVariables(env), ...argv],
  toPath: (file) => file,
  slowness: 1,
  isLinux: true,
  sameness: "output",
  canBuild: true,
};

const formatVariables = (env: Readonly<Record<string, string>>) =>
  Object.entries(env).map(([name, value]) => `${name}=${value}`);

/** Places of this machine that a jail shows, besides its own /lib. */
const SHARED = ["usr", "proc", "dev", "etc", "tmp"];

/**
 * Enters a folder as the root of the file system, in namespaces of its own. $1 is the folder, $2 the interpreter for
 * programs of another processor, if any: the kernel starts it for every such program, those that hooks start included.
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

/** Fails early where namespaces are not allowed. */
async function checkJail(enter: readonly string[]): Promise<void> {
  if (!findProgram("unshare", { path: process.env.PATH })) throw new UnavailableError("there is no unshare");
  await runTool([...enter, "true"]).catch((error: Error) => {
    throw new UnavailableError(`no namespaces of its own (${error.message})`);
  });
}

/** A folder with mount points, and with links to this machine's programs. Its mounts are only seen inside. */
function createJail(): string {
  const jail = mkdtempSync(join(tmpdir(), "bridge-hooks-jail-"));
  for (const place of [...SHARED, "lib", "binfmt"]) mkdirSync(join(jail, place), { recursive: true });
  linkPlaces(jail, { bin: "usr/bin", lib64: "usr/lib64", "lib/x86_64-linux-gnu": "/usr/lib/x86_64-linux-gnu" });
  return jail;
}

function linkPlaces(root: string, links: Readonly<Record<string, string>>): void {
  for (const [link, to] of Object.entries(links)) if (!existsSync(join(root, link))) symlinkSync(to, join(root, link));
}

/** A processor from before AVX, emulated: what the name `baseline` promises. Programs that it starts run natively. */
async function prepareOldProcessor(): Promise<Machine> {
  const root = await fetchPackages("qemu", { architecture: "amd64", packages: ["qemu-user-static"] });
  const qemu = join(root, "usr/bin/qemu-x86_64-static");
  return {
    ...native,
    how: "qemu-x86_64 -cpu Nehalem (no AVX)",
    wrap: (argv, env) => native.wrap([qemu, "-cpu", "Nehalem", ...argv], env),
    slowness: 10,
    // `status` and `doctor` tell that a call takes long, and no version where that takes too long.
    sameness: "files",
  };
}

/** Linux on another processor: qemu for its programs, this machine's own for all others. */
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
    // `status` and `doctor` tell that a call takes long, and no version where that takes too long.
    sameness: "files",
    end: async () => rmSync(jail, { recursive: true, force: true }),
  };
}

/** Musl as the C library; Debian has no C++ library for it, so glibc's serves, with what it lacks in `musl-shim.c`. */
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
    if (found === undefined) throw new UnavailableError(`there is no ${name} in Debian's packages`);
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

/** Wine of a Debian release whose Wine is new enough, in a root of its own. */
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
  // The root's own /etc and /usr are not this machine's.
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
  // It misses the programs of 32 bits, and says so by its exit code.
  await runTool([...enter, ...variables(), "/usr/lib/wine/wine64", "wineboot", "-i"]).catch(() => {});
  if (!existsSync(join(prefix, "drive_c/windows/system32/kernel32.dll")))
    throw new UnavailableError("Wine does not start");
  // What has windows, as the installer has, looks for it there.
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
    // A path below an open folder is "not found": no bundle, and short recursive lists of files [Wine 10.0, 2026-11-23].
    canBuild: false,
    home,
    async end() {
      await runTool([...enter, ...variables(), "/usr/lib/wine/wineserver", "-k"]).catch(() => {});
      rmSync(prefix, { recursive: true, force: true });
    },
  };
}

const never = (why: string) => () => Promise.reject(new UnavailableError(why));

/** Prepares what runs a target. Those of `native` need x64. */
export const MACHINES: Readonly<Record<BuildTarget, () => Promise<Machine>>> = {
  "bun-linux-x64": async () => native,
  "bun-linux-x64-baseline": prepareOldProcessor,
  "bun-linux-x64-musl": prepareMusl,
  "bun-linux-arm64": prepareArm64,
  "bun-linux-arm64-musl": never("Debian has no C++ library of musl for arm64"),
  "bun-darwin-x64": never("nothing runs macOS programs here"),
  "bun-darwin-arm64": never("nothing runs macOS programs here"),
  "bun-windows-x64": prepareWine,
  "bun-windows-arm64": never("Debian's Wine runs x64 alone"),
};
