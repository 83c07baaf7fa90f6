import { quoteCommand } from "../../protocol/host/quote.ts";
import type { HookDescriptor } from "../../protocol/hook.ts";
import type { Finding } from "../../protocol/host/install.ts";
import { createNote, createRedFinding } from "../../hosts/setup/findings.ts";
import { listHooks } from "../list/list.ts";
import type { ConfigReport, ListedHook } from "../list/report.ts";
import { describeTrust, NOT_TRUSTED_REASON, TRUST_PROJECT_ADVICE } from "../../policy/check/rule-findings.ts";
import { getOwnCommand } from "../../system/own-command.ts";
import { checkWeakenedPolicy } from "./weakened-policy.ts";

const FAILURE_PREFIX = /^the hook "[^"]*" fails: /;

/** Returns whether a finding reports why hooks fail on every call. */
export const isFailureCause = ({ check }: Finding): boolean =>
  check === "settings-unreadable" || check === "hook-fails";

/** Lists the config files, with positions, that make hooks fail, as the hooks' failures name them. */
export const listFailureLocations = (findings: readonly Finding[]): string[] =>
  findings.filter(isFailureCause).flatMap(({ what }) => {
    const [location = ""] = what.replace(FAILURE_PREFIX, "").split(": ");
    return /[/\\]/.test(location) ? [location] : [];
  });

const SETTING_FIX = `correct the setting; to list all settings with their files: ${getOwnCommand()} list`;

/** A broken project file is ignored instead of making a hook fail, because calls might then be allowed. */
const IGNORED_IMPACT = "the file's hook settings are ignored, and every call prints a warning";

/** Checks this executable's hooks, and the config files that apply to a session in a directory. */
export async function checkSettings(entries: readonly HookDescriptor[], cwd: string): Promise<Finding[]> {
  const { hooks, config } = await listHooks({ entries, files: new Map() }, cwd);
  const brokenFiles = config.filter(({ problem }) => problem !== undefined);
  const project = config.find(({ scope }) => scope === "project")?.file;
  return [
    ...brokenFiles.map(reportUnreadableFile),
    ...config.flatMap(reportConfigFile),
    ...hooks.flatMap((hook) => reportHookProblems(hook, brokenFiles, project)),
    ...hooks.flatMap(reportMatcherNotes),
    ...hooks.flatMap(reportUnknownSettings),
    ...hooks.flatMap(reportLockedSettings),
    ...hooks.flatMap((hook) => reportUntrustedSettings(hook, project)),
    ...(await checkWeakenedPolicy(entries, cwd)),
  ];
}

const reportUnreadableFile = ({ problem = "", scope, file }: ConfigReport): Finding =>
  createRedFinding(
    "settings-unreadable",
    problem,
    scope === "project"
      ? IGNORED_IMPACT
      : "hooks with settings fail on every call, and block the call if their failure policy is deny",
    `correct the file; to check it: ${getOwnCommand()} config check ${quoteCommand([file], "sh")}`,
  );

/** Reports why a hook fails, except for problems that affect whole files. */
function reportHookProblems(
  { name, problem = "", onError }: ListedHook,
  brokenFiles: readonly ConfigReport[],
  project: string | undefined,
): Finding[] {
  const hookProblems = problem.split("\n").filter((line) => line && !brokenFiles.some((file) => file.problem === line));
  const impact =
    onError === "deny"
      ? "the hook blocks every call that it receives"
      : "calls that the hook would block may be allowed";
  return hookProblems.map((line) =>
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
      "the hook isn't called for such calls",
      "fix the hook and rebuild the executable",
    ),
  );

const reportUnknownSettings = ({ name, unknown }: ListedHook): Finding[] =>
  unknown.map((setting) =>
    createNote(
      "settings-unknown",
      `${setting.file}: hooks.${name}.${setting.name}: unknown setting`,
      "the setting is ignored; all other settings apply",
      setting.near === undefined
        ? `a newer executable may support the setting; to list all settings: ${getOwnCommand()} list`
        : `did you mean ${setting.near}?`,
    ),
  );

const reportLockedSettings = ({ name, lockedOut }: ListedHook): Finding[] =>
  lockedOut.map(({ name: key, file, by }) =>
    createNote(
      "settings-locked",
      `${file}: hooks.${name}.${key}: ignored: ${by} locks it`,
      "that file's value applies, or else the default",
      "delete the setting here, or ask that file's owner",
    ),
  );

const reportUntrustedSettings = ({ name, ignored }: ListedHook, project: string | undefined): Finding[] =>
  ignored.length === 0 || project === undefined
    ? []
    : [
        createNote(
          "settings-untrusted",
          `${project}: hooks.${name}: ${ignored.join(", ")}: ignored: ${NOT_TRUSTED_REASON}${describeTrust({ project: { scope: "project", path: project } })}`,
          "otherwise any cloned repository could weaken a hook",
          TRUST_PROJECT_ADVICE,
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
