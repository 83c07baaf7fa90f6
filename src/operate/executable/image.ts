import { closeSync, openSync, readSync } from "node:fs";

/**
 * Targets for which Bun provides a runtime. Bun's other `baseline` targets (`darwin-x64-baseline`,
 * `linux-x64-musl-baseline`, `windows-x64-baseline`) contain the same bytes as the targets without `baseline` [compared
 * 1.4.5, 2026-11-23]. `linux-x64-baseline` is also identical to `linux-x64`, but stays in the list because users ask
 * for it by name.
 */
export const TARGETS = [
  "bun-linux-x64",
  "bun-linux-x64-baseline",
  "bun-linux-x64-musl",
  "bun-linux-arm64",
  "bun-linux-arm64-musl",
  "bun-darwin-x64",
  "bun-darwin-arm64",
  "bun-windows-x64",
  "bun-windows-arm64",
] as const;
export type BuildTarget = (typeof TARGETS)[number];

/** Returns the target that matches this machine. */
export function detectTarget(): BuildTarget {
  const os = process.platform === "win32" ? "windows" : process.platform;
  return `bun-${os}-${process.arch}${isMusl() ? "-musl" : ""}` as BuildTarget;
}

/** Returns whether executables for a target run on this machine. */
export const canRunHere = (target: BuildTarget): boolean =>
  [detectTarget(), `${detectTarget()}-baseline`].includes(target);

/** Returns whether this process uses musl. The start of an ELF executable names its loader, and musl has its own. */
function isMusl(): boolean {
  if (process.platform !== "linux") return false;
  const head = Buffer.alloc(1024);
  const file = openSync(process.execPath, "r");
  readSync(file, head);
  closeSync(file);
  return head.includes("ld-musl");
}
