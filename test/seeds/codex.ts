import type { SeedDocument } from "./claim.ts";
import { post } from "./codex/after.ts";
import { pre, reach, start } from "./codex/before.ts";
import { managed, plugins, shape } from "./codex/config.ts";
import { input, output } from "./codex/input.ts";
import { matchers } from "./codex/matchers.ts";
import { permission } from "./codex/permission.ts";
import { feature, places, purpose, running } from "./codex/places.ts";
import { prompt, stop } from "./codex/session.ts";

export const codex: SeedDocument = {
  title: "Codex's hooks",
  about: "Codex's page about hooks as of May 2026, given as the newer side of a diff.",
  sections: [
    purpose,
    feature,
    running,
    places,
    shape,
    managed,
    plugins,
    matchers,
    input,
    output,
    start,
    reach,
    pre,
    permission,
    post,
    prompt,
    stop,
  ],
};
