import type { Payload } from "../../../protocol/host/host.ts";
import type { Check } from "../../../protocol/host/install.ts";
import { complete, folderOf, powershell, recordedPayload, rootOf, sampleOf } from "../../check.ts";
import { examine } from "./examine.ts";
import { flaws } from "./flaws.ts";
import samples from "../samples.json" with { type: "json" };
import { speech } from "../scripts/speak.ts";
import { verdict } from "./verdict.ts";

/** In the project, without the user's profile [seen 1.0.102, 2026-11-22]. */
const launches: Check["launches"] = ({ command }, file, payload, place) => {
  const root = rootOf(file, place);
  const env = complete(place.env, { ...speech.variables(root, {}), COPILOT_HOOK_DIR: folderOf(file) });
  const argv = place.platform === "win32" ? powershell(command) : ["/bin/bash", "--norc", "--noprofile", "-c", command];
  return [{ argv, cwd: root, env, stdin: payload }];
};

/** The input's name in a payload. */
const INPUTS = ["toolArgs", "toolInput"] as const;

/** What a call is about stands under another name in camelCase. */
function sample(native_event: string, subject?: string): Payload | undefined {
  const recorded = recordedPayload(samples, native_event);
  const key = INPUTS.find((name) => recorded?.[name] !== undefined);
  if (!recorded || !key) return sampleOf(samples, native_event, subject);
  const { [key]: tool_input, ...rest } = recorded;
  const { tool_input: about, ...others } = sampleOf(
    { [native_event]: { ...rest, tool_input } },
    native_event,
    subject,
  ) as Payload;
  return { ...others, [key]: about };
}

export const check: Check = { flaws, sample, launches, verdict, examine };
