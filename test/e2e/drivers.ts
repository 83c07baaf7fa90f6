import { commonCases } from "./common-cases.ts";
import type { HostCase, HostDriver } from "./driver.ts";
import { claude } from "./hosts/claude.ts";
import { codex } from "./hosts/codex.ts";
import { copilot } from "./hosts/copilot.ts";
import { cursor } from "./hosts/cursor.ts";
import { gemini } from "./hosts/gemini.ts";
import { openclaw } from "./hosts/openclaw.ts";
import { opencode } from "./hosts/opencode.ts";
import { installCases } from "./install-cases.ts";
import { tableCases } from "./table-cases.ts";

/** The hosts that run here: one line per host. Grok Build has none yet: nothing of it was run, and its evidence is empty. */
export const drivers: readonly HostDriver[] = [claude, codex, cursor, gemini, copilot, opencode, openclaw];

/** All that a host is to do: its table, what every host does, and its own. */
export const listCases = (driver: HostDriver): HostCase[] => [
  ...tableCases(driver),
  ...commonCases(driver),
  ...installCases(driver),
  ...driver.cases,
];

/** Those of a host's releases that a case is about. */
export function filterVersions({ releases, newest }: HostCase, versions: readonly string[]): readonly string[] {
  const fitting = versions.filter((version) => releases === undefined || Bun.semver.satisfies(version, releases));
  return newest ? fitting.slice(-1) : fitting;
}
