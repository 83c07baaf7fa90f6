import type { Env, Payload } from "../../protocol/host/host.ts";
import type { Finding, LoadedConfigFile } from "../../protocol/host/install.ts";
import { toObject } from "../../protocol/object.ts";
import { defineDoctor } from "../setup/checks.ts";
import { createRedFinding, formatPaths } from "../setup/findings.ts";
import { listPluginLaunches } from "../setup/launches.ts";
import { findModuleProblems } from "../setup/plugin-module.ts";
import { getRecordedPayload } from "../setup/probes.ts";
import { capabilities } from "./capabilities.ts";
import { judgeAnswer } from "./read-answers.ts";
import samples from "./samples.json" with { type: "json" };

/** OpenCode accepts no other words for false [shipped 1.18.33]. */
const isOn = (value: string | undefined) => value !== undefined && !/^(|false|no|off|0|n)$/i.test(value);

const formatUnset = (name: string) => `unset ${name}`;

/** Finds variables that keep OpenCode from loading the files with our entries. */
function findDisablingVariables(env: Env, ours: readonly LoadedConfigFile[]): Finding[] {
  const of = (scope: LoadedConfigFile["scope"]) => ours.filter((file) => file.scope === scope);
  const skipped = (name: string, files: readonly LoadedConfigFile[]) =>
    createRedFinding(
      "plugins-disabled",
      `${name} is set`,
      `OpenCode does not load ${formatPaths(files)}: no hook of it runs`,
      formatUnset(name),
    );
  return [
    ...(isOn(env.OPENCODE_PURE) && ours.length > 0 ? [skipped("OPENCODE_PURE", ours)] : []),
    ...(isOn(env.OPENCODE_DISABLE_PROJECT_CONFIG) && of("project").length > 0
      ? [skipped("OPENCODE_DISABLE_PROJECT_CONFIG", of("project"))]
      : []),
    ...(env.OPENCODE_TEST_MANAGED_CONFIG_DIR && of("managed").length > 0
      ? [skipped("OPENCODE_TEST_MANAGED_CONFIG_DIR", of("managed"))]
      : []),
  ];
}

/** Returns the payload recorded for an event, with its subject replaced: a shell command, or the user's prompt. */
function getProbePayload(native_event: string, subject?: string): Payload | undefined {
  const recorded = getRecordedPayload(samples, native_event);
  if (!recorded) return undefined;
  const { input, output } = { input: toObject(recorded.input), output: toObject(recorded.output) };
  const command = (args: unknown) => ({ ...toObject(args), command: subject ?? "true" });
  switch (native_event) {
    case "tool.execute.before":
      return { ...recorded, output: { ...output, args: command(output.args) } };
    case "tool.execute.after":
      return { ...recorded, input: { ...input, args: command(input.args) } };
    case "chat.message": {
      const parts = (output.parts as Payload[]).map((part) => ({
        ...part,
        ...(subject !== undefined && { text: subject }),
      }));
      return { ...recorded, output: { ...output, parts } };
    }
    default:
      return recorded;
  }
}

/** The plugin starts the executable without a shell, in OpenCode's environment. */
export const hostDoctor = defineDoctor({
  samples,
  capabilities,
  findConfigProblems: findModuleProblems,
  getProbePayload,
  listLaunches: listPluginLaunches,
  judgeAnswer,
  checks: [
    ({ place, files }) =>
      findDisablingVariables(
        place.env,
        files.filter((file) => file.ours.length > 0),
      ),
  ],
});
