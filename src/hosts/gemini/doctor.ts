import { existsSync } from "node:fs";
import { dirname, relative } from "node:path";
import * as v from "valibot";
import type {
  ConfigEntry,
  ConfigProblem,
  DoctorContext,
  Finding,
  HostDoctor,
  LoadedConfigFile,
  MachineContext,
} from "../../protocol/host/install.ts";
import { isObject, toObject } from "../../protocol/object.ts";
import { gemini } from "../entries.ts";
import { isSameFile, resolveLinks } from "../follow-links.ts";
import {
  defineDoctor,
  installManaged,
  isChangeableByOthers,
  readOptionalText,
  reportUnpinnedHooks,
} from "../setup/checks.ts";
import { readConfigText } from "../setup/entries.ts";
import { createNote, createRedFinding, formatPaths, listOurEntries } from "../setup/findings.ts";
import { findJsonProblems, findSchemaProblems } from "../setup/json-problems.ts";
import { buildPowerShellArgv, completeEnv, findCallRoot } from "../setup/launches.ts";
import { decodePayload } from "./call.ts";
import { capabilities } from "./capabilities.ts";
import { LOADER_RESET_VARIABLES } from "./install.ts";
import { scriptCodec } from "./native-payloads.ts";
import { judgeAnswer } from "./read-answers.ts";
import samples from "./samples.json" with { type: "json" };

/** With one of these in any of its files, Gemini CLI does not start [seen 0.61.0, 2026-11-22]. */
const ALLOWS = { comments: true, trailingComma: false, bom: false };
const DROPS = "Gemini CLI does not start with it";
/**
 * A matcher that is not a string breaks all hooks of its event, including those of other files: calls pass
 * [seen 0.61.0, 2026-11-22].
 */
const BREAKS = "Gemini CLI runs no hook of this event, from no file, because of it";
/** Gemini CLI skips other problems in hooks, with or without a warning [seen 0.61.0, 2026-11-22]. */
const SKIPS = "Gemini CLI leaves it out";

const Handler = v.pipe(
  v.looseObject({
    type: v.picklist(["command", "plugin", "runtime"], "must be command"),
    command: v.optional(v.string()),
  }),
  v.check(({ type, command }) => type !== "command" || Boolean(command), "a command is missing"),
);
const Group = v.looseObject({ hooks: v.array(Handler) });
const Hooks = v.looseObject({
  hooks: v.optional(v.pipe(v.custom<object>(isObject, "must be an object"), v.record(v.string(), v.array(Group)))),
});

const createInvertedSchema = (fits: (value: unknown) => boolean) => v.custom<unknown>((value) => !fits(value));
const Matched = v.union([
  v.looseObject({ matcher: v.nullish(v.string("must be a string")) }),
  createInvertedSchema(isObject),
]);
const Matchers = v.looseObject({
  hooks: v.optional(
    v.union([
      v.record(v.string(), v.union([v.array(Matched), createInvertedSchema(Array.isArray)])),
      createInvertedSchema(isObject),
    ]),
  ),
});

/** Returns the reasons why Gemini CLI would not obey a settings.json as it stands. */
export function findConfigProblems(text: string): ConfigProblem[] {
  return (
    findJsonProblems(text, ALLOWS, DROPS)?.map((problem) => ({ ...problem, extent: "host" as const })) ?? [
      ...findSchemaProblems(text, Matchers, BREAKS, "host"),
      ...findSchemaProblems(text, Hooks, SKIPS, "part"),
    ]
  );
}

const ID = "gemini";

const getHooksConfig = ({ document }: LoadedConfigFile) => toObject(toObject(document).hooksConfig);

/**
 * The file with the highest precedence decides whether hooks are enabled
 * [seen 0.61.0, 2026-11-22; system-defaults shipped 0.61.0].
 */
function findDisabledHooks(files: readonly LoadedConfigFile[], ours: readonly LoadedConfigFile[]): Finding[] {
  const saying = files.filter((file) => typeof getHooksConfig(file).enabled === "boolean");
  const winner = (["managed", "project", "user", "system"] as const)
    .map((scope) => saying.find((file) => file.scope === scope))
    .find((file) => file !== undefined);
  const managed = ours.filter(({ scope }) => scope === "managed");
  const found: Finding[] = [];
  if (winner && getHooksConfig(winner).enabled === false) {
    const fix =
      winner.scope === "managed"
        ? "set it to true there"
        : `remove it from ${winner.path}, or pin it: ${installManaged(ID)}`;
    found.push(
      createRedFinding(
        "hooks-disabled",
        `${winner.path} sets hooksConfig.enabled = false`,
        "Gemini CLI runs no hook at all",
        fix,
      ),
    );
  }
  if (managed.length > 0 && winner?.scope !== "managed")
    found.push(reportUnpinnedHooks(ID, managed, { key: "hooksConfig.enabled", by: "a trusted project or a user" }));
  return found;
}

/**
 * An entry is disabled by its name, or by its command if it has none; the lists of all files add up
 * [seen 0.61.0, 2026-11-22].
 */
function findDisabledEntries(files: readonly LoadedConfigFile[]): Finding[] {
  const nameOf = ({ handler, command }: ConfigEntry) =>
    typeof handler.name === "string" && handler.name ? handler.name : command;
  const names = new Map(listOurEntries(files).map(({ entry, file }) => [nameOf(entry), file]));
  return files.flatMap((file) => {
    const { disabled: list } = getHooksConfig(file);
    const name = Array.isArray(list) && list.find((one) => names.has(one));
    const impact = `the entries of that name don't run, in ${formatPaths(listOurEntries(files).map((one) => one.file))}`;
    return name
      ? [
          createRedFinding(
            "entry-disabled",
            `${file.path} disables "${name}"`,
            impact,
            `take it out of hooksConfig.disabled in ${file.path}`,
          ),
        ]
      : [];
  });
}

/** Variables of the system's loader; some of them, even if empty, keep a program from starting. */
const LOADERS = /^[ \t]*(?:export[ \t]+)?((?:LD|DYLD)_\w+)[ \t]*=/gm;

/**
 * Finds variables that load code, in the files where a trusted project may set them; Gemini CLI reads the first of
 * these files [seen 0.61.0, 2026-11-22].
 */
function findHarmfulVariables({ place, files }: DoctorContext): Finding[] {
  const ours = listOurEntries(files);
  if (ours.length === 0 || place.platform === "win32") return [];
  const bare = ours.filter(({ entry }) =>
    Object.keys(LOADER_RESET_VARIABLES).some((name) => toObject(entry.handler.env)[name] === undefined),
  );
  return place.roots.flatMap((root) => {
    const path = [`${root}/.gemini/.env`, `${root}/.env`].find(existsSync);
    const text = path ? readOptionalText(path) : "";
    const sets = Object.keys(LOADER_RESET_VARIABLES).filter((name) =>
      new RegExp(`^\\s*(export\\s+)?${name}\\s*=`, "m").test(text),
    );
    const others = [...text.matchAll(LOADERS)].flatMap(([, name = ""]) =>
      name in LOADER_RESET_VARIABLES ? [] : [name],
    );
    const impact = `it decides what the shell of the entries in ${formatPaths((bare.length > 0 ? bare : ours).map(({ file }) => file))} does before it starts bridge-hooks`;
    const again = "install again: the entries then say these variables themselves";
    return [
      ...(bare.length > 0 && sets.length > 0
        ? [createRedFinding("env-loads-code", `${path} sets ${sets.join(", ")}`, impact, again)]
        : []),
      ...(others.length > 0
        ? [createRedFinding("env-loads-code", `${path} sets ${others.join(", ")}`, impact, `take it out of ${path}`)]
        : []),
    ];
  });
}

/** Whether the user trusts a directory: the longest matching rule decides [shipped 0.61.0]. */
function getFolderTrust(
  folder: string,
  place: MachineContext,
  files: readonly LoadedConfigFile[],
): "yes" | "no" | "unknown" {
  const { GEMINI_CLI_TRUST_WORKSPACE: said, GEMINI_RESTRICTED_MODE, GEMINI_CLI_TRUSTED_FOLDERS_PATH } = place.env;
  if (said === "false" || GEMINI_RESTRICTED_MODE === "true") return "no";
  const asks = (scope: LoadedConfigFile["scope"]) =>
    files
      .filter((file) => file.scope === scope)
      .map(({ document }) => toObject(toObject(toObject(document).security).folderTrust).enabled)
      .find((value) => typeof value === "boolean");
  // A project can't change this setting.
  if (said === "true" || (asks("managed") ?? asks("user") ?? asks("system")) === false) return "yes";
  const path = GEMINI_CLI_TRUSTED_FOLDERS_PATH || `${gemini.folders.user(place)}/trustedFolders.json`;
  let rules: [string, unknown][];
  try {
    rules = Object.entries(toObject(Bun.JSONC.parse(readConfigText(path))));
  } catch {
    return "unknown";
  }
  const holding = rules.filter(([rule, level]) => {
    const way = relative(resolveLinks(level === "TRUST_PARENT" ? dirname(rule) : rule), resolveLinks(folder));
    return way !== ".." && !way.startsWith("../") && !way.startsWith("..\\") && !/^([A-Za-z]:|\/)/.test(way);
  });
  const [, level] = holding.sort(([one], [other]) => other.length - one.length)[0] ?? [];
  return level === "DO_NOT_TRUST" ? "no" : level === undefined ? "unknown" : "yes";
}

/** Hooks of every scope only run in trusted directories [seen 0.61.0, 2026-11-22]. */
const findUntrustedFolders = ({ place, files }: DoctorContext): Finding[] =>
  place.roots.flatMap((root) => {
    const trusted = getFolderTrust(root, place, files);
    const fix = `start gemini in ${root}, and trust the folder there (/permissions)`;
    if (trusted === "no")
      return [
        createRedFinding(
          "untrusted",
          `${root} is not trusted in Gemini CLI`,
          "it runs no hook there, whoever configured it",
          fix,
        ),
      ];
    const impact = "it asks before it does anything there, and runs no hook until then; headless it does not start";
    return trusted === "unknown"
      ? [createNote("untrusted", `Gemini CLI was not told to trust ${root}`, impact, fix)]
      : [];
  });

/** Finds a variable that replaces the system settings with another file. */
function findMovedSystemSettings({ place: { env }, files }: DoctorContext): Finding[] {
  const path = env.GEMINI_CLI_SYSTEM_SETTINGS_PATH;
  const managed = files.filter(({ scope, ours }) => scope === "managed" && ours.length > 0);
  if (!path || managed.length === 0 || managed.some((file) => isSameFile(file.path, path))) return [];
  const impact = `Gemini CLI reads ${path} instead of ${formatPaths(managed)}: these entries don't run`;
  return [
    createRedFinding(
      "managed-moved",
      "GEMINI_CLI_SYSTEM_SETTINGS_PATH is set",
      impact,
      "unset it, or let it name that file",
    ),
  ];
}

/**
 * Gemini CLI skips the system settings if users other than root can change them or a directory above them
 * [shipped 0.61.0].
 */
function findInsecureSystemSettings({ place, files }: DoctorContext): Finding[] {
  if (place.platform === "win32" || place.system) return [];
  return files.flatMap(({ scope, path, ours }) => {
    if (scope !== "managed" || ours.length === 0) return [];
    const above = (one: string): string[] => (dirname(one) === one ? [one] : [one, ...above(dirname(one))]);
    const loose = above(path).find(isChangeableByOthers);
    const impact = "Gemini CLI skips the file, with a warning: its entries don't run";
    return loose
      ? [
          createRedFinding(
            "managed-insecure",
            `users other than root can change ${loose}`,
            impact,
            `chown root ${loose} && chmod go-w ${loose}`,
          ),
        ]
      : [];
  });
}

/** Without entries, none of these settings matters. */
function examineEntries(examination: DoctorContext): Finding[] {
  const ours = examination.files.filter((file) => file.ours.length > 0);
  if (ours.length === 0) return [];
  return [
    ...findDisabledHooks(examination.files, ours),
    ...findDisabledEntries(examination.files),
    ...findUntrustedFolders(examination),
    ...findHarmfulVariables(examination),
    ...findMovedSystemSettings(examination),
    ...findInsecureSystemSettings(examination),
  ];
}

/** The entry's own variables win [seen 0.61.0, 2026-11-22]. */
const listLaunches: HostDoctor["listLaunches"] = ({ command, handler }, file, payload, place) => {
  const cwd = findCallRoot(file, place);
  const [, session_id] = /"session_id"\s*:\s*"([^"]*)"/.exec(payload) ?? [];
  const env = completeEnv(place.env, {
    ...scriptCodec.buildScriptEnv(cwd, { session_id }),
    ...(toObject(handler.env) as Record<string, string>),
  });
  // [shipped 0.61.0; not run]
  const line = `${command}; if ($LASTEXITCODE -ne 0) { exit $LASTEXITCODE }`;
  return [
    {
      argv: place.platform === "win32" ? buildPowerShellArgv(line) : ["bash", "-c", command],
      cwd,
      env,
      stdin: payload,
    },
  ];
};

export const hostDoctor = defineDoctor({
  samples,
  capabilities,
  decodePayload,
  findConfigProblems,
  listLaunches,
  judgeAnswer,
  checks: [examineEntries],
});
