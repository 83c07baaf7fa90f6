import type { InstalledPlugin } from "./plugin-entry.ts";
import type { Dialect } from "./quote.ts";
import type { EventName } from "../event.ts";
import type { FailurePolicy } from "../hook.ts";
import type { Env, Payload } from "./payload.ts";
import type { TimeGrants } from "./time-grants.ts";
import type { Tool } from "../tool.ts";

/** Owner of a config file that `install` can write to. */
export const INSTALL_SCOPES = ["user", "project", "local", "managed"] as const;
export type InstallScope = (typeof INSTALL_SCOPES)[number];

/** The machine on which a host's files are looked up. */
export interface MachineContext {
  /** Directories in which sessions start, or that a payload names. If empty, only files outside projects apply. */
  roots: readonly string[];
  home: string;
  platform: NodeJS.Platform;
  env: Env;
  /** Prefix for machine-wide paths, used to build a system image. */
  system?: string;
}

/** The format of a file that the bridge owns completely, on hosts that read neither JSON nor TOML there. */
export interface OwnFormat {
  /** Returns the document with the entries in a text, as JSON, or undefined if bridge-hooks didn't write the text. */
  read: (text: string) => string | undefined;
  write: (json: string) => string;
}

/** A config file that may contain hook entries. */
export interface ConfigFile {
  /** `system` means that the host reads the file, but `install` doesn't write to it. */
  scope: InstallScope | "system";
  path: string;
  syntax: "json" | "toml" | OwnFormat;
  /** `install` writes the entries of this scope to this file. */
  target?: true | undefined;
  /** The only native event in the file, on hosts with one file per event; each of these files is then a target. */
  event?: string;
  /** The only kind of content that the host reads from the file. */
  only?: "entries" | "settings";
  /** `install` writes to this file instead if it contains hooks and the target in the same directory doesn't. */
  instead?: true;
  /** The plugin that contains the file. */
  plugin?: InstalledPlugin;
  /** The document is the `hooks` object itself; paths into it still start with "hooks". */
  bare?: true;
}

/** A setting that a config file needs besides the entries. */
export interface ConfigSetting {
  path: readonly string[];
  value: unknown;
  /** Any existing value is accepted. */
  any?: true;
  /**
   * The value is an item of the list at `path`. With `always`, a missing list is created; with `where there is one`, a
   * missing list allows everything and isn't created.
   */
  listed?: "always" | "where there is one";
}

/** An additional file without which the host wouldn't call the entries. */
export type CompanionFile = { path: string } & (
  | { /** The whole file, which the bridge owns. */ text: string }
  | { /** Settings to merge into a JSON file that the bridge doesn't own. */ settings: readonly ConfigSetting[] }
);

/** Parses TOML as the host does. Calls don't load this parser and use the engine's instead. */
export type ParseToml = (text: string) => unknown;

/** A command configured in a host's config. */
export interface ConfigEntry {
  native_event: string;
  /** A command line, or the program if `args` is set. */
  command: string;
  /** Arguments, on hosts that start the program without a shell. */
  args?: readonly string[];
  /** Absent or "" matches every call. */
  matcher?: string;
  /** The command's complete config object. */
  handler: Payload;
  /** Path of the command in the document. */
  path: readonly (string | number)[];
}

/** What the hooks need from one unified event. */
export interface WantedEvent {
  event: EventName;
  /** Unified tools; absent means all. */
  tools?: readonly Tool[];
  /** A hook's matcher names an MCP server. */
  servers?: boolean;
  /** Time that all hooks of the event need one after another, in milliseconds. Absent if none sets a time limit. */
  ms?: number;
}

/** A native event that gets an entry. */
export interface Subscription {
  native_event: string;
  /** Calls that the host reports; absent means every call. */
  matcher?: string;
  /** The event whose entry answers the same calls; this entry then answers only with restrictions. */
  after?: string | undefined;
}

/** Parameters of an entry to write. */
export interface EntrySpec {
  native_event: string;
  /** Additional arguments: the host's own options, and those that a user added to the entry by hand. */
  more?: readonly string[];
  /** See `Subscription.after`. */
  after?: string;
  /** See `WantedEvent.ms`. */
  wanted_ms?: number | undefined;
  /** Path of the executable. */
  program: string;
  /** What happens if a hook, the bridge or the call of the bridge fails. */
  on_error: FailurePolicy;
  scope: InstallScope;
  platform: NodeJS.Platform;
}

/** An entry as it should be in a config file. */
export interface DesiredEntry extends Subscription {
  /** Builds the entry without its matcher; `more` contains the arguments that were added by hand. */
  handler: (more?: readonly string[]) => Payload;
}

/** A problem in a config text; `offset` is in characters. */
export interface ConfigProblem {
  offset?: number;
  message: string;
  /** Path of the invalid value. */
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
  /** What is wrong with the answer. */
  problem: string;
  /** What the host then does, as a predicate that follows its name. */
  reaction: string;
  /** Whether the host then blocks the call. */
  blocks: boolean;
}

/** A problem that makes a denial ineffective, or a fact worth knowing. */
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
  /** The parsed document; absent if the text can't be parsed. */
  document?: unknown;
  ownEntries: readonly ConfigEntry[];
}

/** Input of a host's own doctor checks. */
export interface DoctorContext {
  machine: MachineContext;
  files: readonly LoadedConfigFile[];
  /** The host's version, if its program prints it. */
  version?: string;
  /** Versions of all the host's programs, e.g. of an editor and a command-line tool. */
  releases?: readonly string[];
  /** Path of the host's program, if it is on PATH. */
  program?: string;
}

/**
 * The host's names for each unified tool; a tool without a list can't be recognized by name. A name that isn't a plain
 * word is a regular expression.
 */
export type ToolNames = Readonly<Partial<Record<Tool, readonly string[]>>>;

/** Where a host's config is and what our entries look like in it. Loaded only when needed. */
export interface Setup {
  /** Every known tool name of the host; `Other` lists those without a unified tool. */
  tools: ToolNames;
  /** Directories whose presence shows that the host is installed. */
  listTraceFolders: (machine: MachineContext) => string[];
  listConfigFiles: (machine: MachineContext) => ConfigFile[];
  /** Config files of other hosts that this host also reads. */
  listImportedFiles?: (machine: MachineContext) => string[];
  /**
   * Returns the commands configured in a file, in the host's layout.
   * @throws Error if the text can't be parsed.
   */
  parseEntries: (text: string, file: string, parseToml?: ParseToml) => ConfigEntry[];
  /** How the host's versions run a command line, the most common way first. */
  listDialects: (platform: NodeJS.Platform) => readonly [Dialect, ...Dialect[]];
  /** Properties that users may add to an entry without affecting when it is called. */
  harmlessProperties: readonly string[];
  /**
   * What the matchers of an event are compared to, for events without tools. If the list is empty, the host reports
   * every call whatever the matcher.
   */
  matchedNames?: Readonly<Record<string, readonly string[]>>;
  /** The host runs identical commands from several files only once, except those of plugins. */
  isDeduplicated?: true;
  /**
   * `list`: a list of commands per event; `groups`: groups of commands, each with a matcher; `flat`: one list of
   * commands, each with its `event`.
   */
  layout: "list" | "groups" | "flat";
  /** Properties of the group around our entry, besides its matcher. */
  groupProperties?: Payload;
  /** Settings that a file needs besides the entries. */
  listSettings: (order: Pick<EntrySpec, "scope" | "program">) => ConfigSetting[];
  /** Additional files of an installation, given the file with the entries. */
  listCompanionFiles?: (file: ConfigFile, machine: MachineContext) => CompanionFile[];
  /** Why the host would ignore the file if it, or its directory, is a symbolic link. */
  explainLinkRefusal?: (file: ConfigFile) => string | undefined;
  /**
   * Returns the native events that deliver what the hooks want; `"all"` means every event that may have an entry.
   * @param servers with `"all"`, whether a hook's matcher names an MCP server.
   */
  planSubscriptions: (wanted: readonly WantedEvent[] | "all", servers?: boolean) => Subscription[];
  /** Events that must not have an entry, with the reason. */
  forbiddenEvents: Readonly<Record<string, string>>;
  /** How long the host waits for an entry's command. */
  timeGrants: TimeGrants;
  /** Builds the entry without its matcher. */
  buildHandler: (order: EntrySpec) => Payload;
  /** Steps left to the user after an installation in this scope. */
  listManualSteps: (scope: InstallScope, order: Pick<EntrySpec, "program" | "on_error">) => string[];
}

/** Checks whether a host obeys an entry. */
export interface HostDoctor {
  /** Returns the reasons why the host wouldn't obey the file in its current state. */
  findConfigProblems: (text: string, file: string) => ConfigProblem[];
  /** Returns a recorded payload of a harmless call with this `subject`, or undefined if none is recorded. */
  getProbePayload: (native_event: string, subject?: string) => Payload | undefined;
  /** Returns every way in which the host's versions start the command. */
  listLaunches: (entry: ConfigEntry, file: ConfigFile, payload: string, machine: MachineContext) => Launch[];
  judgeAnswer: (native_event: string, result: CommandResult, handler: Payload) => AnswerVerdict;
  /** Environment variables that the host's configs set for hooks; later files override earlier ones. */
  collectVariables?: (files: readonly LoadedConfigFile[]) => Env;
  /** Runs the checks that only this host needs. */
  examineConfig: (examination: DoctorContext) => Promise<Finding[]>;
}
