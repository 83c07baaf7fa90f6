import { readFileSync } from "node:fs";
import { applyInstall, type InstallOptions, planInstall } from "../../../src/cli/install/install.ts";
import type { HookDescriptor } from "../../../src/protocol/hook.ts";
import type { Payload } from "../../../src/protocol/host/host.ts";
import type { InstallScope } from "../../../src/protocol/host/install.ts";
import { setup } from "../../../src/hosts/cursor/install/setup.ts";
import { type Home, createHome, writeTestFile } from "../../support/homes.ts";

/** An installation for Cursor on a machine of its own. */
interface Installed {
  path: string;
  before: string | undefined;
  text: string;
  /** The entries in the file. */
  hooks: Record<string, Payload[]>;
  by_hand: readonly string[];
  home: Home;
}

/**
 * Installs for Cursor, and checks what was written.
 * @param before the file's content before.
 */
export async function installed(
  given: {
    scope?: InstallScope;
    before?: string;
    bin?: string;
    entries?: readonly HookDescriptor[];
    events?: readonly string[];
  },
  look: (found: Installed) => void | Promise<void>,
): Promise<void> {
  const { scope = "user", before, bin, entries, events = [] } = given;
  using home = createHome(entries);
  const path = setup.listConfigFiles(home.place).find((file) => file.scope === scope)?.path as string;
  if (before !== undefined) writeTestFile(path, before);
  const options: InstallOptions = { hosts: ["cursor"], scope, events, on_error: "deny", ...(bin && { bin }) };
  const plan = await planInstall(options, home);
  if (plan.problems.length > 0) throw new Error(plan.problems.map(({ message }) => message).join("\n"));
  applyInstall(plan, options, home);
  const text = readFileSync(path, "utf8");
  const { hooks } = Bun.JSONC.parse(text) as { hooks: Record<string, Payload[]> };
  await look({ path, before, text, hooks, by_hand: plan.by_hand, home });
}
