import type { Payload } from "../../../protocol/host/host.ts";
import type { HostDoctor } from "../../../protocol/host/install.ts";
import { toObject, getRecordedPayload } from "../../setup/findings.ts";
import { listPluginLaunches } from "../../setup/plugin-launches.ts";
import { examineConfig } from "./examine.ts";
import { findConfigProblems } from "./config-problems.ts";
import samples from "../samples.json" with { type: "json" };
import { judgeAnswer } from "../read-answers.ts";

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
export const hostDoctor: HostDoctor = {
  findConfigProblems,
  getProbePayload,
  listLaunches: listPluginLaunches,
  judgeAnswer,
  examineConfig,
};
