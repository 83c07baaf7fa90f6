import { commonCases } from "./common-cases.ts";
import type { HostCase, HostDriver } from "./driver.ts";
import { claude } from "./hosts/claude.ts";
import { codex } from "./hosts/codex.ts";
import { copilot } from "./hosts/copilot.ts";
import { cursor } from "./hosts/cursor.ts";
import { gemini } from "./hosts/gemini.ts";
import { openclaw } from "./hosts/openclaw.ts";
import { opencode } from "./hosts/opencode.ts";
import { grok } from "./hosts/grok.ts";
import { installCases } from "./install-cases.ts";
import { policyCases } from "./policy-cases.ts";
import { entryCases } from "./entry-cases.ts";
import { projectCases } from "./project-cases.ts";
import { tableCases } from "./table-cases.ts";

/** The hosts that can run here. */
export const drivers: readonly HostDriver[] = [claude, codex, cursor, gemini, copilot, grok, opencode, openclaw];

/** All cases of a host: its table, what every host does, and its own. */
export const listCases = (driver: HostDriver): HostCase[] => [
  ...tableCases(driver),
  ...commonCases(driver),
  ...installCases(driver),
  ...policyCases(driver),
  ...projectCases(driver),
  ...entryCases(driver),
  ...driver.cases,
];

/** The releases of a host that a case applies to. */
export function filterVersions({ releases, newest }: HostCase, versions: readonly string[]): readonly string[] {
  const fitting = versions.filter((version) => releases === undefined || Bun.semver.satisfies(version, releases));
  return newest ? fitting.slice(-1) : fitting;
}
