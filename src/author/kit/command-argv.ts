import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { stateDirectory } from "../../run/state-directory.ts";
import { DRAFT, replaceFile } from "../../run/replace-file.ts";
import type { ScriptContents, HostCommand } from "./script.ts";

const SHELL = process.platform === "win32" ? "sh.exe" : "/bin/sh";

/**
 * What is run: files of the module's folder by their paths, and a script by the interpreter that it names.
 * @throws Error when such a file is not there, or can't be unpacked.
 */
export function buildArgv({ program, files, folder, contents }: HostCommand): readonly string[] {
  if ("line" in program) return [SHELL, "-c", program.line];
  const place = contents ? unpackFiles(contents) : folder;
  if (files.length > 0 && !place) throw new Error(`${files.join(", ")} is not in this executable; build it anew`);
  const argv = program.argv.map((word) => (files.includes(word) ? join(place as string, word) : word));
  const [script = ""] = program.argv;
  return files.includes(script)
    ? [...parseInterpreter(contents?.[script] ?? readScript(argv[0] as string)), ...argv]
    : argv;
}

function readScript(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch {
    throw new Error(`there is no file ${file}; put it there, or build the executable anew`);
  }
}

/**
 * The words in front of a script, by its first line; a text without one is for sh, and what is no text is a program itself. They are
 * read here and not by the system, so that a script needs no permission to be run, and runs where the system knows no such line.
 */
export function parseInterpreter(script: Uint8Array, platform: NodeJS.Platform = process.platform): string[] {
  const head = script.subarray(0, 512);
  const [, line] = /^#!\s*([^\r\n]+)/.exec(new TextDecoder().decode(head)) ?? [];
  if (line === undefined) return head.includes(0) ? [] : [SHELL];
  // All that stands behind the program is one argument, as for the system.
  const [program = ""] = line.split(/\s/, 1);
  const argument = line.slice(program.length).trim();
  if (platform !== "win32") return [program, argument].filter(Boolean);
  return [basename(program), ...argument.split(/\s+/)].filter((word) => word !== "" && word !== "env" && word !== "-S");
}

/**
 * The folder that an executable's files are in while they run: a private one in the state directory, named by what is in them. Each is
 * compared every time, and written anew where it is another by now, and what lies beside them goes: nobody's change of it lasts.
 */
function unpackFiles(contents: ScriptContents): string {
  const hash = new Bun.CryptoHasher("sha256");
  for (const [name, bytes] of Object.entries(contents))
    hash.update(`${name.length} ${bytes.length} ${name}`).update(bytes);
  const folder = join(stateDirectory(process.env), "scripts", hash.digest("hex").slice(0, 32));
  const names = Object.keys(contents);
  try {
    removeForeignFiles(folder, names);
    for (const name of names) writeIfChanged(join(folder, name), contents[name] as Uint8Array);
  } catch (error) {
    throw new Error(
      `${names.join(", ")} can't be put into ${folder} (${(error as Error).message}); make the state directory writable`,
    );
  }
  return folder;
}

/** Writes a file in one go, where it is not there already. */
function writeIfChanged(file: string, bytes: Uint8Array): void {
  if (hasContent(file, bytes)) return;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  replaceFile(file, bytes, { mode: 0o700 });
}

/** Takes away what lies in a folder and is none of these files: an interpreter could load it. No link is followed. */
function removeForeignFiles(folder: string, names: readonly string[]): void {
  if (!isFolder(folder)) return rmSync(folder, { force: true });
  const inside = Map.groupBy(
    names.map((name) => name.replace(/^\.\//, "")),
    (name) => name.split("/", 1)[0] as string,
  );
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const below = inside.get(name)?.filter((one) => one !== name) ?? [];
    if (below.length > 0)
      removeForeignFiles(
        path,
        below.map((one) => one.slice(name.length + 1)),
      );
    // A draft is what another process is about to put in place.
    else if (!inside.has(name) && !DRAFT.test(name)) rmSync(path, { recursive: true, force: true });
  }
}

const isFolder = (path: string) => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** Whether the file is there, is no link, and has this in it. */
function hasContent(file: string, bytes: Uint8Array): boolean {
  try {
    return lstatSync(file).isFile() && readFileSync(file).equals(bytes);
  } catch {
    return false;
  }
}
