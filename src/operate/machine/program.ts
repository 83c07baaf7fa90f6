import { closeSync, constants, existsSync, openSync, readSync, statSync } from "node:fs";
import { arch } from "node:os";
import { dirname } from "node:path";
import type { Finding, MachineContext } from "../../protocol/host/install.ts";
import { createNote, createRedFinding } from "../../hosts/setup/findings.ts";
import { isInsideFolder, resolveSymbolicLinks } from "../../hosts/follow-links.ts";
import { readOutput } from "../../hosts/run-program.ts";
import { findProjectRoot } from "../../system/project.ts";
import { findRepositoryRoot } from "../../system/working-tree.ts";
import { mayAccess } from "./files.ts";

interface BinaryPlatform {
  os: "linux" | "darwin" | "win32";
  arch: string;
}

const ELF_ARCHITECTURES: Readonly<Record<number, string>> = { 0x3e: "x64", 0xb7: "arm64", 0x03: "ia32", 0x28: "arm" };
const MACH_ARCHITECTURES: Readonly<Record<number, string>> = { 0x01000007: "x64", 0x0100000c: "arm64" };
const PE_ARCHITECTURES: Readonly<Record<number, string>> = { 0x8664: "x64", 0xaa64: "arm64", 0x14c: "ia32" };

/** Reads an executable's platform. Returns undefined for scripts and unknown formats. */
function readBinaryPlatform(path: string): BinaryPlatform | undefined {
  const head = Buffer.alloc(4096);
  const file = openSync(path, "r");
  try {
    readSync(file, head, 0, head.length, 0);
  } finally {
    closeSync(file);
  }
  if (head.readUInt32BE(0) === 0x7f454c46)
    return { os: "linux", arch: ELF_ARCHITECTURES[head.readUInt16LE(18)] ?? "unknown" };
  if (head.readUInt32LE(0) === 0xfeedfacf)
    return { os: "darwin", arch: MACH_ARCHITECTURES[head.readUInt32LE(4)] ?? "unknown" };
  if (head.toString("latin1", 0, 2) !== "MZ") return undefined;
  const at = head.readUInt32LE(0x3c);
  return at + 6 <= head.length
    ? { os: "win32", arch: PE_ARCHITECTURES[head.readUInt16LE(at + 4)] ?? "unknown" }
    : undefined;
}

/** Returns whether an executable runs on this machine. On arm64, macOS and Windows also run x64 programs. */
const canRunBinary = (image: BinaryPlatform, { platform }: MachineContext) =>
  image.os === platform &&
  (image.arch === arch() || (image.arch === "x64" && arch() === "arm64" && platform !== "linux"));

/**
 * Returns the command that removes a file's quarantine marker. Because of this marker, the system may refuse to start
 * the file or ask the user first.
 */
function findUnquarantineCommand(path: string, { platform, env }: MachineContext): string | undefined {
  if (platform === "darwin") {
    const argv = ["/usr/bin/xattr", "-p", "com.apple.quarantine", path];
    return readOutput({ argv, env }).exit_code === 0 ? `xattr -d com.apple.quarantine "${path}"` : undefined;
  }
  // Windows stores the marker in an alternate data stream.
  if (platform === "win32" && existsSync(`${path}:Zone.Identifier`)) return `Unblock-File "${path}"`;
  return undefined;
}

const NOT_STARTED_IMPACT = "the host can't start the executable, so calls are allowed unless the entry fails closed";

/**
 * Returns whether every user may replace a file, or the files in a directory. A directory with a sticky bit doesn't
 * count: users can replace only their own files there.
 */
function isWritableByAll(path: string): boolean {
  const { mode } = statSync(path);
  return (mode & 0o002) !== 0 && (mode & 0o1000) === 0;
}

/** Finds reasons why an entry's executable can't start, or why anyone could replace it. */
export function checkProgram(
  program: string,
  file: string | undefined,
  machine: MachineContext,
  reinstall: string,
): Finding[] {
  if (file === undefined || !statSync(file).isFile())
    return [
      createRedFinding(
        "stale-path",
        `no executable at ${program}`,
        NOT_STARTED_IMPACT,
        `restore the executable, or run: ${reinstall}`,
      ),
    ];
  // Root can start a file if any execute bit is set. Without one, not even root can.
  if (machine.platform !== "win32" && ((statSync(file).mode & 0o111) === 0 || !mayAccess(file, constants.X_OK))) {
    return [createRedFinding("not-executable", `${file} is not executable`, NOT_STARTED_IMPACT, `chmod 755 "${file}"`)];
  }
  const image = readBinaryPlatform(file);
  if (image && !canRunBinary(image, machine)) {
    const thisPlatform = `${machine.platform} ${arch()}`;
    return [
      createRedFinding(
        "wrong-architecture",
        `${file} is built for ${image.os} ${image.arch}, but this machine is ${thisPlatform}`,
        NOT_STARTED_IMPACT,
        `replace it with the executable for ${thisPlatform}`,
      ),
    ];
  }
  const writablePath = [file, dirname(file)].find((path) => machine.platform !== "win32" && isWritableByAll(path));
  if (writablePath)
    return [
      createRedFinding(
        "program-writable",
        `anyone can write to ${writablePath}`,
        "anyone who replaces the file decides which calls are allowed",
        `chmod o-w "${writablePath}"`,
      ),
    ];
  const release = findUnquarantineCommand(file, machine);
  return release
    ? [
        createRedFinding(
          "quarantined",
          `${file} is quarantined as a download`,
          "the system may refuse to start the executable",
          release,
        ),
      ]
    : [];
}

/** Finds the project that contains a file: an examined project or any other repository, but never a home directory. */
function findSurroundingProject(file: string, { roots, home }: MachineContext): string | undefined {
  const root = roots.find((one) => isInsideFolder(resolveSymbolicLinks(one), file));
  if (root !== undefined) return root;
  const repositoryRoot = findRepositoryRoot(dirname(file));
  return repositoryRoot === undefined || findProjectRoot(repositoryRoot, resolveSymbolicLinks(home)) === undefined
    ? undefined
    : repositoryRoot;
}

/** Reports an executable inside a project, where the guarded agent could replace it. */
export function checkProgramLocation(file: string | undefined, machine: MachineContext): Finding[] {
  const project = file !== undefined && findSurroundingProject(file, machine);
  if (!file || !project || ![file, dirname(file)].some((path) => mayAccess(path, constants.W_OK))) return [];
  const destination = machine.platform === "win32" ? "C:\\Program Files\\bridge-hooks" : "~/.local/bin";
  return [
    createNote(
      "program-in-project",
      `${file} is inside the project ${project}`,
      "an agent that works in the project could replace the executable and disable the policy",
      `move the executable out of the project, for example to ${destination}, and install it from there`,
    ),
  ];
}
