import { Command, Option } from "clipanion";
import { parseConfigScope, UserCommand, type PolicyEffect } from "../terminal/command-options.ts";

const SCOPE = "Whose file: user (default), project or managed";
const HOOKS = "A folder of hooks, or the one above it (default: the hooks in this executable)";

const KEYS = `
      KEY is the path in the file: \`hooks.block-destructive.allow\`, \`rules.git/push-force.action\`, \`exceptions.0.until\`, \`locked\`; items of lists are counted from 0.`;

async function changeAndReport(
  key: string,
  value: string | undefined,
  scope: string,
  folder?: string,
): Promise<number> {
  const parsed = parseConfigScope(scope);
  const { runWithHookIsolation, printWarning } = await import("../terminal/terminal.ts");
  const { findHooks } = await import("../find-hooks.ts");
  const { changeConfig } = await import("./change.ts");
  const { formatChange } = await import("./change-text.ts");
  return runWithHookIsolation(async (output) => {
    const hooks = await findHooks(folder);
    printWarning(hooks.unloaded);
    const change = { key, scope: parsed, ...(value !== undefined && { value }) };
    output.write(`${formatChange(await changeConfig(change, hooks, process.cwd()))}\n`);
    return 0;
  });
}

export class ConfigSetCommand extends UserCommand {
  static override paths = [["config", "set"]];
  static policyEffect: PolicyEffect = { changes: "changes the config of bridge-hooks" };
  static override usage = Command.Usage({
    category: "operate",
    description: "Set a value in a config file.",
    details: `${KEYS}

      VALUE is JSON, or a text. All else in the file keeps its bytes, comments included, and the file is replaced in one step. Nothing is written that would be wrong or have no effect: a setting
      that there is not, a value that the hook refuses, what a stronger file locks, what a project may not say. A stronger file that says otherwise is named, and so is what
      this overrides.

      Exit code 1 when nothing was written.
    `,
    examples: [
      ["Ask before a forced push", "bridge-hooks config set rules.git/push-force.action ask"],
      ["A list", `bridge-hooks config set hooks.block-destructive.allow '["rm -rf out *"]'`],
      ["For everybody on this machine", "sudo bridge-hooks config set --scope managed locked true"],
    ],
  });

  key = Option.String({ name: "KEY" });
  value = Option.String({ name: "VALUE" });
  scope = Option.String("--scope", "user", { description: SCOPE });
  hooks = Option.String("--hooks", { description: HOOKS });

  async work(): Promise<number> {
    return changeAndReport(this.key, this.value, this.scope, this.hooks);
  }
}

export class ConfigUnsetCommand extends UserCommand {
  static override paths = [["config", "unset"]];
  static policyEffect: PolicyEffect = { changes: "changes the config of bridge-hooks" };
  static override usage = Command.Usage({
    category: "operate",
    description: "Remove a value from a config file.",
    details: `${KEYS}

      What held nothing else goes with it; all else in the file keeps its bytes. What holds now is said, and which file it is of.

      Exit code 1 when nothing was written.
    `,
    examples: [["As the hook has it", "bridge-hooks config unset rules.git/push-force"]],
  });

  key = Option.String({ name: "KEY" });
  scope = Option.String("--scope", "user", { description: SCOPE });
  hooks = Option.String("--hooks", { description: HOOKS });

  async work(): Promise<number> {
    return changeAndReport(this.key, undefined, this.scope, this.hooks);
  }
}
