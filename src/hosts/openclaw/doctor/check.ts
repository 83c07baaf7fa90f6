import type { Payload } from "../../../protocol/host/host.ts";
import type { Check } from "../../../protocol/host/install.ts";
import { objectOf, recordedPayload } from "../../check.ts";
import { launchesOf } from "../../resident.ts";
import { examine } from "./examine.ts";
import { flaws } from "./flaws.ts";
import samples from "../samples.json" with { type: "json" };
import { verdict } from "./verdict.ts";

/** The recorded payload about a shell command, a prompt. */
function sample(native_event: string, subject?: string): Payload | undefined {
  const recorded = recordedPayload(samples, native_event);
  if (typeof objectOf(recorded?.params).command === "string")
    return { ...recorded, params: { command: subject ?? "true" } };
  return recorded?.prompt !== undefined && subject !== undefined ? { ...recorded, prompt: subject } : recorded;
}

export const check: Check = { flaws, sample, launches: launchesOf, verdict, examine };
