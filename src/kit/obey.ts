import { lstatSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { AnyEvent } from "../core/event.ts";
import type { Host } from "../core/host.ts";
import { merge } from "../core/merge.ts";
import type { IHookResponse } from "../core/response.ts";
import type { Spoken } from "../core/speech.ts";
import { stateDirectory } from "../run/continuations.ts";
import { run } from "./process.ts";
import type { Program } from "./script.ts";

type Contents = Readonly<Record<string, Uint8Array>>;

/** A command, and what it is obeyed by. */
export interface Order {
  host: Host;
  program: Program;
  /** As `./name`; their contents, where the executable holds them, else they lie in the folder. */
  files: readonly string[];
  folder: string;
  contents?: Contents;
  at?: string;
  env?: Readonly<Record<string, string>>;
}

/**
 * Tells a command of an event as its host would, and gives its answer in unified terms. An event that is several calls there is
 * told as several, until one is denied.
 * @throws Error when it can't be run, or when its host would count it as failed.
 */
export async function obey(order: Order, event: AnyEvent, signal: AbortSignal): Promise<IHookResponse> {
  const speech = await order.host.speech();
  const all = speech.payloads(event);
  const at = order.at ?? all[0]?.native_event;
  const told = all.filter(({ native_event }) => native_event === at);
  const shown = shownOf(order.program);
  const argv = told.length > 0 ? argvOf(order) : [];
  const responses: IHookResponse[] = [];
  for (const one of told) {
    const result = await answer(order, argv, one, event, signal).catch((error: Error) => fail(shown, error.message));
    try {
      responses.push(speech.understand(one, result));
    } catch (error) {
      fail(shown, (error as Error).message);
    }
    if (responses.at(-1)?.decision === "deny") break;
  }
  const merged = merge(responses);
  if (merged.modified_input && merged.decision !== "deny" && told.length > 1)
    fail(
      shown,
      `it changed one of the ${told.length} calls that this is to ${order.host.name}, and they can't be put together again; let it deny`,
    );
  return merged;
}

const shownOf = (program: Program) => ("argv" in program ? program.argv.join(" ") : program.line);

function fail(shown: string, problem: string): never {
  throw new Error(`${shown}: ${problem}`);
}

/** Shells and their like say by these that there was nothing to run. */
const NOT_FOUND = 127;
const NOT_EXECUTABLE = 126;

async function answer({ host, env }: Order, argv: readonly string[], told: Spoken, event: AnyEvent, signal: AbortSignal) {
  const speech = await host.speech();
  const root = isFolder(event.cwd) ? event.cwd : process.cwd();
  const variables = { ...process.env, ...speech.variables(root, told.payload), ...env };
  const result = await run({ argv, cwd: root, env: variables, stdin: `${JSON.stringify(told.payload)}\n`, signal }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") throw new Error(`there is no program ${argv[0]}; install it, or put it on PATH`);
      if (error.code === "EACCES") throw new Error(`${argv[0]} is not executable; chmod +x it`);
      throw error;
    },
  );
  const { exit_code, stderr } = result;
  const said = stderr.trim() ? ` (${stderr.trim().slice(0, 500)})` : "";
  if (exit_code === null) throw new Error(`a signal ended it${said}; see why it crashes`);
  if (exit_code === NOT_FOUND) throw new Error(`it, or a program that it needs, was not found${said}; install it, or put it on PATH`);
  if (exit_code === NOT_EXECUTABLE) throw new Error(`it, or a program that it needs, is not executable${said}; chmod +x it`);
  return result;
}

function isFolder(path: string): boolean {
  return path !== "" && (statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false);
}

/** What is run: files of the module's folder by their paths, and a script by the interpreter that it names. */
function argvOf({ program, files, folder, contents }: Order): readonly string[] {
  if ("line" in program) return [process.platform === "win32" ? "sh.exe" : "/bin/sh", "-c", program.line];
  const place = contents ? unpacked(contents) : folder;
  const [first = "", ...rest] = program.argv.map((word) => (files.includes(word) ? join(place, word) : word));
  if (!files.includes(program.argv[0] ?? "")) return [first, ...rest];
  return [...interpreterOf(contents?.[program.argv[0] as string] ?? readScript(first)), first, ...rest];
}

function readScript(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch {
    return fail(basename(file), `there is no file ${file}; name one in the folder of the module, as ./name`);
  }
}

/**
 * The words in front of a script, by its first line; a text without one is for sh, and what is no text is a program itself. They are
 * read here and not by the system, so that a script needs no permission to be run, on any system.
 */
export function interpreterOf(bytes: Uint8Array, platform: NodeJS.Platform = process.platform): string[] {
  const head = bytes.subarray(0, 512);
  const [, line] = /^#!\s*([^\r\n]*)/.exec(new TextDecoder().decode(head)) ?? [];
  if (line === undefined) return head.includes(0) ? [] : [platform === "win32" ? "sh.exe" : "/bin/sh"];
  // All behind the program is one argument, as the kernel has it.
  const [, program = "", argument = ""] = /^(\S+)\s*(.*?)\s*$/.exec(line) ?? [];
  if (platform !== "win32") return [program, argument].filter(Boolean);
  const words = [basename(program), ...argument.split(/\s+/)].filter((word) => word && word !== "env" && word !== "-S");
  return words;
}

/**
 * The folder that the files are in: a private one in the state directory, named by what is in it. Each file is compared before it is
 * run, and written anew where it is another by now: nobody's change of it lasts.
 */
function unpacked(contents: Contents): string {
  const hash = new Bun.CryptoHasher("sha256");
  for (const [name, bytes] of Object.entries(contents)) hash.update(`${name.length} ${bytes.length} ${name}`).update(bytes);
  const folder = join(stateDirectory(process.env), "scripts", hash.digest("hex").slice(0, 32));
  for (const [name, bytes] of Object.entries(contents)) {
    const file = join(folder, name);
    if (isThere(file, bytes)) continue;
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      const draft = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`;
      writeFileSync(draft, bytes, { mode: 0o700, flag: "wx" });
      renameSync(draft, file);
    } catch (error) {
      fail(name, `it can't be put into ${folder} (${(error as Error).message}); make the state directory writable`);
    }
  }
  return folder;
}

/** Whether the file is there, is no link, and has these contents. */
function isThere(file: string, bytes: Uint8Array): boolean {
  try {
    return lstatSync(file).isFile() && readFileSync(file).equals(bytes);
  } catch {
    return false;
  }
}
