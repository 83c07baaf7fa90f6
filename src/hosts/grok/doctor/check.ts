import type { Payload } from "../../../protocol/host/host.ts";
import type { HostDoctor } from "../../../protocol/host/install.ts";
import { completeEnv, buildPowerShellArgv, findCallRoot, getPayloadAbout } from "../../doctor-helpers.ts";
import { examineConfig } from "./examine.ts";
import { findConfigProblems } from "./config-problems.ts";
import samples from "../samples.json" with { type: "json" };
import { scriptCodec } from "../scripts/native-payloads.ts";
import { judgeAnswer } from "../read-answers.ts";

/** Runs in the project; a command with a space runs in a shell [unverified]. */
const listLaunches: HostDoctor["listLaunches"] = ({ command }, file, payload, place) => {
  const cwd = findCallRoot(file, place);
  const [, sessionId] = /"sessionId"\s*:\s*"([^"]*)"/.exec(payload) ?? [];
  const env = completeEnv(place.env, scriptCodec.buildScriptEnv(cwd, { sessionId }));
  return [
    {
      argv: place.platform === "win32" ? buildPowerShellArgv(command) : ["sh", "-c", command],
      cwd,
      env,
      stdin: payload,
    },
  ];
};

/** The subject of a call is in `toolInput`. */
function getProbePayload(native_event: string, subject?: string): Payload | undefined {
  const given: Readonly<Record<string, Payload>> = samples;
  const { toolInput: tool_input, ...rest } = (Object.hasOwn(given, native_event) && given[native_event]) || {};
  if (tool_input === undefined) return getPayloadAbout(given, native_event, subject);
  const { tool_input: toolInput, ...others } = getPayloadAbout(
    { [native_event]: { ...rest, tool_input } },
    native_event,
    subject,
  ) as Payload;
  return { ...others, toolInput };
}

export const hostDoctor: HostDoctor = { findConfigProblems, getProbePayload, listLaunches, judgeAnswer, examineConfig };
