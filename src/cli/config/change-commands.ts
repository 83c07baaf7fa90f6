import { Command, Option } from "clipanion";
import { HooksCommand, type PolicyEffect } from "../terminal/command.ts";
import { declareHooks, parseConfigScope } from "../terminal/options.ts";

const KEYS = `
      KEY is the path in the file: \`hooks.block-destructive.allow\`, \`rules.git/push-force.action\`, \`exceptions.0.until\`, \`locked\`; items of lists are counted from 0, and \`+\` is a new one at the end.`;

abstract class ConfigChangeCommand extends HooksCommand {
  key = Option.String({ name: "KEY" });
  scope = Option.String("--scope", "user", { description: "Whose file: user (default), project or managed" });
  hooks = declareHooks();

  async change(value?: string): Promise<number> {
    const scope = parseConfigScope(this.scope);
    const { changeConfig } = await import("./change.ts");
    const { formatChange } = await import("./change-text.ts");
    return this.runWithHooks(async (hooks, output) => {
      const change = { key: this.key, scope, ...(value !== undefined && { value }) };
      output.say(`${formatChange(await changeConfig(change, hooks, process.cwd()))}\n`);
      return 0;
    });
  }
}

export class ConfigSetCommand extends ConfigChangeCommand {
  static override paths = [["config", "set"]];
  static policyEffect: PolicyEffect = { changes: "changes the config of bridge-hooks" };
  static override usage = Command.Usage({
    category: "operate",
    description: "Set a value in a config file.",
    details: `${KEYS}

      VALUE is JSON, or a text. A short form becomes the long one where KEY is in that: \`mode.until\` of \`"mode": "observe"\`. All else in the file keeps its bytes, comments included, and the file is replaced in one step. Nothing is written that would be wrong or have no effect: a setting
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

  value = Option.String({ name: "VALUE" });

  async work(): Promise<number> {
    return this.change(this.value);
  }
}

export class ConfigUnsetCommand extends ConfigChangeCommand {
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

  async work(): Promise<number> {
    return this.change();
  }
}
