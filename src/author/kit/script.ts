import { statSync } from "../../system/files.ts";
import { dirname, join } from "../../system/paths.ts";
import { splitCommand } from "../../protocol/host/quote.ts";
import type { AnyEvent } from "../../protocol/event.ts";
import { type Hook, type HookContext, type HookMeta, listAuthoredFields } from "../../protocol/hook.ts";
import { type Host, getCapabilityRow } from "../../protocol/host/host.ts";
import { suggestName } from "../../protocol/name-suggestions.ts";
import { hosts } from "../../hosts/index.ts";
import { findProgram } from "../../hosts/find-program.ts";

/** Metadata for `fromCommand`: the fields of a hook, and the fields below. */
export interface CommandMeta extends Omit<HookMeta, "event" | "pure"> {
  /**
   * The host that the command was written for, as in `--host`. The command receives that host's payload, and its answer
   * is interpreted by that host's rules.
   */
  host: string;
  /** Events that run the hook. Defaults to "PreToolUse". */
  event?: HookMeta["event"];
  /**
   * The native event to simulate, if that host reports a call through several events. Defaults to the event that
   * `install` uses.
   */
  at?: string;
  /** Additional files that the command needs, as `./name` relative to the module's directory. */
  files?: readonly string[];
  /** Environment variables in addition to the host's own. */
  env?: Readonly<Record<string, string>>;
}

/** Contents of embedded files, keyed by `./name`. */
export type ScriptContents = Readonly<Record<string, Uint8Array>>;

/** A parsed command, with the host whose protocol it uses. */
export interface HostCommand extends Pick<CommandMeta, "at" | "env"> {
  host: Host;
  /** A program with its arguments, or a shell command line. */
  program: { argv: readonly string[] } | { line: string };
  /**
   * Files in the module's directory, as `./name`. In an executable, their contents are embedded; otherwise, they are in
   * `folder`.
   */
  files: readonly string[];
  folder?: string;
  contents?: ScriptContents;
}

/**
 * Creates a hook that runs on every host from a command that was written for one host. Exit code, stdout and stderr
 * have the same meaning as on the original host. If that host would treat the command as failed (another exit code,
 * invalid JSON, a crash), the hook fails and `onError` decides.
 * @param command A command line, or a program with its arguments. Words that begin with "./" are files in the module's
 * directory and are embedded in the executable.
 * @throws Error if the host is unknown, or if the command line does more with an embedded file than run it.
 */
export function fromCommand(command: string | readonly string[], meta: CommandMeta): Hook {
  const { host: hostId, at, env, files: more = [], event = "PreToolUse", ...rest } = meta;
  const unknownField = Object.keys(meta).find((field) => !META_FIELDS.includes(field));
  if (unknownField !== undefined)
    throw new Error(
      `fromCommand: unknown field "${unknownField}"${suggestName(unknownField, META_FIELDS) || `; known: ${META_FIELDS.join(", ")}`}`,
    );
  const host = hosts.find(({ id }) => id === hostId);
  if (!host) {
    const problem =
      hostId === undefined
        ? `"host" is missing; set the host that the command was written for`
        : `unknown host "${hostId}"`;
    throw new Error(`fromCommand: ${problem}; known: ${hosts.map(({ id }) => id).join(", ")}`);
  }
  const hasHostEvent =
    at === undefined ||
    (Object.hasOwn(host.capabilities, at) && [event].flat().includes(getCapabilityRow(host, at).event));
  if (!hasHostEvent)
    throw new Error(
      `fromCommand: ${host.name} doesn't send ${[event].flat().join(" or ")} as "${at}"; remove "at" or set another event`,
    );
  const folder = findCallerFolder();
  const program = parseProgram(command, folder);
  const files = [...new Set([...("argv" in program ? program.argv.filter(isModulePath) : []), ...more])];
  const outsideFile = files.find((file) => !isModulePath(file) || file.split("/").includes(".."));
  if (outsideFile)
    throw new Error(`fromCommand: ${outsideFile} is outside the module's directory; move it there and use ./name`);
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

/** Valid fields of `CommandMeta`. `pure` isn't among them, because a command's side effects are unknown. */
const META_FIELDS: readonly string[] = [
  "host",
  "at",
  "files",
  "env",
  ...listAuthoredFields().filter((field) => field !== "pure"),
];

const isModulePath = (word: string) => word.startsWith("./");

/**
 * Parses a command. Module files are only recognized as separate words, so a command line that uses one must be a plain
 * program with arguments.
 */
function parseProgram(command: string | readonly string[], folder: string | undefined): HostCommand["program"] {
  const argv = typeof command === "string" ? splitCommand(command, "sh") : command;
  if (argv && !argv[0])
    throw new Error("fromCommand: no command; pass a command line, or a program with its arguments");
  // Reject a path relative to the project, because it could be a different file in each project.
  if (/^[^/~]+\//.test(argv?.[0] ?? "") && !isModulePath(argv?.[0] ?? ""))
    throw new Error(
      `fromCommand: ${argv?.[0]} could be a different file in each project; use ./name for a file in the module's directory, or a full path`,
    );
  if (argv?.[0] && isModuleFile(argv[0], folder))
    throw new Error(
      `fromCommand: program "${argv[0]}" not found on PATH; did you mean "./${argv[0]}", the file in the module's directory?`,
    );
  if (typeof command !== "string") return { argv: command };
  if (argv?.some(isModulePath)) return { argv };
  if (/(^|[\s;|&()'"=])\.\.?\//.test(command))
    throw new Error(
      `fromCommand: "${command}" is not a single program with arguments; move it to a script in the module's directory and use ./name`,
    );
  return { line: command };
}

/** Whether a bare name is a file in the module's directory and not a program on PATH. */
const isModuleFile = (name: string, folder: string | undefined): boolean =>
  folder !== undefined &&
  /^[^/\\~]+$/.test(name) &&
  statSync(join(folder, name), { throwIfNoEntry: false })?.isFile() === true &&
  findProgram(name) === undefined;

/** Matches paths of embedded files. */
const EMBEDDED_PATH = /[\\/](\$bunfs|~BUN)[\\/]/;

/** Returns the calling module's directory. Returns undefined in an executable. */
function findCallerFolder(): string | undefined {
  const { prepareStackTrace } = Error;
  try {
    Error.prepareStackTrace = (_, callSites) => callSites.map((callSite) => callSite.getFileName());
    const names = new Error().stack as unknown as (string | null)[];
    const file = names
      .find((name) => name && name !== import.meta.path && !EMBEDDED_PATH.test(name))
      ?.replace(/^file:\/\//, "");
    return file && dirname(file);
  } finally {
    Error.prepareStackTrace = prepareStackTrace;
  }
}
