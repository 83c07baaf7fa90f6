import { existsSync } from "node:fs";
import * as v from "valibot";
import type { ConfigProblem, DoctorContext, Finding, LoadedConfigFile } from "../../protocol/host/install.ts";
import type { Payload } from "../../protocol/host/payload.ts";
import { isObject, toObject } from "../../protocol/object.ts";
import { isSameFile } from "../follow-links.ts";
import { formatManagedInstall, readOptionalText, reportUnpinnedHooks } from "./checks.ts";
import { createRedFinding, formatPaths, listOurEntries } from "./findings.ts";
import { findJsonProblems, findSchemaProblems, type JsonExtensions } from "./json-problems.ts";
import { LOADER_RESET_VARIABLES } from "./loader-variables.ts";

// Checks for hosts with layered settings.json files: managed, project, user, and system defaults.

/** Describes how a host's settings.json differs from the common format. */
interface SettingsFormat {
  name: string;
  extensions: JsonExtensions;
  /** What happens if the host can't parse a file, as a sentence whose subject is the host. */
  consequence: string;
  /** The handler types that the host supports. */
  types: readonly string[];
  /** Additional constraints on handlers. */
  handler?: v.ObjectEntries;
}

const createInvertedSchema = (predicate: (value: unknown) => boolean) =>
  v.custom<unknown>((value) => !predicate(value));
const MatchedGroup = v.union([
  v.looseObject({ matcher: v.nullish(v.string("must be a string")) }),
  createInvertedSchema(isObject),
]);
const Matchers = v.looseObject({
  hooks: v.optional(
    v.union([
      v.record(v.string(), v.union([v.array(MatchedGroup), createInvertedSchema(Array.isArray)])),
      createInvertedSchema(isObject),
    ]),
  ),
});

/** Creates a schema that accepts only entries that the host runs. */
function createHooksSchema({ types, handler = {} }: SettingsFormat) {
  const Handler = v.pipe(
    v.looseObject({ ...handler, type: v.picklist(types, "must be command"), command: v.optional(v.string()) }),
    v.check(({ type, command }) => type !== "command" || Boolean(command), "a command is missing"),
  );
  const Group = v.looseObject({ hooks: v.array(Handler) });
  return v.looseObject({
    hooks: v.optional(v.pipe(v.custom<object>(isObject, "must be an object"), v.record(v.string(), v.array(Group)))),
  });
}

/**
 * Finds the problems that would keep the host from applying a settings.json as written. A matcher that is not a string
 * disables all hooks of its event, even those in other files, and the host then runs every call on this event [seen
 * Gemini CLI 0.61.0, 2026-11-22, and Qwen Code 0.24.4, 2026-11-29].
 */
export function findSettingsProblems(text: string, format: SettingsFormat): ConfigProblem[] {
  const { name, extensions, consequence } = format;
  const breaks = `${name} runs no hooks for this event, from any file`;
  return (
    findJsonProblems(text, extensions, consequence)?.map((problem) => ({ ...problem, extent: "host" as const })) ?? [
      ...findSchemaProblems(text, Matchers, breaks, "host"),
      ...findSchemaProblems(text, createHooksSchema(format), `${name} ignores it`, "part"),
    ]
  );
}

interface HooksSwitch {
  id: string;
  name: string;
  /** Name of the setting, as used in messages. */
  key: string;
  /** The value that enables hooks. */
  on: boolean;
  readValue: (document: Payload) => unknown;
  /** Who can change the setting unless an administrator pins it. */
  by: string;
}

/** Config scopes, in order of precedence. */
const SCOPE_PRECEDENCE = ["managed", "project", "user", "system"] as const;

/** Finds a setting that turns off all hooks, and managed hooks whose file doesn't pin this setting. */
export function findDisabledHooks({ files }: Pick<DoctorContext, "files">, hooksSwitch: HooksSwitch): Finding[] {
  const { id, name, key, on, by, readValue } = hooksSwitch;
  const getSwitchValue = ({ document }: LoadedConfigFile) => readValue(toObject(document));
  const filesWithSwitch = files.filter((file) => typeof getSwitchValue(file) === "boolean");
  const winner = SCOPE_PRECEDENCE.map((scope) => filesWithSwitch.find((file) => file.scope === scope)).find(
    (file) => file,
  );
  const managed = files.filter(({ scope, ownEntries }) => scope === "managed" && ownEntries.length > 0);
  const findings: Finding[] = [];
  if (winner && getSwitchValue(winner) !== on) {
    const fix =
      winner.scope === "managed"
        ? `set ${key} to ${on} in that file`
        : `remove the setting from ${winner.path}, or pin it with ${formatManagedInstall(id)}`;
    const problem = `${winner.path} sets ${key} = ${!on}`;
    findings.push(createRedFinding("hooks-disabled", problem, `${name} runs no hooks at all`, fix));
  }
  if (managed.length > 0 && winner?.scope !== "managed")
    findings.push(reportUnpinnedHooks(id, managed, { key, by, on }));
  return findings;
}

/** Finds an environment variable that replaces the managed settings with another file. */
export function findMovedSettings(
  { machine: { env }, files }: DoctorContext,
  name: string,
  variable: string,
): Finding[] {
  const path = env[variable];
  const managed = files.filter(({ scope, ownEntries }) => scope === "managed" && ownEntries.length > 0);
  if (!path || managed.length === 0 || managed.some((file) => isSameFile(file.path, path))) return [];
  const impact = `${name} reads ${path} instead of ${formatPaths(managed)}, so these entries don't run`;
  return [
    createRedFinding(
      "managed-moved",
      `${variable} is set`,
      impact,
      "unset the variable, or set it to the managed file",
    ),
  ];
}

/** Matches names of dynamic loader variables. Some of them prevent a program from starting even if they are empty. */
const LOADER_VARIABLE = /^[ \t]*(?:export[ \t]+)?((?:LD|DYLD)_\w+)[ \t]*=/gm;

/**
 * Finds code-injecting variables in a project's .env files. The host reads only the first file that exists.
 * @param listEnvFiles returns a directory's .env files in order of precedence.
 */
export function findHarmfulVariables(
  { machine, files }: DoctorContext,
  listEnvFiles: (root: string) => readonly string[],
): Finding[] {
  const installedEntries = listOurEntries(files);
  if (installedEntries.length === 0 || machine.platform === "win32") return [];
  const unprotectedEntries = installedEntries.filter(({ entry }) =>
    Object.keys(LOADER_RESET_VARIABLES).some((name) => toObject(entry.handler.env)[name] === undefined),
  );
  return machine.roots.flatMap((root) => {
    const path = listEnvFiles(root).find(existsSync);
    const text = path ? readOptionalText(path) : "";
    const sets = Object.keys(LOADER_RESET_VARIABLES).filter((name) =>
      new RegExp(`^[ \\t]*(?:export[ \\t]+)?${name}[ \\t]*=`, "m").test(text),
    );
    const otherVariables = [...text.matchAll(LOADER_VARIABLE)].flatMap(([, name = ""]) =>
      name in LOADER_RESET_VARIABLES ? [] : [name],
    );
    const impact = `the setting controls what the shell that runs the entries in ${formatPaths((unprotectedEntries.length > 0 ? unprotectedEntries : installedEntries).map(({ file }) => file))} does before it starts bridge-hooks`;
    const reinstallFix = "reinstall so that the entries set these variables themselves";
    return [
      ...(unprotectedEntries.length > 0 && sets.length > 0
        ? [createRedFinding("env-loads-code", `${path} sets ${sets.join(", ")}`, impact, reinstallFix)]
        : []),
      ...(otherVariables.length > 0
        ? [
            createRedFinding(
              "env-loads-code",
              `${path} sets ${otherVariables.join(", ")}`,
              impact,
              `remove this setting from ${path}`,
            ),
          ]
        : []),
    ];
  });
}
