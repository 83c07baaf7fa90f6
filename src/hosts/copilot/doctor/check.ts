import type { Payload } from "../../../protocol/host/host.ts";
import type { HostDoctor } from "../../../protocol/host/install.ts";
import {
  completeEnv,
  getConfigFolder,
  buildPowerShellArgv,
  getRecordedPayload,
  findCallRoot,
  getPayloadAbout,
} from "../../doctor-helpers.ts";
import { examineConfig } from "./examine.ts";
import { findConfigProblems } from "./config-problems.ts";
import samples from "../samples.json" with { type: "json" };
import { scriptCodec } from "../scripts/native-payloads.ts";
import { judgeAnswer } from "../read-answers.ts";

/** Runs in the project, without the user's profile [seen 1.0.102, 2026-11-22]. */
const listLaunches: HostDoctor["listLaunches"] = ({ command }, file, payload, place) => {
  const root = findCallRoot(file, place);
  const env = completeEnv(place.env, {
    ...scriptCodec.buildScriptEnv(root, {}),
    COPILOT_HOOK_DIR: getConfigFolder(file),
  });
  const argv =
    place.platform === "win32" ? buildPowerShellArgv(command) : ["/bin/bash", "--norc", "--noprofile", "-c", command];
  return [{ argv, cwd: root, env, stdin: payload }];
};

/** Names of the input in a payload. */
const INPUTS = ["toolArgs", "toolInput"] as const;

/** In camelCase payloads the subject of a call has another name. */
function getProbePayload(native_event: string, subject?: string): Payload | undefined {
  const recorded = getRecordedPayload(samples, native_event);
  const key = INPUTS.find((name) => recorded?.[name] !== undefined);
  if (!recorded || !key) return getPayloadAbout(samples, native_event, subject);
  const { [key]: tool_input, ...rest } = recorded;
  const { tool_input: about, ...others } = getPayloadAbout(
    { [native_event]: { ...rest, tool_input } },
    native_event,
    subject,
  ) as Payload;
  return { ...others, [key]: about };
}

export const hostDoctor: HostDoctor = { findConfigProblems, getProbePayload, listLaunches, judgeAnswer, examineConfig };
