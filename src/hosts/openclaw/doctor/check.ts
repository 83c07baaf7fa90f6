import type { Payload } from "../../../protocol/host/host.ts";
import type { HostDoctor } from "../../../protocol/host/install.ts";
import { toObject, getRecordedPayload } from "../../setup/findings.ts";
import { listPluginLaunches } from "../../setup/plugin-launches.ts";
import { examineConfig } from "./examine.ts";
import { findConfigProblems } from "./config-problems.ts";
import samples from "../samples.json" with { type: "json" };
import { judgeAnswer } from "../read-answers.ts";

/** Returns the recorded payload with its subject replaced: a shell command or a prompt. */
function getProbePayload(native_event: string, subject?: string): Payload | undefined {
  const recorded = getRecordedPayload(samples, native_event);
  if (typeof toObject(recorded?.params).command === "string")
    return { ...recorded, params: { command: subject ?? "true" } };
  return recorded?.prompt !== undefined && subject !== undefined ? { ...recorded, prompt: subject } : recorded;
}

export const hostDoctor: HostDoctor = {
  findConfigProblems,
  getProbePayload,
  listLaunches: listPluginLaunches,
  judgeAnswer,
  examineConfig,
};
