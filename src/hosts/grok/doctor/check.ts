import type { HostDoctor } from "../../../protocol/host/install.ts";
import { completeEnv, buildPowerShellArgv, findCallRoot, getPayloadAbout } from "../../setup/findings.ts";
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

export const hostDoctor: HostDoctor = {
  findConfigProblems,
  getProbePayload: (native_event, subject) => getPayloadAbout(samples, native_event, subject),
  listLaunches,
  judgeAnswer,
  examineConfig,
};
