import { Command } from "clipanion";
import pkg from "../../../package.json" with { type: "json" };
import { type PolicyEffect, UserCommand } from "../terminal/command.ts";

export class VersionCommand extends UserCommand {
  static override paths = [["--version"], ["-v"], ["-V"]];
  static policyEffect: PolicyEffect = "none";
  static override usage = Command.Usage({
    category: "more",
    description: "Show the version, and the policy's name and hash.",
    examples: [["Print the version for an inventory", "bridge-hooks --version"]],
  });

  async work(): Promise<number> {
    const { formatPolicy, identifyPolicy } = await import("../../operate/policy/identity.ts");
    const policy = await identifyPolicy({}, process.cwd());
    // Programs read the version from the first line.
    this.context.stdout.write(
      `${pkg.version}\n${policy.hash === undefined ? "" : `policy: ${formatPolicy(policy)}\n`}`,
    );
    return 0;
  }
}
