import type { InstalledPlugin } from "./plugin-entry.ts";
import type { Dialect } from "./quote.ts";
import type { EventName } from "../event.ts";
import type { FailurePolicy } from "../hook.ts";
import type { Env, Payload } from "./payload.ts";
import type { Tool } from "../tool.ts";

/** Owner of a config file that `install` can write to. */
export const INSTALL_SCOPES = ["user", "project", "local", "managed"] as const;
export type InstallScope = (typeof INSTALL_SCOPES)[number];

/** The machine on which a host's files are looked up. */
export interface MachineContext {
  /** Folders that sessions start in, or that a payload names as the host's; none: only what is not a project's counts. */
  roots: readonly string[];
  home: string;
  platform: NodeJS.Platform;
  env: Env;
  /** Prefix for machine-wide paths, used when building a system image. */
  system?: string;
}

/** The form of a file that the bridge writes as a whole: the host reads no JSON or TOML there. */
export interface OwnFormat {
  /** Returns the document with the entries that a text holds, as JSON; undefined: bridge-hooks did not write it. */
  read: (text: string) => string | undefined;
  write: (json: string) => string;
}

/** A config file that may hold hook entries. */
export interface ConfigFile {
  /** `system`: the host reads the file, but `install` does not write to it. */
  scope: InstallScope | "system";
  path: string;
  syntax: "json" | "toml" | OwnFormat;
  /** `install` writes the entries of this scope to this file. */
  target?: true | undefined;
  /** The only native event of the file, on hosts with a file per event: each of them is then a target. */
  event?: string;
  /** The host reads nothing else in it. */
  only?: "entries" | "settings";
  /** `install` writes to this file instead if it has hooks and the target in the same directory has none. */
  instead?: true;
  /** The plugin that brings it. */
  plugin?: InstalledPlugin;
  /** The document is the `hooks` object itself: its events are at the top level. Paths in it begin with "hooks" all the same. */
  bare?: true;
}

/** A setting that a config file needs besides the entries. */
export interface ConfigSetting {
  path: readonly string[];
  value: unknown;
  /** Any existing value is accepted. */
  any?: true;
  /**
   * The value is an item of the list at `path`. `always`: the list is created if missing; `where there is one`: a
   * missing list allows everything and stays missing.
   */
  listed?: "always" | "where there is one";
}

/** An additional file without which the host would not call the entries. */
export type CompanionFile = { path: string } & (
  | { /** The whole file; the bridge owns it. */ text: string }
  | { /** Settings to merge into somebody else's JSON. */ settings: readonly ConfigSetting[] }
);

/** Reads TOML as the host does, where it is loaded: calls read what the engine reads. */
export type ParseToml = (text: string) => unknown;

/** A command configured in a host's config. */
export interface ConfigEntry {
  native_event: string;
  /** A command line, or the program if `args` is set. */
  command: string;
  /** Arguments, on hosts that start the program without a shell. */
  args?: readonly string[];
  /** Absent or "": matches every call. */
  matcher?: string;
  /** The command's complete config object. */
  handler: Payload;
  /** Path of the command in the document. */
  path: readonly (string | number)[];
}

/** What the hooks need from one unified event. */
export interface WantedEvent {
  event: EventName;
  /** Unified tools; absent: all. */
  tools?: readonly Tool[];
  /** A hook's matcher names an MCP server. */
  servers?: boolean;
  /** Milliseconds that all hooks of the event need one after another. Absent: none asks for time of its own. */
  ms?: number;
}

/** How long a host waits for an entry's command, in seconds. */
export interface TimeGrant {
  /** Where the entry has no `timeout`. */
  default_s: number;
  /** The longest `timeout` that it grants. Absent: any. */
  max_s?: number;
}

/** How long a host waits at its events. */
export interface TimeGrants extends TimeGrant {
  /** Native events that differ. */
  events?: Readonly<Record<string, TimeGrant>>;
  /** The unit of an entry's `timeout`. Default: seconds. */
  unit?: "ms";
  /** From this number on, an entry's `timeout` is in milliseconds. */
  msFrom?: number;
  /** Another name of an entry's `timeout`. */
  alias?: string;
}

/** A native event that an entry is written for. */
export interface Subscription {
  native_event: string;
  /** Calls that the host reports; absent: every call. */
  matcher?: string;
  /** The event whose entry answers the same calls; this entry only answers with restrictions. */
  after?: string | undefined;
}

/** Parameters of an entry to write. */
export interface EntrySpec {
  native_event: string;
  /** Additional arguments: the host's own options, and what a user added to the entry by hand. */
  more?: readonly string[];
  /** See `Subscription.after`. */
  after?: string;
  /** See `WantedEvent.ms`. */
  wanted_ms?: number | undefined;
  /** Path of the executable. */
  program: string;
  /** Applies when a hook, the bridge or the call of the bridge fails. */
  on_error: FailurePolicy;
  scope: InstallScope;
  platform: NodeJS.Platform;
}

/** An entry as it should be in a config file. */
export interface DesiredEntry extends Subscription {
  /** Builds the entry without its matcher; `more`: arguments that were added by hand. */
  handler: (more?: readonly string[]) => Payload;
}

/** A problem in a config text; `offset` is in characters. */
export interface ConfigProblem {
  offset?: number;
  message: string;
  /** Path of the value that does not fit. */
  path?: readonly (string | number)[];
  /** What the host then ignores: the entry or group at `path`, the file (default), or its hooks in every file. */
  extent?: "part" | "file" | "host" | undefined;
}

/** How a host would start an entry's command. */
export interface Launch {
  /** Label of this variant, on hosts that start commands in several ways. */
  way?: string;
  argv: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
  stdin: string;
}

/** The result of a command. */
export interface CommandResult {
  stdout: string;
  stderr: string;
  exit_code: number | null;
}

/** How a host interprets an answer. */
export type AnswerVerdict = { kind: "denied" | "passed" } | BrokenAnswer;

/** An answer that the host treats as that of a failed hook. */
export interface BrokenAnswer {
  kind: "broken";
  /** What is wrong with it. */
  problem: string;
  /** What the host then does, after its name. */
  reaction: string;
  /** The host then blocks the call. */
  blocks: boolean;
}

/** A problem that keeps a denial from holding, or a fact worth knowing. */
export interface Finding {
  /** Stable id of the check, for programs. */
  check: string;
  /** `red`: a denial would not hold, or not as installed. `note`: informational. */
  level: "red" | "note";
  /** What was found, and in which file. */
  what: string;
  /** What it means for the host's calls. */
  impact: string;
  /** The command or step that fixes it. */
  fix: string;
}

/** A config file with its text and our entries in it. */
export interface LoadedConfigFile extends ConfigFile {
  text: string;
  /** The parsed document; absent if the text does not parse. */
  document?: unknown;
  ours: readonly ConfigEntry[];
}

/** Input of a host's own doctor checks. */
export interface DoctorContext {
  place: MachineContext;
  files: readonly LoadedConfigFile[];
  /** The host's release, if its program prints it. */
  version?: string;
  /** The releases of all the host's programs, e.g. of an editor and a command line. */
  releases?: readonly string[];
  /** Path of the host's program, if it is on PATH. */
  program?: string;
}

/**
 * The host's names for each unified tool; a tool without a list can't be recognized by name. A name that is not a plain
 * word is a regular expression.
 */
export type ToolNames = Readonly<Partial<Record<Tool, readonly string[]>>>;

/** Where a host's config lives and what our entries look like in it. Loaded only when needed. */
export interface Setup {
  /** Every known tool name of the host; `Other` lists those without a unified tool. */
  tools: ToolNames;
  /** Directories whose presence shows that the host is installed. */
  listTraceFolders: (machine: MachineContext) => string[];
  listConfigFiles: (machine: MachineContext) => ConfigFile[];
  /** Config files of other hosts that this host reads too. */
  listImportedFiles?: (machine: MachineContext) => string[];
  /**
   * Returns the commands configured in a file, in the host's layout.
   * @throws Error when the text does not parse.
   */
  parseEntries: (text: string, file: string, parseToml?: ParseToml) => ConfigEntry[];
  /** How the host's releases run a command line, the most common way first. */
  listDialects: (platform: NodeJS.Platform) => readonly [Dialect, ...Dialect[]];
  /** Properties that users may add to an entry without affecting when it is called. */
  harmlessProperties: readonly string[];
  /**
   * What the matchers of an event are compared to, for events without tools; an empty list: every call is reported
   * whatever the matcher.
   */
  matchedNames?: Readonly<Record<string, readonly string[]>>;
  /** The host runs identical commands from several files once, except those of plugins. */
  isDeduplicated?: true;
  /**
   * `list`: a list of commands per event; `groups`: groups of commands with a matcher each; `flat`: one list, in which
   * each command has its `event`.
   */
  layout: "list" | "groups" | "flat";
  /** Properties that the group around an entry of ours has besides its matcher. */
  groupProperties?: Payload;
  /** Settings that a file needs besides the entries. */
  listSettings: (order: Pick<EntrySpec, "scope" | "program">) => ConfigSetting[];
  /** Additional files of an installation, given the file with the entries. */
  listCompanionFiles?: (file: ConfigFile, machine: MachineContext) => CompanionFile[];
  /** Why the host would ignore the file if it, or its directory, is a symbolic link. */
  explainLinkRefusal?: (file: ConfigFile) => string | undefined;
  /**
   * Returns the native events that deliver what the hooks want; `"all"`: every event that may have an entry.
   * @param servers with `"all"`: a hook's matcher names an MCP server.
   */
  planSubscriptions: (wanted: readonly WantedEvent[] | "all", servers?: boolean) => Subscription[];
  /** Events that must not have an entry, and why. */
  forbiddenEvents: Readonly<Record<string, string>>;
  /** How long the host waits for an entry's command. */
  timeGrants: TimeGrants;
  /** Builds the entry, without its matcher. */
  buildHandler: (order: EntrySpec) => Payload;
  /** Steps left to the user after an installation in this scope. */
  listManualSteps: (scope: InstallScope, order: Pick<EntrySpec, "program" | "on_error">) => string[];
}

/** Checks whether a host obeys an entry. */
export interface HostDoctor {
  /** Returns the reasons why the host would not obey the file as it stands. */
  findConfigProblems: (text: string, file: string) => ConfigProblem[];
  /**
   * Returns a recorded payload of a harmless call, with the call's subject replaced by `subject`; undefined if none is
   * recorded.
   */
  getProbePayload: (native_event: string, subject?: string) => Payload | undefined;
  /** Returns every way in which the host's releases start the command. */
  listLaunches: (entry: ConfigEntry, file: ConfigFile, payload: string, machine: MachineContext) => Launch[];
  judgeAnswer: (native_event: string, result: CommandResult, handler: Payload) => AnswerVerdict;
  /** Variables that the host's configs set for hooks; later ones win. */
  collectVariables?: (files: readonly LoadedConfigFile[]) => Env;
  /** Runs the checks that only this host needs. */
  examineConfig: (examination: DoctorContext) => Promise<Finding[]>;
}
