import { Command } from "clipanion";
import { HooksCommand, type PolicyEffect } from "../terminal/command.ts";
import { declareHooks } from "../terminal/options.ts";
import { formatDetails } from "../terminal/details.ts";

export class ConfigSchemaCommand extends HooksCommand {
  static override paths = [["config", "schema"]];
  static policyEffect: PolicyEffect = "none";
  static override usage = Command.Usage({
    category: "operate",
    description: "Print the JSON Schema of config files, with your hooks' settings and rules.",
    details: formatDetails([
      'Editors use the schema to complete and validate config files that name it in "$schema".',
      "bridge-hooks init writes it, with this executable's hooks, to types/config.schema.json.",
      "After a build, your own executable prints the schema with your hooks.",
    ]),
    examples: [["Save the schema for your editor", "bridge-hooks config schema > types/config.schema.json"]],
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
