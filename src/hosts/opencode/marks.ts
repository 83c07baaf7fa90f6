import type { Mark } from "../../core/host.ts";

/** The envelope is our own: plugin.js names its host in it. */
export const marks: readonly Mark[] = [{ points: 5, all: ["host", "event"], test: ({ host }) => host === "opencode" }];
