import { Command, Option } from "clipanion";
import { UserCommand, type PolicyEffect } from "../terminal/command-options.ts";

export class ConfigSchemaCommand extends UserCommand {
  static override paths = [["config", "schema"]];
  static policyEffect: PolicyEffect = "none";
  static override usage = Command.Usage({
    category: "operate",
    description: "Print the JSON Schema of config files, with your hooks' settings and rules.",
    details: `
      With it an editor completes and checks a config file: name the schema's file in "$schema" there. bridge-hooks init writes one to types/config.schema.json, with the hooks of
      the executable; after a build, your own executable prints the one with your hooks.
    `,
    examples: [
      ["For an editor", "bridge-hooks config schema > types/config.schema.json"],
      ["With the hooks of a folder", "bridge-hooks config schema --hooks . > types/config.schema.json"],
    ],
  });

  hooks = Option.String("--hooks", {
    description: "A folder of hooks, or the one above it (default: the hooks in this executable)",
  });

  async work(): Promise<number> {
    const { runWithHookIsolation, printWarning } = await import("../terminal/terminal.ts");
    const { findHooks } = await import("../find-hooks.ts");
    const { createConfigSchema } = await import("../../policy/check/json-schema.ts");
    return runWithHookIsolation(async (output) => {
      const hooks = await findHooks(this.hooks);
      printWarning(hooks.unloaded);
      output.write(`${JSON.stringify(await createConfigSchema(hooks, process.cwd()), null, 2)}\n`);
      return 0;
    });
  }
}
