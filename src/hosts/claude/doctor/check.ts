import type { HostDoctor } from "../../../protocol/host/install.ts";
import { completeEnv, buildPowerShellArgv, findCallRoot, getPayloadAbout } from "../../setup/findings.ts";
import { findGitBash } from "../../find-program.ts";
import { examineConfig, collectVariables } from "./examine.ts";
import { findConfigProblems } from "./config-problems.ts";
import samples from "../samples.json" with { type: "json" };
import { scriptCodec } from "../scripts/native-payloads.ts";
import { judgeAnswer } from "../read-answers.ts";

const listLaunches: HostDoctor["listLaunches"] = (entry, file, payload, place) => {
  const cwd = findCallRoot(file, place);
  const env = completeEnv(place.env, scriptCodec.buildScriptEnv(cwd, {}));
  const start = (argv: readonly string[], way?: string) => ({
    ...(way && { way }),
    argv,
    cwd,
    env,
    stdin: `${payload}\n`,
  });
  const { command, args, handler } = entry;
  // [seen 2.1.197 and 2.1.330, 2026-11-22]
  if (args) return [start([command, ...args])];
  if (place.platform !== "win32") return [start(["/bin/sh", "-c", command])];
  // Git Bash if installed, or else PowerShell [docs https://code.claude.com/docs/en/hooks; not run].
  return [
    ...(handler.shell === "powershell"
      ? []
      : [start([findGitBash(place.env.PATH ?? place.env.Path), "-c", command], "Git Bash")]),
    ...(handler.shell === "bash" ? [] : [start(buildPowerShellArgv(command), "PowerShell")]),
  ];
};

export const hostDoctor: HostDoctor = {
  findConfigProblems,
  getProbePayload: (native_event, subject) => getPayloadAbout(samples, native_event, subject),
  listLaunches,
  judgeAnswer,
  collectVariables,
  examineConfig,
};
