import { basename, dirname } from "node:path";
import {
  type Capabilities,
  type CapabilityCell,
  getCells,
  CAPABILITY_FIELDS,
  pickCell,
  type CapabilityRow,
} from "../protocol/capability.ts";
import type { Env, Payload } from "../protocol/host/host.ts";
import type { ConfigEntry, ConfigFile, Finding, LoadedConfigFile, MachineContext } from "../protocol/host/install.ts";
import { systemProgram } from "./find-program.ts";
import { isObject } from "../protocol/object.ts";

/** The object itself, or an empty one: for what stands deep in a document that may be anything. */
export const toObject = (value: unknown): Payload => (isObject(value) ? value : {});

type FindingArguments = [check: string, what: string, impact: string, fix: string];
export const createRedFinding = (...[check, what, impact, fix]: FindingArguments): Finding => ({
  check,
  level: "red",
  what,
  impact,
  fix,
});
export const createNote = (...[check, what, impact, fix]: FindingArguments): Finding => ({
  check,
  level: "note",
  what,
  impact,
  fix,
});

/** Variables by which the system loads foreign code into every program. */
export const CODE_LOADING_VARIABLES = /^(LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES)$/;

/** Variables that name folders with libraries, for every program: code as well, where somebody else chose the folder. */
export const LIBRARY_PATH_VARIABLES = /^(LD_LIBRARY_PATH|DYLD_(?!INSERT_)\w+)$/;

/**
 * Variables with which the system's loader or its C library ends a program before its first instruction (LD_TRACE_LOADED_OBJECTS
 * and LD_DEBUG=help with exit code 0, GLIBC_TUNABLES and MALLOC_TOP_PAD_ for want of memory), or prints [seen glibc 2.36, 2026-11-22].
 */
export const PROGRAM_ENDING_VARIABLES = /^(LD_(TRACE_LOADED_OBJECTS|DEBUG|SHOW_AUXV)|GLIBC_TUNABLES|MALLOC_[A-Z_]+_)$/;

/** Switches of the runtime; this executable does not obey them. */
export const RUNTIME_VARIABLES =
  /^((BUN|NODE|JSC|WTF|MIMALLOC)_\w+|SIMDUTF_FORCE_IMPLEMENTATION|JavaScriptCoreUseJIT)$/i;

/**
 * A recorded payload about something else: a shell command, a file, a prompt, an argument of an MCP tool. Without a subject
 * it is about a command that does nothing.
 */
function replaceSubject(recorded: Payload, subject: string | undefined): Payload {
  const { tool_input } = recorded;
  const replaceField = (fields: Payload): Payload => {
    if (typeof fields.command === "string") return { ...fields, command: subject ?? "true" };
    const key = ["file_path", "prompt"].find((name) => typeof fields[name] === "string");
    return key && subject !== undefined ? { ...fields, [key]: subject } : fields;
  };
  const replaceToolInput = () => {
    if (typeof tool_input !== "string") return replaceField(toObject(tool_input));
    // An MCP call's arguments, as JSON in a string.
    const given = toObject(JSON.parse(tool_input));
    const name = Object.keys(given).find((key) => typeof given[key] === "string");
    return JSON.stringify(name && subject !== undefined ? { ...given, [name]: subject } : given);
  };
  // An MCP call names the command of its server as well: what it is about are its arguments.
  return tool_input === undefined ? replaceField(recorded) : { ...recorded, tool_input: replaceToolInput() };
}

type Recordings = Readonly<Record<string, Payload>>;

/** The payload that was recorded for an event. */
export const getRecordedPayload = (samples: Recordings, native_event: string): Payload | undefined =>
  Object.hasOwn(samples, native_event) ? samples[native_event] : undefined;

/** The payload that was recorded for an event, about the subject. */
export function getPayloadAbout(samples: Recordings, native_event: string, subject?: string): Payload | undefined {
  const recorded = getRecordedPayload(samples, native_event);
  return recorded && replaceSubject(recorded, subject);
}

/** The row of a native event, with the shapes of that host. */
export const findCapabilityRow = <S extends string>(
  capabilities: Capabilities<S>,
  unknown: () => CapabilityRow<S>,
  native_event: string,
): CapabilityRow<S> =>
  ((Object.hasOwn(capabilities, native_event) ? capabilities[native_event] : undefined) ?? unknown)();

/** The environment with a host's own variables, as a process gets it. */
export const completeEnv = (env: Env, more: Env = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ ...env, ...more }).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );

/** The project that a call is made in: the file's own, for a project's file. */
export const findCallRoot = ({ path }: Pick<ConfigFile, "path">, { roots, home }: MachineContext): string =>
  roots.find((root) => path.startsWith(`${root}/`) || path.startsWith(`${root}\\`)) ?? roots[0] ?? home;

/** The folder of a config file; for `<root>/.host/file` of a project the root. */
export const getConfigFolder = ({ path, scope }: ConfigFile): string => {
  const folder = dirname(path);
  return (scope === "project" || scope === "local") && basename(folder).startsWith(".") ? dirname(folder) : folder;
};

/** PowerShell, as hosts on Windows start it [unverified]. */
export const buildPowerShellArgv = (command: string): string[] => [
  systemProgram("WindowsPowerShell\\v1.0\\powershell"),
  "-NoProfile",
  "-NonInteractive",
  "-Command",
  command,
];

/** The entries of files, each with its file. */
export const listOurEntries = (files: readonly LoadedConfigFile[]): { file: LoadedConfigFile; entry: ConfigEntry }[] =>
  files.flatMap((file) => file.ours.map((entry) => ({ file, entry })));

/** The files that hold entries of ours, for a message. */
export const formatPaths = (files: readonly { path: string }[]): string =>
  [...new Set(files.map(({ path }) => path))].join(", ");

/** Cells of the table that hold for this release, but not for others. */
export function reportReleaseSpecificCells(capabilities: Capabilities, version: string | undefined): Finding[] {
  if (!version) return [];
  const found = new Map<string, { cell: CapabilityCell; events: string[] }>();
  for (const [native_event, make] of Object.entries(capabilities)) {
    const row = make();
    for (const field of CAPABILITY_FIELDS) {
      const cell: CapabilityCell = pickCell(getCells(row, field), version);
      if (!cell.versions) continue;
      const key = `"${field}" is ${cell.support} (${cell.versions}): ${cell.how}`;
      found.set(key, { cell, events: [...(found.get(key)?.events ?? []), native_event] });
    }
  }
  return [...found].map(([key, { cell, events }]) =>
    createNote(
      "old-row",
      `release ${version}, ${events.join(", ")}: ${key}`,
      `this holds for releases ${cell.versions} alone; others behave otherwise`,
      "nothing, if you can live with it; else another release of the host",
    ),
  );
}
