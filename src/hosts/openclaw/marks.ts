import type { Mark } from "../../core/host.ts";

/** The plugin names the host itself. */
export const marks: readonly Mark[] = [{ points: 5, all: ["host", "event"], test: ({ host }) => host === "openclaw" }];
