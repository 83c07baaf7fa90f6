import type { Check } from "../../../protocol/host/install.ts";
import { complete, folderOf, powershell, rootOf, sampleOf } from "../../check.ts";
import { examine } from "./examine.ts";
import { flaws } from "./flaws.ts";
import samples from "../samples.json" with { type: "json" };
import { speech } from "../scripts/speak.ts";
import { verdict } from "./verdict.ts";

const HERE = "CURSOR_HOOK_EOF";

/** Piped in @cursor/sdk 1.0.26 and 1.0.32, as a here-document in 1.0.22 [seen 2026-11-21]; nobody knows which of them the editor does. */
const launches: Check["launches"] = ({ command }, file, payload, place) => {
  const [, cursor_version] = /"cursor_version"\s*:\s*"([^"]*)"/.exec(payload) ?? [];
  const root = rootOf(file, place);
  const env = complete(place.env, speech.variables(root, { cursor_version }));
  const start = (way: string, argv: string[], stdin: string) => ({ way, argv, cwd: folderOf(file), env, stdin });
  // [shipped @cursor/sdk 1.0.32; not run].
  if (place.platform === "win32")
    return [
      start("stdin", powershell(`& ${command}`), payload),
      start("here-document", powershell(`@'\n${payload}\n'@ | & ${command}`), ""),
    ];
  return [
    start("stdin", ["/bin/bash", "-lc", command], payload),
    start("here-document", ["/bin/bash", "-lc", `${command} <<'${HERE}'\n${payload}\n${HERE}`], ""),
  ];
};

export const check: Check = {
  flaws,
  sample: (native_event, subject) => sampleOf(samples, native_event, subject),
  launches,
  verdict,
  examine,
};
