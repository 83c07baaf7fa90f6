import { Command, Option } from "clipanion";
import { HooksCommand, type PolicyEffect } from "../terminal/command.ts";
import { declareHooks, parseConfigScope } from "../terminal/options.ts";
import { formatDetails } from "../terminal/details.ts";

const KEY_HELP = [
  "KEY is the path in the file: `hooks.block-destructive.allow`, `rules.git/push-force.action`, `exceptions.0.until`, `locked`.",
  "List indexes start at 0, and `+` appends an item.",
];

abstract class ConfigChangeCommand extends HooksCommand {
  key = Option.String({ name: "KEY" });
  scope = Option.String("--scope", "user", { description: "File to change: user (default), project or managed" });
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
    details: formatDetails(
      KEY_HELP,
      [
        "VALUE is JSON or plain text.",
        'A short form is expanded if KEY requires the long form: `mode.until` expands `"mode": "observe"`.',
        "The rest of the file, comments included, stays unchanged, and the file is replaced atomically.",
      ],
      [
        "Rejects invalid values, unknown names, and values that this file may not set, such as locked settings.",
        "A value that another file or a stricter default overrides is written, with a note.",
        "The output also says whether this value overrides another file.",
      ],
      "Exits with 1 if nothing was written.",
    ),
    examples: [
      ["Ask before a force push", "bridge-hooks config set rules.git/push-force.action ask"],
      ["Set a list", `bridge-hooks config set hooks.block-destructive.allow '["rm -rf out *"]'`],
      ["Lock the config for everyone on this machine", "sudo bridge-hooks config set --scope managed locked true"],
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
    details: formatDetails(
      [
        "KEY is a path in the file, as for config set.",
        "Also removes parent objects and top-level lists that become empty.",
        "Prints the value now in force and its file.",
      ],
      "Exits with 1 if nothing was written.",
    ),
    examples: [["Restore the hook's default", "bridge-hooks config unset rules.git/push-force"]],
  });

  async work(): Promise<number> {
    return this.change();
  }
}
