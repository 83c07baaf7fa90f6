import type { Payload } from "../../../protocol/host/host.ts";
import type { Check } from "../../../protocol/host/install.ts";
import { objectOf } from "../../check.ts";
import { launchesOf } from "../../resident.ts";
import { examine } from "./examine.ts";
import { flaws } from "./flaws.ts";
import { RECORDED } from "../samples.ts";
import { verdict } from "./verdict.ts";

/** The recorded payload about a shell command, a prompt. */
function sample(native_event: string, subject?: string): Payload | undefined {
  const recorded = Object.hasOwn(RECORDED, native_event) ? RECORDED[native_event] : undefined;
  if (typeof objectOf(recorded?.params).command === "string")
    return { ...recorded, params: { command: subject ?? "true" } };
  return recorded?.prompt !== undefined && subject !== undefined ? { ...recorded, prompt: subject } : recorded;
}

export const check: Check = { flaws, sample, launches: launchesOf, verdict, examine };
