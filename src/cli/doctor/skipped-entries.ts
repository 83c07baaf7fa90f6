import type { Finding } from "../../protocol/host/install.ts";

/** Checks that find a setting or an invalid file that keeps the host from running entries. */
const DISABLING_CHECKS = new Set(["config-flaw", "hooks-disabled", "managed-hooks-only", "plugins-disabled"]);

/** Other checks that find entries that the host doesn't run, for example because the user hasn't trusted them. */
const SKIPPING_CHECKS = new Set([
  "entry-disabled",
  "entry-not-listed",
  "events-replaced",
  "extension-excluded",
  "extension-hidden",
  "extension-ignored",
  "managed-shadowed",
  "plugin-denied",
  "plugin-off",
  "project-untrusted",
  "untrusted",
]);

export const isDisabling = ({ check, level }: Finding): boolean => level === "red" && DISABLING_CHECKS.has(check);

/** Returns whether the host might not run some of its entries, however well they work. */
export const maySkipEntries = (findings: readonly Finding[]): boolean =>
  findings.some((finding) => isDisabling(finding) || (finding.level === "red" && SKIPPING_CHECKS.has(finding.check)));
