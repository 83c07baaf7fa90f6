import type { HostEntry } from "../../protocol/host/host.ts";
import { guarded } from "./guarded.ts";

/** OpenCode as every call knows it. */
export const entry: HostEntry = {
  id: "opencode",
  name: "OpenCode",
  options: {},
  // The envelope is our own: plugin.js names its host in it.
  signs: [{ mark: '"host" and "event"', marks: 2, all: ["host", "event"], test: ({ host }) => host === "opencode" }],
  guarded,
  load: async () => (await import("./index.ts")).opencode,
};
