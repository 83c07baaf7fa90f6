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

const HERE = "CURSOR_HOOK_EOF";

/**
 * Piped in @cursor/sdk 1.0.26 and 1.0.32, as a here-document in 1.0.22 [seen 2026-11-21]; which of them the editor uses
 * is unknown.
 */
const listLaunches: HostDoctor["listLaunches"] = ({ command }, file, payload, place) => {
  const [, cursor_version] = /"cursor_version"\s*:\s*"([^"]*)"/.exec(payload) ?? [];
  const root = findCallRoot(file, place);
  const env = completeEnv(place.env, scriptCodec.buildScriptEnv(root, { cursor_version }));
  const start = (way: string, argv: string[], stdin: string) => ({ way, argv, cwd: getConfigFolder(file), env, stdin });
  // [shipped @cursor/sdk 1.0.32; not run].
  if (place.platform === "win32")
    return [
      start("stdin", buildPowerShellArgv(`& ${command}`), payload),
      start("here-document", buildPowerShellArgv(`@'\n${payload}\n'@ | & ${command}`), ""),
    ];
  return [
    start("stdin", ["/bin/bash", "-lc", command], payload),
    start("here-document", ["/bin/bash", "-lc", `${command} <<'${HERE}'\n${payload}\n${HERE}`], ""),
  ];
};

export const hostDoctor: HostDoctor = {
  findConfigProblems,
  getProbePayload: (native_event, subject) => getPayloadAbout(samples, native_event, subject),
  listLaunches,
  judgeAnswer,
  examineConfig,
};
