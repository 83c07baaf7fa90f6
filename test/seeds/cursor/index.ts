import type { ClaimSection, SeedDocument } from "../claim.ts";
import { common } from "./common.ts";
import { configuration } from "./config.ts";
import { distribution } from "./distribution.ts";
import { examples } from "./examples.ts";
import { callInput } from "./input-calls.ts";
import { sessionInput } from "./input-sessions.ts";
import { matchers } from "./matchers.ts";
import { callOutput } from "./output-calls.ts";
import { sessionOutput } from "./output-sessions.ts";
import { overview } from "./overview.ts";
import { quickstart } from "./quickstart.ts";

const setup: readonly ClaimSection[] = [
  ...overview,
  ...quickstart,
  ...configuration,
  ...matchers,
  ...examples,
  ...distribution,
];
const reference: readonly ClaimSection[] = [...common, ...callInput, ...sessionInput, ...callOutput, ...sessionOutput];

/** The vendor's page. */
export const cursor: SeedDocument = {
  title: "Cursor's hooks documentation",
  about: "The vendor's reference: all events with their inputs and answers, hooks.json, matchers, distribution.",
  sections: [...setup, ...reference],
};
