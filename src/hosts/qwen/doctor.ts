import { existsSync } from "node:fs";
import { dirname } from "node:path";
import * as v from "valibot";
import type { ConfigProblem, DoctorContext, Finding, MachineContext } from "../../protocol/host/install.ts";
import { toObject } from "../../protocol/object.ts";
import { qwen } from "../entries.ts";
import { defineDoctor, noteOpenFailures, noteTrustedFoldersOnly, readOptionalText } from "../setup/checks.ts";
import { createNote, createRedFinding, listOurEntries } from "../setup/findings.ts";
import {
  findDisabledHooks,
  findHarmfulVariables,
  findMovedSettings,
  findSettingsProblems,
} from "../setup/hook-settings.ts";
import { createShellLauncher } from "../setup/launches.ts";
import { decodePayload } from "./call.ts";
import { capabilities } from "./capabilities.ts";
import { HOOK_DISABLING_VARIABLES } from "./host.ts";
import { scriptCodec } from "./native-payloads.ts";
import { judgeAnswer } from "./read-answers.ts";
import samples from "./samples.json" with { type: "json" };

// JSON syntax extensions that Qwen Code accepts [seen 0.24.4, 2026-11-29].
const ALLOWED_JSON_EXTENSIONS = { comments: true, trailingComma: false, bom: true };
const FILE_CONSEQUENCE =
  "Qwen Code doesn't start with this file; if it is a project's file, Qwen Code empties it instead";
const seconds = v.nullish(v.pipe(v.number("must be a number of seconds"), v.minValue(0.001)));

/** Finds the problems that would keep Qwen Code from applying a settings.json as written. */
export const findConfigProblems = (text: string): ConfigProblem[] =>
  findSettingsProblems(text, {
    name: "Qwen Code",
    extensions: ALLOWED_JSON_EXTENSIONS,
    consequence: FILE_CONSEQUENCE,
    types: ["command", "http", "prompt", "function"],
    // Qwen Code converts a string timeout to a number and replaces any other invalid value with 60 seconds [a number
    // seen 0.24.4, 2026-11-29].
    handler: { timeout: seconds },
  });

/**
 * Lists the files from which Qwen Code can load a project's environment variables, in order of precedence. Only the
 * first one that exists is read [shipped 0.24.4].
 */
function listEnvFiles(root: string, { home }: MachineContext): string[] {
  const folders = [root];
  for (let at = root; at !== home && dirname(at) !== at; folders.push(at)) at = dirname(at);
  return folders.filter((folder) => folder !== home).flatMap((folder) => [`${folder}/.qwen/.env`, `${folder}/.env`]);
}

/** Lists the user's .env files. Qwen Code reads them after the project's files [shipped 0.24.4]. */
const listOwnEnvFiles = (machine: MachineContext) => [`${qwen.folders.user(machine)}/.env`, `${machine.home}/.env`];

/** Whether a variable's value turns a mode on [shipped 0.24.4]. */
const isTruthyValue = (value: unknown) => typeof value === "string" && /^\s*(1|true|yes|on)\s*$/i.test(value);

function readVariable(text: string, name: string): string | undefined {
  const match = new RegExp(`^[ \\t]*(?:export[ \\t]+)?${name}[ \\t]*[=:][ \\t]*(["'\`]?)([^"'\`#\\n]*)\\1`, "m").exec(
    text,
  );
  return match?.[2]?.trim();
}

/** Finds where a variable is set. The environment takes precedence over files, and earlier files over later ones. */
function findVariable(name: string, { machine, files }: DoctorContext, root: string): { path: string; value: unknown } {
  if (machine.env[name]) return { path: "the environment", value: machine.env[name] };
  const project = listEnvFiles(root, machine).find(existsSync);
  const texts = [...(project ? [project] : []), ...listOwnEnvFiles(machine)];
  for (const path of texts) {
    const value = readVariable(readOptionalText(path), name);
    if (value) return { path, value };
  }
  const layers = (["managed", "project", "user", "system"] as const).flatMap((scope) =>
    files.filter((file) => file.scope === scope && (scope !== "project" || file.path.startsWith(`${root}/`))),
  );
  const file = layers.find(({ document }) => toObject(toObject(document).env)[name] !== undefined);
  return { path: file?.path ?? "", value: toObject(toObject(file?.document).env)[name] };
}

const describePin = () =>
  `set ${HOOK_DISABLING_VARIABLES.map((name) => `${name}=0`).join(" and ")} in Qwen Code's environment`;

/** Finds environment variables that disable all hooks, including managed ones [seen 0.24.4, 2026-11-29]. */
function findHookDisablingVariables(context: DoctorContext): Finding[] {
  const roots = context.machine.roots.length > 0 ? context.machine.roots : [context.machine.home];
  const findings = roots.flatMap((root) =>
    HOOK_DISABLING_VARIABLES.flatMap((name) => {
      const { path, value } = findVariable(name, context, root);
      if (!isTruthyValue(value)) return [];
      return [
        createRedFinding(
          "hooks-disabled",
          `${path} sets ${name}`,
          "Qwen Code runs no hooks at all, not even managed ones",
          path === "the environment" ? `unset ${name}` : `remove the variable from ${path}, and ${describePin()}`,
        ),
      ];
    }),
  );
  const isPinned = HOOK_DISABLING_VARIABLES.every((name) => context.machine.env[name]);
  if (findings.length > 0 || isPinned) return findings;
  return [
    createNote(
      "hooks-switchable",
      `the environment does not set ${HOOK_DISABLING_VARIABLES.join(" and ")}`,
      "a project's .env, .qwen/.env or settings can set one of them, after which Qwen Code runs no hooks there",
      describePin(),
    ),
  ];
}

/** Shell startup files in which users define aliases. */
const RC_FILES = [".bashrc", ".bash_aliases", ".profile", ".zshrc", ".config/fish/config.fish"];

/** Finds aliases that start Qwen Code without hooks. */
const findAliases = ({ machine: { home } }: DoctorContext): Finding[] =>
  RC_FILES.flatMap((name) => {
    const path = `${home}/${name}`;
    const line = readOptionalText(path)
      .split("\n")
      .find(
        (text) =>
          /^\s*alias\s/.test(text) &&
          /\bqwen\b/.test(text) &&
          (qwen.hookControls.describeBypass(text.split(/[\s"'=]+/), () => undefined) !== undefined ||
            HOOK_DISABLING_VARIABLES.some((variable) =>
              isTruthyValue(readVariable(text.replaceAll(/["'\s]/g, "\n"), variable)),
            )),
      );
    const impact = "sessions started with this alias run no hooks";
    return line
      ? [createRedFinding("alias-bypass", `${path} has ${line.trim()}`, impact, `remove the flag from ${path}`)]
      : [];
  });

/** Finds asynchronous entries, whose answers Qwen Code does not wait for. */
const findAsyncEntries = ({ files }: DoctorContext): Finding[] =>
  listOurEntries(files).flatMap(({ file, entry }) =>
    entry.handler.async === true
      ? [
          createRedFinding(
            "entry-async",
            `${file.path}: the entry for ${entry.native_event} sets async`,
            "Qwen Code continues before the hook answers, so a denial has no effect",
            "remove async from the entry",
          ),
        ]
      : [],
  );

/**
 * Adds a note about project entries that run only in trusted folders. With folder trust turned off, Qwen Code runs them
 * everywhere [shipped 0.24.4].
 */
const noteUntrustedFolders = ({ files }: DoctorContext) => {
  const requiresTrust = ({ document }: (typeof files)[number]) =>
    toObject(toObject(toObject(document).security).folderTrust).enabled === true;
  return files.some((file) => file.scope !== "project" && requiresTrust(file))
    ? noteTrustedFoldersOnly(
        "Qwen Code",
        files.filter(({ scope, ownEntries }) => scope === "project" && ownEntries.length > 0),
        ["in other folders Qwen Code skips the entries", "run /trust in Qwen Code to trust the folder"],
      )
    : [];
};

/** Runs the checks that only matter if entries exist. */
function examineEntries(context: DoctorContext): Finding[] {
  if (listOurEntries(context.files).length === 0) return [];
  return [
    // The switch that disables all hooks [seen 0.24.4, 2026-11-27].
    ...findDisabledHooks(context, {
      ...{ id: "qwen", name: "Qwen Code", key: "disableAllHooks", on: false },
      readValue: ({ disableAllHooks }) => disableAllHooks,
      by: "any project or a user",
    }),
    ...findHookDisablingVariables(context),
    ...findHarmfulVariables(context, (root) => listEnvFiles(root, context.machine)),
    ...findMovedSettings(context, "Qwen Code", "QWEN_CODE_SYSTEM_SETTINGS_PATH"),
    ...findAliases(context),
    ...findAsyncEntries(context),
    ...noteUntrustedFolders(context),
  ];
}

export const hostDoctor = defineDoctor({
  samples,
  capabilities,
  decodePayload,
  findConfigProblems,
  // Launches entries in a shell [shipped 0.24.4; on Windows unverified].
  listLaunches: createShellLauncher(scriptCodec),
  judgeAnswer,
  checks: [examineEntries, noteOpenFailures("Qwen Code")],
});
