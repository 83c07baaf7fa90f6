import type { Check } from "../../../protocol/host/install.ts";
import { complete, objectOf, powershell, rootOf, sampleOf } from "../../check.ts";
import { examine } from "./examine.ts";
import { flaws } from "./flaws.ts";
import samples from "../samples.json" with { type: "json" };
import { speech } from "../scripts/speak.ts";
import { verdict } from "./verdict.ts";

/** The entry's own variables win [seen 0.61.0, 2026-11-22]. */
const launches: Check["launches"] = ({ command, handler }, file, payload, place) => {
  const cwd = rootOf(file, place);
  const [, session_id] = /"session_id"\s*:\s*"([^"]*)"/.exec(payload) ?? [];
  const env = complete(place.env, {
    ...speech.variables(cwd, { session_id }),
    ...(objectOf(handler.env) as Record<string, string>),
  });
  // [shipped 0.61.0; not run]
  const line = `${command}; if ($LASTEXITCODE -ne 0) { exit $LASTEXITCODE }`;
  return [{ argv: place.platform === "win32" ? powershell(line) : ["bash", "-c", command], cwd, env, stdin: payload }];
};

export const check: Check = {
  flaws,
  sample: (native_event, subject) => sampleOf(samples, native_event, subject),
  launches,
  verdict,
  examine,
};
