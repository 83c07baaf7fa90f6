import type { SeedDocument } from "./claim.ts";
import { input, output, permission, post, pre, prompt, reach, start, stop } from "./codex/events.ts";
import { matchers } from "./codex/matchers.ts";
import { feature, managed, places, plugins, purpose, running, shape } from "./codex/setup.ts";

const config = [purpose, feature, running, places, shape, managed, plugins, matchers];

export const codex: SeedDocument = {
  title: "Codex's hooks",
  about: "Codex's page about hooks, May 2026",
  host: "Codex",
  sections: [...config, input, output, start, reach, pre, permission, post, prompt, stop],
};
