import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import { splitCommand } from "../../protocol/host/quote.ts";
import type { AnyEvent } from "../../protocol/event.ts";
import { type Hook, type HookContext, type HookMeta, listAuthoredFields } from "../../protocol/hook.ts";
import { type Host, getCapabilityRow } from "../../protocol/host/host.ts";
import { suggestName } from "../../protocol/name-suggestions.ts";
import { hosts } from "../../hosts/index.ts";
import { findProgram } from "../../hosts/find-program.ts";

/** What is said of a command beside the command itself: all that a hook may say, and this. */
export interface CommandMeta extends Omit<HookMeta, "event"> {
  /** The host that it was written for, as in `--host`: it is told what that one would tell, and its answer means what it means there. */
  host: string;
  /** Default: "PreToolUse". */
  event?: HookMeta["event"];
  /** The host's own event that it was written for, where that host tells a call at several. Default: the one that `install` uses. */
  at?: string;
  /** Further files that it needs, as `./name` from the module's folder. */
  files?: readonly string[];
  /** Variables that it finds, beside those that the host sets. */
  env?: Readonly<Record<string, string>>;
}

/** Files by their names, as `./name`. */
export type ScriptContents = Readonly<Record<string, Uint8Array>>;

/** A command, and what it is run and understood by. */
export interface HostCommand extends Pick<CommandMeta, "at" | "env"> {
  host: Host;
  /** A program and its arguments, or a line for the shell. */
  program: { argv: readonly string[] } | { line: string };
  /** As `./name`; their contents, where the executable holds them, else they lie in the folder. */
  files: readonly string[];
  folder?: string;
  contents?: ScriptContents;
}

/**
 * A hook that is a command, written for one host and obeyed by all. Its exit code, stdout and stderr mean what they mean there;
 * where that host would count it as failed (another exit code, no JSON, a crash), the hook has failed, and `onError` decides.
 * @param command a command line, or a program with its arguments; words that begin with "./" are files in the folder of the module,
 * which an executable holds.
 * @throws Error when there is no such host, or when the line does more with such a file than to run it.
 */
export function fromCommand(command: string | readonly string[], meta: CommandMeta): Hook {
  const { host: hostId, at, env, files: more = [], event = "PreToolUse", ...rest } = meta;
  const unknown = Object.keys(meta).find((field) => !META_FIELDS.includes(field));
  if (unknown !== undefined)
    throw new Error(
      `fromCommand: there is no field "${unknown}"${suggestName(unknown, META_FIELDS) || `; known: ${META_FIELDS.join(", ")}`}`,
    );
  const host = hosts.find(({ id }) => id === hostId);
  if (!host) {
    const wrong =
      hostId === undefined
        ? `"host" is missing: name the host that the command was written for`
        : `there is no host "${hostId}"`;
    throw new Error(`fromCommand: ${wrong}; known: ${hosts.map(({ id }) => id).join(", ")}`);
  }
  const hasHostEvent =
    at === undefined ||
    (Object.hasOwn(host.capabilities, at) && [event].flat().includes(getCapabilityRow(host, at).event));
  if (!hasHostEvent)
    throw new Error(
      `fromCommand: ${host.name} tells of no ${[event].flat().join(" or ")} at "${at}"; leave "at" out, or name another`,
    );
  const folder = findCallerFolder();
  const program = parseProgram(command, folder);
  const files = [...new Set([...("argv" in program ? program.argv.filter(isModulePath) : []), ...more])];
  const outside = files.find((file) => !isModulePath(file) || file.split("/").includes(".."));
  if (outside)
    throw new Error(`fromCommand: ${outside} is not in the module's folder; keep it there, and write ./name`);
  const hook = (contents?: ScriptContents): Hook => ({
    ...rest,
    event,
    ...(files.length > 0 && { files, carrying: hook }),
    handler: async (event: AnyEvent, { signal }: HookContext) =>
      (await import("./run-host-command.ts")).runHostCommand(
        { host, program, files, folder, contents, at, env },
        event,
        signal,
      ),
  });
  return hook();
}

/** What a command may say of itself. */
const META_FIELDS: readonly string[] = ["host", "at", "files", "env", ...listAuthoredFields()];

const isModulePath = (word: string) => word.startsWith("./");

/** Files of the module's folder are found by their words, so a line that names one has to be a program and its arguments. */
function parseProgram(command: string | readonly string[], folder: string | undefined): HostCommand["program"] {
  const argv = typeof command === "string" ? splitCommand(command, "sh") : command;
  if (argv && !argv[0])
    throw new Error("fromCommand: there is no command; give a line, or a program and its arguments");
  // It would be the project's, which could be anything.
  if (/^[^/~]+\//.test(argv?.[0] ?? "") && !isModulePath(argv?.[0] ?? ""))
    throw new Error(
      `fromCommand: ${argv?.[0]} could be another file in each project; write ./name for one beside the module, or its full path`,
    );
  if (argv?.[0] && isModuleFile(argv[0], folder))
    throw new Error(
      `fromCommand: there is no program ${argv[0]} on PATH; did you mean "./${argv[0]}", the file beside the module?`,
    );
  if (typeof command !== "string") return { argv: command };
  if (argv?.some(isModulePath)) return { argv };
  if (/(^|[\s;|&()'"=])\.\.?\//.test(command))
    throw new Error(
      `fromCommand: "${command}" is more than a program and its arguments; put it into a script beside the module, and name that as ./name`,
    );
  return { line: command };
}

/** Whether a bare name is that of a file in the module's folder, and of no program. */
const isModuleFile = (name: string, folder: string | undefined): boolean =>
  folder !== undefined &&
  /^[^/\\~]+$/.test(name) &&
  statSync(join(folder, name), { throwIfNoEntry: false })?.isFile() === true &&
  findProgram(name) === undefined;

/** What an executable calls the files inside of it. */
const EMBEDDED_PATH = /[\\/](\$bunfs|~BUN)[\\/]/;

/** The folder of the module that calls; nothing where that is inside an executable. */
function findCallerFolder(): string | undefined {
  const { prepareStackTrace } = Error;
  try {
    Error.prepareStackTrace = (_, sites) => sites.map((site) => site.getFileName());
    const names = new Error().stack as unknown as (string | null)[];
    const file = names
      .find((name) => name && name !== import.meta.path && !EMBEDDED_PATH.test(name))
      ?.replace(/^file:\/\//, "");
    return file && dirname(file);
  } finally {
    Error.prepareStackTrace = prepareStackTrace;
  }
}
