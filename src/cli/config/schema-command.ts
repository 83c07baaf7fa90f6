import { Command } from "clipanion";
import { HooksCommand, type PolicyEffect } from "../terminal/command.ts";
import { declareHooks } from "../terminal/options.ts";

export class ConfigSchemaCommand extends HooksCommand {
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

  hooks = declareHooks();

  async work(): Promise<number> {
    const { createConfigSchema } = await import("../../policy/check/json-schema.ts");
    return this.runWithHooks(async (hooks, output) => {
      output.write(`${JSON.stringify(await createConfigSchema(hooks, process.cwd()), null, 2)}\n`);
      return 0;
    });
  }
}
