import { existsSync } from "node:fs";
import { userInfo } from "node:os";
import { basename } from "node:path";
import type { Check } from "../../../protocol/host/install.ts";
import { complete, powershell, rootOf, sampleOf } from "../../check.ts";
import { systemProgram } from "../../find-program.ts";
import { examine } from "./examine.ts";
import { flaws } from "./flaws.ts";
import samples from "../samples.json" with { type: "json" };
import { verdict } from "./verdict.ts";

/** The shell of the passwd entry, not $SHELL [seen 0.169.0]; what it takes for one that it does not know is unverified. */
function shell(): string {
  const found = [userInfo().shell, "/bin/bash"].find(
    (path) => path && /^(ba|z|da|)sh$/.test(basename(path)) && existsSync(path),
  );
  return found ?? "/bin/sh";
}

/** It adds no variable of its own, and no line feed [seen 0.169.0]. */
const launches: Check["launches"] = ({ command, handler }, file, payload, place) => {
  const rest = { cwd: rootOf(file, place), env: complete(place.env), stdin: payload };
  if (place.platform !== "win32") return [{ argv: [shell(), "-c", command], ...rest }];
  // Which of them it is in which release nobody knows [unverified].
  const line = typeof handler.commandWindows === "string" ? handler.commandWindows : command;
  return [
    { way: "cmd.exe", argv: [systemProgram("cmd"), "/d", "/s", "/c", line], ...rest },
    { way: "PowerShell", argv: powershell(line), ...rest },
  ];
};

export const check: Check = {
  flaws,
  sample: (native_event, subject) => sampleOf(samples, native_event, subject),
  launches,
  verdict,
  examine,
};
