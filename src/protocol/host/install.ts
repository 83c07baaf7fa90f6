import type { Dialect } from "./quote.ts";
import type { EventName } from "../event.ts";
import type { FailurePolicy } from "../hook.ts";
import type { Env, Payload } from "./payload.ts";
import type { Tool } from "../tool.ts";

/** Whose config a file is, where something can be installed. */
export const INSTALL_SCOPES = ["user", "project", "local", "managed"] as const;
export type InstallScope = (typeof INSTALL_SCOPES)[number];

/** Where a host is looked for. */
export interface MachineContext {
  /** Project roots, as the payload names them. */
  roots: readonly string[];
  home: string;
  platform: NodeJS.Platform;
  env: Env;
  /** In front of paths that belong to the whole machine; for an image that is being built. */
  system?: string;
}

/** A program of the host's own language with the entries in it as JSON: all of such a file is ours. */
export interface PluginModule {
  before: string;
  after: string;
}

/** A config file that may hold hook entries. */
export interface ConfigFile {
  /** `system`: read by the host, but no place to install to. */
  scope: InstallScope | "system";
  path: string;
  syntax: "json" | "toml" | PluginModule;
  /** `install` writes the entries of this scope here. */
  target?: true;
  /** It writes them here instead, where this file of the folder has hooks and the target has none. */
  instead?: true;
}

/** What a config is to say besides entries. */
export interface ConfigSetting {
  path: readonly string[];
  value: unknown;
  /** Whatever it says already will do. */
  any?: true;
  /** The value is one of the list at the path: which is made for it, or which lets everything in as long as it is not there. */
  listed?: "always" | "where there is one";
}

/** A file besides the one with the entries, without which the host would not call them. */
export type CompanionFile = { path: string } & (
  | { /** All of the file, which is ours. */ text: string }
  | { /** What somebody's JSON is to say as well. */ settings: readonly ConfigSetting[] }
);

/** A configured command. */
export interface ConfigEntry {
  native_event: string;
  /** A command line, or a program where there are `args`. */
  command: string;
  /** The arguments, where the host starts the program without a shell. */
  args?: readonly string[];
  /** Absent or "": every call. */
  matcher?: string;
  /** All that is said of the command. */
  handler: Payload;
  /** Where it stands in the document. */
  path: readonly (string | number)[];
}

/** What hooks want of one unified event. */
export interface WantedEvent {
  event: EventName;
  /** The unified tools; absent: all. */
  tools?: readonly Tool[];
  /** A hook asks for the tools of an MCP server by its name. */
  servers?: boolean;
}

/** A native event that an entry is written for. */
export interface Subscription {
  native_event: string;
  /** Calls that the host is to tell of; absent: every one. */
  matcher?: string;
  /** The event whose entry answers these calls as well; here only a restriction is answered. */
  after?: string | undefined;
}

/** What an entry is to be. */
export interface EntrySpec {
  native_event: string;
  /** Further arguments, which somebody gave it by hand. */
  more?: readonly string[];
  /** As in a subscription. */
  after?: string;
  /** The path of the executable. */
  program: string;
  /** When a hook, the bridge or the call of it fails. */
  on_error: FailurePolicy;
  scope: InstallScope;
  platform: NodeJS.Platform;
}

/** What is wrong with a text, and where; offsets are in characters. */
export interface ConfigProblem {
  offset?: number;
  message: string;
}

/** How a host would start an entry's command. */
export interface Launch {
  /** For people, where a host has several ways. */
  way?: string;
  argv: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
  stdin: string;
}

/** What a command answered. */
export interface CommandResult {
  stdout: string;
  stderr: string;
  exit_code: number | null;
}

/** What a host makes of an answer; `broken`: it counts as a failed hook, which may block the call all the same. */
export type AnswerVerdict = { kind: "denied" | "passed" } | { kind: "broken"; why: string; blocks: boolean };

/** Something that keeps a denial from holding, or that people should know. */
export interface Finding {
  /** Names the kind: stable, for programs. */
  check: string;
  /** `red`: a denial would not hold, or not as installed. `note`: good to know. */
  level: "red" | "note";
  /** What was found, with its file. */
  what: string;
  /** What it means for the host's calls. */
  impact: string;
  /** The command or the step that fixes it. */
  fix: string;
}

/** A config file with its text, and what of it is ours. */
export interface LoadedConfigFile extends ConfigFile {
  text: string;
  /** The document; absent where it does not parse. */
  document?: unknown;
  ours: readonly ConfigEntry[];
}

/** What a host's own checks may use. */
export interface DoctorContext {
  place: MachineContext;
  files: readonly LoadedConfigFile[];
  /** The host's release, where its program tells it. */
  version?: string;
  /** Those of all its programs: an editor and a command line have one each. */
  releases?: readonly string[];
  /** The host's program, where it is on PATH. */
  program?: string;
}

/** A file of the enterprise pack. */
export interface PackFile {
  /** Inside the pack, with "/". */
  path: string;
  text: string;
  /** Absent: UTF-8. */
  encoding?: "utf-16le";
  /** Where it goes, and how, for the administrator. */
  goes: string;
  /** How the host itself shows on a client that it has it. */
  shown?: string;
  /** How it is taken back. */
  undo?: string;
  /** What to know before it is shipped; what holds for several files has the same words in each. */
  notes?: readonly string[];
  os: readonly ("linux" | "macos" | "windows")[];
  /** By which means it is delivered; none for a file that only helps. */
  by: readonly ("jamf" | "intune" | "kandji" | "files")[];
}

/** What the enterprise pack is to say. */
export interface PackSpec {
  /** The executable's path on each system. */
  programs: Readonly<Record<"linux" | "macos" | "windows", string>>;
  on_error: FailurePolicy;
  /** As for `Setup.subscriptions`. */
  wanted: readonly WantedEvent[] | "all";
}

/** The names that a host has for each unified tool; a tool without a list can't be told by name. A name that is not a plain word is a pattern. */
export type ToolNames = Readonly<Partial<Record<Tool, readonly string[]>>>;

/** Where a host's config lives, and how an entry of ours looks there. Loaded only when needed. */
export interface Setup {
  /** Every name of a tool that is known of the host; under `Other` those without a unified tool. */
  tools: ToolNames;
  /** Folders that only a machine with this host has. */
  listTraceFolders: (place: MachineContext) => string[];
  listConfigFiles: (place: MachineContext) => ConfigFile[];
  /** Files of other hosts that this one reads as well. */
  listImportedFiles?: (place: MachineContext) => string[];
  /** The commands configured in such a file, in the host's layout. @throws Error when it does not parse. */
  parseEntries: (text: string, file: string) => ConfigEntry[];
  /** How the host's releases run a command line, the usual one first. */
  listDialects: (platform: NodeJS.Platform) => readonly [Dialect, ...Dialect[]];
  /** Properties of an entry that people may add, and that keep it from nothing. */
  harmlessProperties: readonly string[];
  /** Equal commands in several files run once. */
  isDeduplicated?: true;
  /** Commands stand in a list per event, or in groups with a matcher each. */
  layout: "list" | "groups";
  /** What a file has to say besides the entries. */
  listSettings: (order: Pick<EntrySpec, "scope" | "program">) => ConfigSetting[];
  /** Further files of an installation, for the file with the entries. */
  listCompanionFiles?: (file: ConfigFile, place: MachineContext) => CompanionFile[];
  /** Why the host would not read the file where it is a link, or its folder. */
  explainLinkRefusal?: (file: ConfigFile) => string | undefined;
  /**
   * The native events by which hooks see what they want; `"all"`: every event that an entry may stand at.
   * @param servers with `"all"`: a hook asks for the tools of an MCP server by its name.
   */
  planSubscriptions: (wanted: readonly WantedEvent[] | "all", servers?: boolean) => Subscription[];
  /** Events at which no entry may stand, and why. */
  forbiddenEvents: Readonly<Record<string, string>>;
  /** The entry, without its matcher. */
  buildHandler: (order: EntrySpec) => Payload;
  /** What is left for a person to do after an installation in this scope. */
  listManualSteps: (scope: InstallScope, order: Pick<EntrySpec, "program" | "on_error">) => string[];
}

/** How it is seen whether a host obeys an entry. */
export interface HostDoctor {
  /** Why the host would not obey the file as it stands. */
  findConfigProblems: (text: string, file: string) => ConfigProblem[];
  /** A recorded payload about a harmless call; `subject` takes the place of what the call is about. Nothing: none is recorded. */
  getProbePayload: (native_event: string, subject?: string) => Payload | undefined;
  /** Every way in which the host's releases start the command. */
  listLaunches: (entry: ConfigEntry, file: ConfigFile, payload: string, place: MachineContext) => Launch[];
  judgeAnswer: (native_event: string, result: CommandResult, handler: Payload) => AnswerVerdict;
  /** Variables that its configs set for hooks, the ones that win last. */
  collectVariables?: (files: readonly LoadedConfigFile[]) => Env;
  /** What only this host needs to be asked. */
  examineConfig: (examination: DoctorContext) => Promise<Finding[]>;
}
