import type { Check } from "../../../protocol/host/install.ts";
import { launchesOf } from "../../resident.ts";
import { examine } from "./examine.ts";
import { flaws } from "./flaws.ts";
import { sample } from "../samples.ts";
import { verdict } from "./verdict.ts";

/** The plugin starts the executable without a shell, in the environment of OpenCode. */
export const check: Check = { flaws, sample, launches: launchesOf, verdict, examine };
