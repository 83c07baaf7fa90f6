import { existsSync } from "node:fs";
import { userInfo } from "node:os";
import { basename } from "node:path";
import type { HostDoctor } from "../../../protocol/host/install.ts";
import { completeEnv, buildPowerShellArgv, findCallRoot, getPayloadAbout } from "../../setup/findings.ts";
import { systemProgram } from "../../find-program.ts";
import { examineConfig } from "./examine.ts";
import { findConfigProblems } from "./config-problems.ts";
import samples from "../samples.json" with { type: "json" };
import { judgeAnswer } from "../read-answers.ts";

/**
 * Codex uses the shell of the passwd entry, not $SHELL [seen 0.169.0]; its fallback for an unknown shell is unverified.
 */
function getLoginShell(): string {
  const found = [userInfo().shell, "/bin/bash"].find(
    (path) => path && /^(ba|z|da|)sh$/.test(basename(path)) && existsSync(path),
  );
  return found ?? "/bin/sh";
}

/** Codex adds no variables of its own, and no line feed [seen 0.169.0]. */
const listLaunches: HostDoctor["listLaunches"] = ({ command, handler }, file, payload, place) => {
  const rest = { cwd: findCallRoot(file, place), env: completeEnv(place.env), stdin: payload };
  if (place.platform !== "win32") return [{ argv: [getLoginShell(), "-c", command], ...rest }];
  // Which release uses which shell is unknown [unverified].
  const line = typeof handler.commandWindows === "string" ? handler.commandWindows : command;
  return [
    { way: "cmd.exe", argv: [systemProgram("cmd"), "/d", "/s", "/c", line], ...rest },
    { way: "PowerShell", argv: buildPowerShellArgv(line), ...rest },
  ];
};

export const hostDoctor: HostDoctor = {
  findConfigProblems,
  getProbePayload: (native_event, subject) => getPayloadAbout(samples, native_event, subject),
  listLaunches,
  judgeAnswer,
  examineConfig,
};
