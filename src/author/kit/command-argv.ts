import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync } from "../../system/files.ts";
import { basename, dirname, join } from "../../system/paths.ts";
import { getStateDirectory } from "../../call/state/state-directory.ts";
import { DRAFT_NAME, replaceFile } from "../../system/replace-file.ts";
import type { ScriptContents, HostCommand } from "./script.ts";

const SHELL = process.platform === "win32" ? "sh.exe" : "/bin/sh";

/**
 * Builds the argument list that starts the command. Module files become absolute paths, and the interpreter from a
 * script's first line precedes the script.
 * @throws Error if a file is missing or can't be unpacked.
 */
export function buildArgv({ program, files, folder, contents }: HostCommand): readonly string[] {
  if ("line" in program) return [SHELL, "-c", program.line];
  const programFolder = contents ? unpackFiles(contents) : folder;
  if (files.length > 0 && !programFolder)
    throw new Error(`missing from this executable: ${files.join(", ")}; rebuild the executable`);
  const argv = program.argv.map((word) => (files.includes(word) ? join(programFolder as string, word) : word));
  const [script = ""] = program.argv;
  return files.includes(script)
    ? [...parseInterpreter(contents?.[script] ?? readScript(argv[0] as string)), ...argv]
    : argv;
}

function readScript(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch {
    throw new Error(`no such file: ${file}; restore it or rebuild the executable`);
  }
}

/**
 * Parses the interpreter from a script's `#!` line. Text without that line runs in sh, and a binary runs directly.
 * Because the line is parsed here, scripts don't need execute permission, and they also run on systems that ignore
 * `#!`.
 */
export function parseInterpreter(script: Uint8Array, platform: NodeJS.Platform = process.platform): string[] {
  const beginning = script.subarray(0, 512);
  const [, line] = /^#!\s*([^\r\n]+)/.exec(new TextDecoder().decode(beginning)) ?? [];
  if (line === undefined) return beginning.includes(0) ? [] : [SHELL];
  // Everything after the program in the `#!` line is a single argument, as on Unix.
  const [program = ""] = line.split(/\s/, 1);
  const argument = line.slice(program.length).trim();
  if (platform !== "win32") return [program, argument].filter(Boolean);
  return [basename(program), ...argument.split(/\s+/)].filter((word) => word !== "" && word !== "env" && word !== "-S");
}

/**
 * Unpacks embedded files into a private directory inside the state directory, named after a hash of their contents. To
 * undo tampering, each run compares every file, rewrites changed ones and removes unknown ones.
 */
function unpackFiles(contents: ScriptContents): string {
  const hash = new Bun.CryptoHasher("sha256");
  for (const [name, bytes] of Object.entries(contents))
    hash.update(`${name.length} ${bytes.length} ${name}`).update(bytes);
  const folder = join(getStateDirectory(process.env), "scripts", hash.digest("hex").slice(0, 32));
  const names = Object.keys(contents);
  try {
    removeForeignFiles(folder, names);
    for (const name of names) writeIfChanged(join(folder, name), contents[name] as Uint8Array);
  } catch (error) {
    throw new Error(
      `${names.join(", ")} can't be unpacked to ${folder} (${(error as Error).message}); make the state directory writable`,
    );
  }
  return folder;
}

/** Writes a file atomically, unless the file already has this content. */
function writeIfChanged(file: string, bytes: Uint8Array): void {
  if (hasContent(file, bytes)) return;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  replaceFile(file, bytes, { mode: 0o700 });
}

/** Removes unknown files from a directory, because an interpreter could load them. Doesn't follow links. */
function removeForeignFiles(folder: string, names: readonly string[]): void {
  if (!isFolder(folder)) return rmSync(folder, { force: true });
  const pathsByName = Map.groupBy(
    names.map((name) => name.replace(/^\.\//, "")),
    (name) => name.split("/", 1)[0] as string,
  );
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const nestedPaths = pathsByName.get(name)?.filter((file) => file !== name) ?? [];
    if (nestedPaths.length > 0)
      removeForeignFiles(
        path,
        nestedPaths.map((nestedPath) => nestedPath.slice(name.length + 1)),
      );
    // Keep temporary files, because another process might be about to rename them.
    else if (!pathsByName.has(name) && !DRAFT_NAME.test(name)) rmSync(path, { recursive: true, force: true });
  }
}

const isFolder = (path: string) => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** Whether the path is a regular file (not a link) with this content. */
function hasContent(file: string, bytes: Uint8Array): boolean {
  try {
    return lstatSync(file).isFile() && readFileSync(file).equals(bytes);
  } catch {
    return false;
  }
}
