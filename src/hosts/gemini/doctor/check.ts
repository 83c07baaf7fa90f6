import type { HostDoctor } from "../../../protocol/host/install.ts";
import { completeEnv, toObject, buildPowerShellArgv, findCallRoot, getPayloadAbout } from "../../setup/findings.ts";
import { examineConfig } from "./examine.ts";
import { findConfigProblems } from "./config-problems.ts";
import samples from "../samples.json" with { type: "json" };
import { scriptCodec } from "../scripts/native-payloads.ts";
import { judgeAnswer } from "../read-answers.ts";

/** The entry's own variables win [seen 0.61.0, 2026-11-22]. */
const listLaunches: HostDoctor["listLaunches"] = ({ command, handler }, file, payload, place) => {
  const cwd = findCallRoot(file, place);
  const [, session_id] = /"session_id"\s*:\s*"([^"]*)"/.exec(payload) ?? [];
  const env = completeEnv(place.env, {
    ...scriptCodec.buildScriptEnv(cwd, { session_id }),
    ...(toObject(handler.env) as Record<string, string>),
  });
  // [shipped 0.61.0; not run]
  const line = `${command}; if ($LASTEXITCODE -ne 0) { exit $LASTEXITCODE }`;
  return [
    {
      argv: place.platform === "win32" ? buildPowerShellArgv(line) : ["bash", "-c", command],
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
