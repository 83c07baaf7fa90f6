import type { HostEntry } from "../../protocol/host/host.ts";
import { guarded } from "./guarded.ts";

/** OpenClaw as every call knows it. */
export const entry: HostEntry = {
  id: "openclaw",
  name: "OpenClaw",
  options: {},
  // The plugin names the host itself.
  signs: [{ mark: '"host" and "event"', marks: 2, all: ["host", "event"], test: ({ host }) => host === "openclaw" }],
  guarded,
  load: async () => (await import("./index.ts")).openclaw,
};
