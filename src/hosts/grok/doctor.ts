import * as v from "valibot";
import type {
  ConfigProblem,
  DoctorContext,
  Finding,
  HostDoctor,
  LoadedConfigFile,
  MachineContext,
} from "../../protocol/host/install.ts";
import { isObject } from "../../protocol/object.ts";
import { grok } from "../entries.ts";
import { readConfigText } from "../setup/entries.ts";
import {
  buildPowerShellArgv,
  completeEnv,
  createNote,
  createRedFinding,
  findCallRoot,
  formatPaths,
  getPayloadAbout,
  listOurEntries,
  reportReleaseSpecificCells,
} from "../setup/findings.ts";
import { findImportsOfOurEntries } from "../setup/imports.ts";
import { findJsonProblems, findSchemaProblems, isValidMatcher } from "../setup/json-problems.ts";
import { findTomlProblems } from "../setup/toml-problems.ts";
import { capabilities } from "./capabilities.ts";
import { setup } from "./install.ts";
import { scriptCodec } from "./native-payloads.ts";
import { judgeAnswer } from "./read-answers.ts";
import samples from "./samples.json" with { type: "json" };

// According to its published sources; none of this was run [unverified].
const ALLOWS = { comments: false, trailingComma: false, bom: false };
const DROPS = "Grok Build drops the whole file because of it, by its documentation";
const DROPS_EVENT = "Grok Build drops this event's entries because of it, by its documentation";
const DROPS_ENTRY = "Grok Build drops this entry because of it, by its documentation";

const optional = (schema: v.GenericSchema) => v.nullish(schema);
/** Rust's regular expressions have no look-around. */
const pattern = v.check(
  (text: string) => text === "" || (isValidMatcher(text) && !/\(\?<?[=!]/.test(text)),
  "not a pattern that Grok Build accepts (no look-around)",
);

/** What a file needs for its hooks to be read at all. */
const Handler = v.looseObject({
  type: v.string("must be command or http"),
  command: optional(v.string()),
  url: optional(v.string()),
  timeout: optional(v.pipe(v.number(), v.integer("must be a whole number of seconds"), v.minValue(0))),
  env: optional(v.record(v.string(), v.string())),
});
const Group = v.looseObject({ matcher: optional(v.string()), hooks: v.array(Handler) });

/** What an entry of such a file needs. */
const Entry = v.pipe(
  v.looseObject({ type: v.picklist(["command", "http"], "must be command or http") }),
  v.check(({ type, command, url }) => (type === "http" ? url : command) !== undefined, "a command is missing"),
);
const Entries = v.looseObject({ matcher: v.nullish(v.pipe(v.string(), pattern)), hooks: v.array(Entry) });

/** Unknown events are skipped, whatever they contain. */
const fileOf = (group: v.GenericSchema) =>
  v.looseObject({
    hooks: v.optional(
      v.looseObject(Object.fromEntries(Object.keys(capabilities).map((event) => [event, v.optional(v.array(group))]))),
    ),
  });
const [Files, Whole] = [fileOf(Group), fileOf(Entries)];

/** Returns the reasons why Grok Build would not obey a file as it stands. */
export function findConfigProblems(text: string, file: string): ConfigProblem[] {
  if (file.endsWith(".toml")) {
    const found = findTomlProblems(text, Files, DROPS_EVENT);
    return found.length > 0 ? found : findTomlProblems(text, Whole, DROPS_ENTRY);
  }
  const found = findJsonProblems(text, ALLOWS, DROPS) ?? findSchemaProblems(text, Files, DROPS);
  return found.length > 0 ? found : findSchemaProblems(text, Whole, DROPS_ENTRY);
}

// These checks follow the guide inside the package [shipped 1.0.41, read and not run].

const INSTALL = "bridge-hooks install --scope managed --host grok";

const textOf = (path: string): string => {
  try {
    return readConfigText(path);
  } catch {
    return "";
  }
};

function readDocument(path: string): Record<string, unknown> {
  try {
    const document: unknown = (path.endsWith(".toml") ? Bun.TOML : Bun.JSONC).parse(textOf(path));
    return isObject(document) ? document : {};
  } catch {
    return {};
  }
}

const unmanaged = (files: readonly LoadedConfigFile[]) =>
  files.filter(({ scope, ours }) => scope !== "managed" && ours.length > 0);

/** The files in which an organisation can allow managed hooks only. */
const policies = (place: MachineContext): string[] =>
  [grok.folders.managed(place), grok.folders.user(place)]
    .flatMap((folder) => (folder ? [`${folder}/requirements.toml`, `${folder}/managed_config.toml`] : []))
    .concat(place.platform === "linux" ? `${place.system ?? ""}/etc/claude-code/managed-settings.json` : []);

/** Only managed hooks run: any value but false counts. */
function findManagedRestrictions({ place, files }: DoctorContext): Finding[] {
  const others = unmanaged(files);
  if (others.length === 0 || files.some(({ scope, ours }) => scope === "managed" && ours.length > 0)) return [];
  return policies(place).flatMap((path) => {
    const { allow_managed_hooks_only: snake, allowManagedHooksOnly: camel } = readDocument(path);
    if ((snake ?? camel ?? false) === false) return [];
    const what = `${path} sets allow_managed_hooks_only, and bridge-hooks' entries are in ${formatPaths(others)}`;
    return [
      createRedFinding(
        "managed-hooks-only",
        what,
        "Grok Build runs only managed hooks, so these entries don't run",
        INSTALL,
      ),
    ];
  });
}

/** Finds entries disabled in /hooks. The list names them by file; its exact format is unverified. */
function findDisabledEntries({ place, files }: DoctorContext): Finding[] {
  const path = `${grok.folders.user(place)}/disabled-hooks`;
  const others = unmanaged(files);
  if (others.length === 0 || !/\bbridge-hooks:/.test(textOf(path))) return [];
  return [
    createRedFinding(
      "entry-disabled",
      `${path} names entries of bridge-hooks`,
      "Grok Build does not run those",
      `turn them on again in /hooks, or: ${INSTALL}`,
    ),
  ];
}

/** Notes entries that only run in trusted directories. */
function noteTrustedFoldersOnly({ files }: DoctorContext): Finding[] {
  const theirs = files.filter(({ scope, ours }) => scope === "project" && ours.length > 0);
  if (theirs.length === 0) return [];
  return [
    createNote(
      "folder-trust",
      `Grok Build runs the entries in ${formatPaths(theirs)} only in a folder that was trusted`,
      "elsewhere it silently skips them",
      "say /hooks-trust in Grok Build, or start it with --trust",
    ),
  ];
}

/** Notes another host's files with entries for our program that Grok Build runs too. */
function noteImportedEntries(examination: DoctorContext): Finding[] {
  const own = listOurEntries(examination.files);
  return findImportsOfOurEntries(setup, examination).map((path) =>
    own.length > 0
      ? createNote(
          "imported-entries",
          `Grok Build runs the entries in ${path} as well`,
          `those in ${formatPaths(own.map(({ file }) => file))} answer; the imported ones stand down, unless they deny, ask or rewrite`,
          `none needed; to run them once, set hooks = false under [compat.${path.includes("/.claude/") ? "claude" : "cursor"}] in ${grok.folders.user(examination.place)}/config.toml`,
        )
      : createNote(
          "imported-entries",
          `Grok Build has no entry of its own for bridge-hooks, but runs those in ${path}`,
          "they answer in Grok Build's format; a project's in a folder that was trusted",
          "bridge-hooks install --host grok",
        ),
  );
}

/** An entry can't make failures block. */
function findUnsafePolicyFiles({ files }: DoctorContext): Finding[] {
  const closed = listOurEntries(files).filter(({ entry }) => entry.command.includes("--on-error deny"));
  if (closed.length === 0) return [];
  return [
    createNote(
      "fails-open",
      `the entries in ${formatPaths(closed.map(({ file }) => file))} say --on-error deny`,
      "that holds while the executable runs; where it is missing or out of time Grok Build lets the call go on",
      "none: no entry of Grok Build can change that",
    ),
  ];
}

/** Runs the checks that only Grok Build needs. */
async function examineConfig(examination: DoctorContext): Promise<Finding[]> {
  return [
    findManagedRestrictions,
    findDisabledEntries,
    noteTrustedFoldersOnly,
    noteImportedEntries,
    findUnsafePolicyFiles,
  ]
    .flatMap((ask) => ask(examination))
    .concat(reportReleaseSpecificCells(capabilities, examination.version));
}

/** Runs in the project; a command with a space runs in a shell [unverified]. */
const listLaunches: HostDoctor["listLaunches"] = ({ command }, file, payload, place) => {
  const cwd = findCallRoot(file, place);
  const [, sessionId] = /"sessionId"\s*:\s*"([^"]*)"/.exec(payload) ?? [];
  const env = completeEnv(place.env, scriptCodec.buildScriptEnv(cwd, { sessionId }));
  return [
    {
      argv: place.platform === "win32" ? buildPowerShellArgv(command) : ["sh", "-c", command],
      cwd,
      env,
      stdin: payload,
    },
  ];
};

export const hostDoctor: HostDoctor = {
  findConfigProblems,
  getProbePayload: (native_event, subject) => getPayloadAbout(samples, native_event, subject),
  listLaunches,
  judgeAnswer,
  examineConfig,
};
