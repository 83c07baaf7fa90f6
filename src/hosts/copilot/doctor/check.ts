import type { HostDoctor } from "../../../protocol/host/install.ts";
import {
  completeEnv,
  getConfigFolder,
  buildPowerShellArgv,
  findCallRoot,
  getPayloadAbout,
} from "../../setup/findings.ts";
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

export const hostDoctor: HostDoctor = {
  findConfigProblems,
  getProbePayload: (native_event, subject) => getPayloadAbout(samples, native_event, subject),
  listLaunches,
  judgeAnswer,
  examineConfig,
};
