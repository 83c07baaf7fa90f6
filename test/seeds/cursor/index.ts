import type { SeedDocument } from "../claim.ts";
import { configuration, distribution, matchers } from "./config.ts";
import { examples } from "./examples.ts";
import { hooks } from "./hooks.ts";
import { input } from "./input.ts";
import { output } from "./output.ts";

/** Statements from the vendor's documentation page. */
export const cursor: SeedDocument = {
  title: "Cursor's hooks documentation",
  about: "Cursor's own reference for hooks",
  host: "Cursor",
  sections: [...hooks, ...configuration, ...matchers, ...examples, ...distribution, ...input, ...output],
};
