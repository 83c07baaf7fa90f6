import { basename, dirname } from "node:path";
import {
  type Capabilities,
  CAPABILITY_FIELDS,
  type CapabilityCell,
  type CapabilityRow,
  describeCell,
  getCells,
  pickCell,
} from "../../protocol/capability.ts";
import type { Env, Payload } from "../../protocol/host/host.ts";
import type {
  ConfigEntry,
  ConfigFile,
  Finding,
  LoadedConfigFile,
  MachineContext,
} from "../../protocol/host/install.ts";
import { toObject } from "../../protocol/object.ts";
import { systemProgram } from "../find-program.ts";

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

/** Variables that make the system load foreign code into every program. */
export const CODE_LOADING_VARIABLES = /^(LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES)$/;

/** Variables with library directories for every program. They load code too, if somebody else chose the directory. */
export const LIBRARY_PATH_VARIABLES = /^(LD_LIBRARY_PATH|DYLD_(?!INSERT_)\w+)$/;

/**
 * Variables with which the system's loader or its C library ends a program before its first instruction
 * (LD_TRACE_LOADED_OBJECTS and LD_DEBUG=help with exit code 0, GLIBC_TUNABLES and MALLOC_TOP_PAD for lack of memory),
 * or prints [seen glibc 2.36, 2026-11-22].
 */
export const PROGRAM_ENDING_VARIABLES = /^(LD_(TRACE_LOADED_OBJECTS|DEBUG|SHOW_AUXV)|GLIBC_TUNABLES|MALLOC_[A-Z_]+_)$/;

/** Switches of the JavaScript runtime; this executable ignores them. */
export const RUNTIME_VARIABLES =
  /^((BUN|NODE|JSC|WTF|MIMALLOC)_\w+|SIMDUTF_FORCE_IMPLEMENTATION|JavaScriptCoreUseJIT)$/i;

/** The fields in which hosts send a call's input. */
const INPUT_FIELDS = ["tool_input", "toolArgs", "toolInput"];

/**
 * Replaces the subject of a recorded payload: a shell command, a file, a prompt, or an argument of an MCP tool. The
 * default subject is a command that does nothing.
 */
function replaceSubject(recorded: Payload, subject: string | undefined): Payload {
  const replaceField = (fields: Payload): Payload => {
    if (typeof fields.command === "string") return { ...fields, command: subject ?? "true" };
    const key = ["file_path", "prompt"].find((name) => typeof fields[name] === "string");
    return key && subject !== undefined ? { ...fields, [key]: subject } : fields;
  };
  const replaceToolInput = (input: unknown) => {
    if (typeof input !== "string") return replaceField(toObject(input));
    // An MCP call's arguments, as a JSON string.
    const given = toObject(JSON.parse(input));
    const name = Object.keys(given).find((key) => typeof given[key] === "string");
    return JSON.stringify(name && subject !== undefined ? { ...given, [name]: subject } : given);
  };
  const field = INPUT_FIELDS.find((name) => recorded[name] !== undefined);
  // An MCP call also names its server's command; its subject is in the arguments.
  return field ? { ...recorded, [field]: replaceToolInput(recorded[field]) } : replaceField(recorded);
}

type Recordings = Readonly<Record<string, Payload>>;

export const getRecordedPayload = (samples: Recordings, native_event: string): Payload | undefined =>
  Object.hasOwn(samples, native_event) ? samples[native_event] : undefined;

/** Returns the payload recorded for an event, with its subject replaced. */
export function getPayloadAbout(samples: Recordings, native_event: string, subject?: string): Payload | undefined {
  const recorded = getRecordedPayload(samples, native_event);
  return recorded && replaceSubject(recorded, subject);
}

/** Returns the row of a native event, typed with the host's own shapes. */
export const findCapabilityRow = <S extends string>(
  capabilities: Capabilities<S>,
  unknown: () => CapabilityRow<S>,
  native_event: string,
): CapabilityRow<S> =>
  ((Object.hasOwn(capabilities, native_event) ? capabilities[native_event] : undefined) ?? unknown)();

/** The environment of a process, with a host's own variables added. */
export const completeEnv = (env: Env, more: Env = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ ...env, ...more }).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );

/** The project root of a call: the file's own for a project's file. */
export const findCallRoot = ({ path }: Pick<ConfigFile, "path">, { roots, home }: MachineContext): string =>
  roots.find((root) => path.startsWith(`${root}/`) || path.startsWith(`${root}\\`)) ?? roots[0] ?? home;

/** The directory of a config file; for a project's `<root>/.host/file`, the root. */
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

/** Our entries in these files, each with its file. */
export const listOurEntries = (files: readonly LoadedConfigFile[]): { file: LoadedConfigFile; entry: ConfigEntry }[] =>
  files.flatMap((file) => file.ours.map((entry) => ({ file, entry })));

/** Lists files in a message. */
export const formatPaths = (files: readonly { path: string }[]): string =>
  [...new Set(files.map(({ path }) => path))].join(", ");

/** Reports the cells that hold for this release only. */
export function reportReleaseSpecificCells(capabilities: Capabilities, version: string | undefined): Finding[] {
  if (!version) return [];
  const found = new Map<string, { cell: CapabilityCell; events: string[] }>();
  for (const [native_event, make] of Object.entries(capabilities)) {
    const row = make();
    for (const field of CAPABILITY_FIELDS) {
      const cell: CapabilityCell = pickCell(getCells(row, field), version);
      if (!cell.versions) continue;
      const key = `"${field}" is ${cell.support} (${cell.versions}): ${describeCell(cell)}`;
      found.set(key, { cell, events: [...(found.get(key)?.events ?? []), native_event] });
    }
  }
  return [...found].map(([key, { cell, events }]) =>
    createNote(
      "old-row",
      `release ${version}, ${events.join(", ")}: ${key}`,
      `this holds only for releases ${cell.versions}; others behave differently`,
      "none needed, if that is acceptable; otherwise use another release of the host",
    ),
  );
}
