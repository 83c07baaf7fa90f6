import type { HostEntry } from "../../core/host.ts";
import { guarded } from "./guarded.ts";

/** OpenClaw as every call knows it. */
export const entry: HostEntry = {
  id: "openclaw",
  name: "OpenClaw",
  options: {},
  // The plugin names the host itself.
  signs: [{ all: ["host", "event"], test: ({ host }) => host === "openclaw" }],
  guarded,
  load: async () => (await import("./index.ts")).openclaw,
};
