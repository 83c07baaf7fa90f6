import type { Env } from "../../protocol/host/host.ts";
import type { Finding, LoadedConfigFile } from "../../protocol/host/install.ts";
import { defineDoctor } from "../setup/checks.ts";
import { createRedFinding, formatPaths } from "../setup/findings.ts";
import { listPluginLaunches } from "../setup/launches.ts";
import { findModuleProblems } from "../setup/plugin-module.ts";
import { decodePayload } from "./call.ts";
import { capabilities } from "./capabilities.ts";
import { judgeAnswer } from "./read-answers.ts";
import samples from "./samples.json" with { type: "json" };

/**
 * Whether a variable turns an option on. OpenCode treats every value except the ones listed here as "on" [shipped
 * 1.18.33].
 */
const isTruthyValue = (value: string | undefined) => value !== undefined && !/^(|false|no|off|0|n)$/i.test(value);

const formatUnset = (name: string) => `unset ${name}`;

/** Finds environment variables that prevent OpenCode from loading the files with our entries. */
function findDisablingVariables(env: Env, ourFiles: readonly LoadedConfigFile[]): Finding[] {
  const of = (scope: LoadedConfigFile["scope"]) => ourFiles.filter((file) => file.scope === scope);
  const createFinding = (name: string, files: readonly LoadedConfigFile[]) =>
    createRedFinding(
      "plugins-disabled",
      `${name} is set`,
      `OpenCode does not load ${formatPaths(files)}, so these hooks don't run`,
      formatUnset(name),
    );
  return [
    ...(isTruthyValue(env.OPENCODE_PURE) && ourFiles.length > 0 ? [createFinding("OPENCODE_PURE", ourFiles)] : []),
    ...(isTruthyValue(env.OPENCODE_DISABLE_PROJECT_CONFIG) && of("project").length > 0
      ? [createFinding("OPENCODE_DISABLE_PROJECT_CONFIG", of("project"))]
      : []),
    ...(env.OPENCODE_TEST_MANAGED_CONFIG_DIR && of("managed").length > 0
      ? [createFinding("OPENCODE_TEST_MANAGED_CONFIG_DIR", of("managed"))]
      : []),
  ];
}

export const hostDoctor = defineDoctor({
  samples,
  capabilities,
  decodePayload,
  findConfigProblems: findModuleProblems,
  listLaunches: listPluginLaunches,
  judgeAnswer,
  checks: [
    ({ machine, files }) =>
      findDisablingVariables(
        machine.env,
        files.filter((file) => file.ownEntries.length > 0),
      ),
  ],
});
