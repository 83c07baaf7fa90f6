import type { HookDescriptor } from "../../protocol/hook.ts";
import type { Finding } from "../../protocol/host/install.ts";
import { createNote, createRedFinding } from "../../hosts/setup/findings.ts";
import { listHooks } from "../list/list.ts";
import type { ConfigReport, ListedHook } from "../list/report.ts";
import { describeTrust, NOT_TRUSTED, TRUST_IT } from "../../policy/check/rule-findings.ts";
import { getOwnCommand } from "../../system/own-command.ts";

const SETTING_FIX = `correct it there; ${getOwnCommand()} list shows every setting, and whose it is`;

/** A broken project file must not make a hook fail, since calls might then pass. */
const IGNORED_IMPACT = "its hook settings are ignored, and every call warns about it";

/** Checks this executable's hooks and config files for a session in a directory. */
export async function checkSettings(entries: readonly HookDescriptor[], cwd: string): Promise<Finding[]> {
  const { hooks, config } = await listHooks({ entries, files: new Map() }, cwd);
  const broken = config.filter(({ problem }) => problem !== undefined);
  const project = config.find(({ scope }) => scope === "project")?.file;
  return [
    ...broken.map(reportUnreadableFile),
    ...config.flatMap(reportConfigFile),
    ...hooks.flatMap((hook) => reportHookProblems(hook, broken, project)),
    ...hooks.flatMap(reportMatcherNotes),
    ...hooks.flatMap(reportUnknownSettings),
    ...hooks.flatMap(reportLockedSettings),
    ...hooks.flatMap((hook) => reportUntrustedSettings(hook, project)),
  ];
}

const reportUnreadableFile = ({ problem = "", scope }: ConfigReport): Finding =>
  createRedFinding(
    "settings-unreadable",
    problem,
    scope === "project"
      ? IGNORED_IMPACT
      : "hooks with settings fail at every call; those that deny on failure block all of them",
    SETTING_FIX,
  );

/** Reports why a hook fails, excluding problems with whole files. */
function reportHookProblems(
  { name, problem = "", onError }: ListedHook,
  broken: readonly ConfigReport[],
  project: string | undefined,
): Finding[] {
  const own = problem.split("\n").filter((line) => line && !broken.some((file) => file.problem === line));
  const impact =
    onError === "deny" ? "it blocks every call that it is asked about" : "calls that it would block may pass";
  return own.map((line) =>
    project !== undefined && line.startsWith(project)
      ? createRedFinding("settings-wrong", line, IGNORED_IMPACT, SETTING_FIX)
      : createRedFinding("hook-fails", `the hook "${name}" fails: ${line}`, impact, SETTING_FIX),
  );
}

const reportMatcherNotes = ({ name, notes }: ListedHook): Finding[] =>
  notes.map((line) =>
    createNote(
      "matcher",
      `the hook "${name}": ${line}`,
      "it is not asked about those calls",
      "correct it, and build the executable again",
    ),
  );

const reportUnknownSettings = ({ name, unknown }: ListedHook): Finding[] =>
  unknown.map((setting) =>
    createNote(
      "settings-unknown",
      `${setting.file}: hooks.${name}.${setting.name}: unknown setting`,
      "it is ignored; the other settings apply",
      setting.near === undefined
        ? `${getOwnCommand()} list shows every setting; a newer executable may have this one`
        : `did you mean ${setting.near}?`,
    ),
  );

const reportLockedSettings = ({ name, lockedOut }: ListedHook): Finding[] =>
  lockedOut.map(({ name: key, file, by }) =>
    createNote(
      "settings-locked",
      `${file}: hooks.${name}.${key}: ignored: ${by} locks it`,
      "what that file sets counts, or else the default",
      "delete it here, or ask whoever owns that file",
    ),
  );

const reportUntrustedSettings = ({ name, ignored }: ListedHook, project: string | undefined): Finding[] =>
  ignored.length === 0 || project === undefined
    ? []
    : [
        createNote(
          "settings-untrusted",
          `${project}: hooks.${name}: ${ignored.join(", ")}: ignored: ${NOT_TRUSTED}${describeTrust({ project: { scope: "project", path: project } })}`,
          "otherwise any cloned repository could loosen a hook",
          TRUST_IT,
        ),
      ];

/** Reports invalid or ignored values in a config file. */
export const reportConfigFile = ({ file, findings }: Pick<ConfigReport, "file" | "findings">): Finding[] =>
  findings.map(({ kind, level, line, column, path, message, impact, fix }) =>
    (level === "red" ? createRedFinding : createNote)(
      kind,
      `${file}:${line}:${column}: ${path}: ${message}`,
      impact,
      fix,
    ),
  );
