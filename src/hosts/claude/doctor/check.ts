import type { Check } from "../../../protocol/host/install.ts";
import { complete, powershell, rootOf, sampleOf } from "../../check.ts";
import { examine, variables } from "./examine.ts";
import { flaws } from "./flaws.ts";
import samples from "../samples.json" with { type: "json" };
import { speech } from "../scripts/speak.ts";
import { verdict } from "./verdict.ts";

const launches: Check["launches"] = (entry, file, payload, place) => {
  const cwd = rootOf(file, place);
  const env = complete(place.env, speech.variables(cwd, {}));
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
  // Git Bash where it is there, else PowerShell [docs https://code.claude.com/docs/en/hooks; not run].
  return [
    ...(handler.shell === "powershell" ? [] : [start(["bash.exe", "-c", command], "Git Bash")]),
    ...(handler.shell === "bash" ? [] : [start(powershell(command), "PowerShell")]),
  ];
};

export const check: Check = {
  flaws,
  sample: (native_event, subject) => sampleOf(samples, native_event, subject),
  launches,
  verdict,
  variables,
  examine,
};
