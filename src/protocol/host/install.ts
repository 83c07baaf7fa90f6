import type { InstalledPlugin } from "./plugin-entry.ts";
import type { Dialect } from "./quote.ts";
import type { EventName } from "../event.ts";
import type { FailurePolicy } from "../hook.ts";
import type { Env, Payload } from "./payload.ts";
import type { TimeGrants } from "./time-grants.ts";
import type { Tool } from "../tool.ts";

/** Possible owners of a config file that `install` writes to. */
export const INSTALL_SCOPES = ["user", "project", "local", "managed"] as const;
export type InstallScope = (typeof INSTALL_SCOPES)[number];

/** The machine on which host files are looked up. */
export interface MachineContext {
  /**
   * Directories in which sessions start, or directories from a payload. If empty, only files outside of projects apply.
   */
  roots: readonly string[];
  home: string;
  platform: NodeJS.Platform;
  env: Env;
  /** Directory prepended to all machine-wide paths, used for building a system image. */
  system?: string;
}

/** Format of a file that is neither JSON nor TOML and belongs entirely to the bridge. */
export interface OwnFormat {
  /** Returns the text's entries as a JSON document, or undefined if bridge-hooks didn't write the text. */
  read: (text: string) => string | undefined;
  write: (json: string) => string;
}

/** A config file that can contain hook entries. */
export interface ConfigFile {
  /** Owner of the file. `system` means that the host reads the file but `install` doesn't write to it. */
  scope: InstallScope | "system";
  path: string;
  syntax: "json" | "toml" | OwnFormat;
  /** Set if `install` writes this scope's entries to this file. */
  target?: true | undefined;
  /** The file's only native event, on hosts with one file per event. Each of these files is then a target. */
  event?: string;
  /** The only kind of content that the host reads from the file. If absent, the host reads both. */
  only?: "entries" | "settings";
  /**
   * Set if this file overrides the target in the same directory whenever the target contains no hooks and this file
   * does. `install` then writes to this file.
   */
  instead?: true;
  /** The plugin that contains the file. */
  plugin?: InstalledPlugin;
  /** Set if the document itself is the `hooks` object. Paths into the document still start with "hooks". */
  bare?: true;
}

/** A setting that a config file needs in addition to the entries. */
export interface ConfigSetting {
  path: readonly string[];
  value: unknown;
  /** Set if any existing value is accepted. */
  any?: true;
  /**
   * Set if the value is an item of the list at `path`. If the list is missing, `always` creates it.
   * `if the list exists` doesn't, because a missing list allows everything.
   */
  listed?: "always" | "if the list exists";
}

/** An additional file that the host needs to call the entries. */
export type CompanionFile = { path: string } & (
  | { /** The full text of the file, which the bridge owns. */ text: string }
  | { /** Settings to merge into the JSON file, which the bridge doesn't own. */ settings: readonly ConfigSetting[] }
);

/** Parses TOML the way the host does. Calls don't load this parser; they use the engine's. */
export type ParseToml = (text: string) => unknown;

/** A command configured in a host's config. */
export interface ConfigEntry {
  native_event: string;
  /** The command line, or only the program if `args` is set. */
  command: string;
  /** The program's arguments, on hosts that start the program without a shell. */
  args?: readonly string[];
  /** Matcher of the command; absent or "" matches every call. */
  matcher?: string;
  /** The command's complete config object. */
  handler: Payload;
  /** Path of the command in the document. */
  path: readonly (string | number)[];
}

/** The hooks' requirements for one unified event. */
export interface EventRequirements {
  event: EventName;
  /** Unified tools; absent means all tools. */
  tools?: readonly Tool[];
  /** Whether any hook's matcher names an MCP server. */
  servers?: boolean;
  /**
   * Total time, in milliseconds, that the event's hooks need when run one after another. Absent if no hook sets a time
   * limit.
   */
  ms?: number;
}

/** A native event that gets an entry. */
export interface Subscription {
  native_event: string;
  /** Matcher for the calls that the host reports; absent means every call. */
  matcher?: string;
  /**
   * Another event whose entry answers the same calls. With this field set, the entry only answers with restrictions.
   */
  after?: string | undefined;
}

/** Parameters of an entry to write. */
export interface EntrySpec {
  native_event: string;
  /** Additional arguments: the host's own options, and arguments that a user added to the entry. */
  more?: readonly string[];
  /** Another event whose entry answers the same calls; see `Subscription.after`. */
  after?: string;
  /** Total time, in milliseconds, that the event's hooks need; see `WantedEvent.ms`. */
  wanted_ms?: number | undefined;
  /** Path of the executable. */
  program: string;
  /** What happens if a hook or the bridge fails, or if the bridge can't be started. */
  on_error: FailurePolicy;
  scope: InstallScope;
  platform: NodeJS.Platform;
}

/** The intended form of an entry in a config file. */
export interface DesiredEntry extends Subscription {
  /** Builds the entry without its matcher. `more` contains the arguments that a user added. */
  handler: (more?: readonly string[]) => Payload;
}

/** A problem in a config file's text; `offset` is in characters. */
export interface ConfigProblem {
  offset?: number;
  message: string;
  /** Path of the invalid value. */
  path?: readonly (string | number)[];
  /**
   * The part that the host ignores as a result: the entry or group at `path`, the file (default), or the host's hooks
   * in all files.
   */
  extent?: "part" | "file" | "host" | undefined;
}

/** One of the ways in which a host might start an entry's command. */
export interface Launch {
  /** Label that distinguishes this way from the others, for hosts that start commands in more than one way. */
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

/** A host's interpretation of an answer. */
export type AnswerVerdict = { kind: "denied" | "passed" } | BrokenAnswer;

/** An answer that the host treats like one from a failed hook. */
export interface BrokenAnswer {
  kind: "broken";
  /** The problem with the answer. */
  problem: string;
  /** The host's reaction, as a predicate that follows the host's name. */
  reaction: string;
  /** Whether the host blocks the call. */
  blocks: boolean;
}

/** A problem that makes a denial ineffective, or other useful information. */
export interface Finding {
  /** Stable id of the check, for use by programs. */
  check: string;
  /** `red`: a denial would have no effect, or a different one than installed. `note`: informational. */
  level: "red" | "note";
  /** The problem and the affected file. */
  what: string;
  /** Impact on the host's calls. */
  impact: string;
  /** Command or step that fixes the problem. */
  fix: string;
}

/** A config file, its text, and our entries in it. */
export interface LoadedConfigFile extends ConfigFile {
  text: string;
  /** The parsed document; absent if the text is invalid. */
  document?: unknown;
  ownEntries: readonly ConfigEntry[];
}

/** Input of a host's own doctor checks. */
export interface DoctorContext {
  machine: MachineContext;
  files: readonly LoadedConfigFile[];
  /** The host's version; absent if its program doesn't print one. */
  version?: string;
  /** Versions of all of the host's programs, such as an editor and a command-line tool. */
  releases?: readonly string[];
  /** Path of the host's program; absent if it isn't on PATH. */
  program?: string;
}

/**
 * The host's names for each unified tool. A tool without a list can't be recognized by name. Names that aren't plain
 * words are regular expressions.
 */
export type ToolNames = Readonly<Partial<Record<Tool, readonly string[]>>>;

/** Where a host's config is, and the format of our entries. Loaded only when needed. */
export interface Setup {
  /** All known tool names of the host. `Other` lists the names of tools without a unified name. */
  tools: ToolNames;
  /** Lists directories whose existence shows that the host is installed. */
  listTraceFolders: (machine: MachineContext) => string[];
  listConfigFiles: (machine: MachineContext) => ConfigFile[];
  /** Lists other hosts' config files that this host also reads. */
  listImportedFiles?: (machine: MachineContext) => string[];
  /**
   * Returns the commands configured in a file that has the host's layout.
   * @throws Error if the text can't be parsed.
   */
  parseEntries: (text: string, file: string, parseToml?: ParseToml) => ConfigEntry[];
  /** Shell dialects in which the host's versions run a command line, most common first. */
  listDialects: (platform: NodeJS.Platform) => readonly [Dialect, ...Dialect[]];
  /** Properties that users can add to an entry without changing when the host calls it. */
  harmlessProperties: readonly string[];
  /**
   * For events without tools, the values that the event's matchers are compared with. If the list is empty, the host
   * reports every call regardless of the matcher.
   */
  matchedNames?: Readonly<Record<string, readonly string[]>>;
  /**
   * Set if the host runs identical commands from several files only once. Commands from plugins are still run
   * separately.
   */
  isDeduplicated?: true;
  /**
   * `list`: a list of commands per event; `groups`: groups of commands, each with a matcher; `flat`: one list of
   * commands, each with its `event`.
   */
  layout: "list" | "groups" | "flat";
  /** Properties of the group around our entry, other than its matcher. */
  groupProperties?: Payload;
  /** Lists the settings that a file needs besides the entries. */
  listSettings: (order: Pick<EntrySpec, "scope" | "program">) => ConfigSetting[];
  /** Lists the additional files that an installation needs, based on the file with the entries. */
  listCompanionFiles?: (file: ConfigFile, machine: MachineContext) => CompanionFile[];
  /** Explains why the host would ignore the file if it or its directory is a symbolic link. */
  explainLinkRefusal?: (file: ConfigFile) => string | undefined;
  /**
   * Returns the native events that cover the hooks' needs. `"all"` means every event that can have an entry.
   * @param servers with `"all"`, whether any hook's matcher names an MCP server.
   */
  planSubscriptions: (wanted: readonly EventRequirements[] | "all", servers?: boolean) => Subscription[];
  /** Events that must not have an entry, each with the reason. */
  forbiddenEvents: Readonly<Record<string, string>>;
  /** How long the host waits for an entry's command. */
  timeGrants: TimeGrants;
  /** Builds the entry without its matcher. */
  buildHandler: (order: EntrySpec) => Payload;
  /** Lists the manual steps that remain after an installation in this scope. */
  listManualSteps: (scope: InstallScope, order: Pick<EntrySpec, "program" | "on_error">) => string[];
}

/** Checks whether a host obeys an entry. */
export interface HostDoctor {
  /** Returns the reasons why the host wouldn't honor the file in its current state. */
  findConfigProblems: (text: string, file: string) => ConfigProblem[];
  /** Returns a recorded payload of a harmless call with this `subject`, or undefined if there is none. */
  getProbePayload: (native_event: string, subject?: string) => Payload | undefined;
  /** Returns every way in which the host's versions start the command. */
  listLaunches: (entry: ConfigEntry, file: ConfigFile, payload: string, machine: MachineContext) => Launch[];
  judgeAnswer: (native_event: string, result: CommandResult, handler: Payload) => AnswerVerdict;
  /** Environment variables that the host's configs set for hooks. Later files override earlier files. */
  collectVariables?: (files: readonly LoadedConfigFile[]) => Env;
  /** Runs checks that only this host needs. */
  examineConfig: (examination: DoctorContext) => Promise<Finding[]>;
}
