import { relative, resolve } from "node:path";
import { Command, Option } from "clipanion";
import { initProject, type ProjectFile } from "./init.ts";
import { DEFAULT_TEMPLATE, findTemplate, TEMPLATES } from "./templates.ts";
import { UserCommand, type PolicyEffect } from "../terminal/command.ts";
import { formatTable } from "../terminal/layout.ts";
import { describeTerminal } from "../terminal/terminal.ts";
import { getOwnCommand } from "../../system/own-command.ts";
import { formatDetails } from "../terminal/details.ts";

export class InitCommand extends UserCommand {
  static override paths = [["init"]];
  static policyEffect: PolicyEffect = "writes";
  static override usage = Command.Usage({
    category: "write",
    description: "Create a project for your own hooks.",
    details: formatDetails([
      "Creates a hooks directory with a commented example and its test, a config file, a tsconfig.json and a .gitignore.",
      "Also creates the types and the schema for your editor.",
      "Existing files are never overwritten; run init again to restore missing files.",
    ]),
    examples: [
      ["Create a project here", "bridge-hooks init"],
      ["Create a project in a new directory", "bridge-hooks init my-hooks"],
      ["Create a repository for a team's policy, with checks", "bridge-hooks init --policy-repo policy"],
      ["Start with an example that replaces a command", "bridge-hooks init --template use-pnpm"],
    ],
  });

  directory = Option.String({ required: false, name: "DIR" });
  starter = Option.Boolean("--starter", false, {
    description: "Include the starter hooks, so that you can change and build them",
  });
  template = Option.String("--template", DEFAULT_TEMPLATE, {
    description: `The example hook: ${Object.entries(TEMPLATES)
      .map(([name, { purpose: does }]) => `${name} (${does})`)
      .join(", ")}`,
  });
  policyRepo = Option.Boolean("--policy-repo", false, {
    description: "Create a policy repository: a managed config, and checks for CI and commits",
  });

  async work(): Promise<number> {
    const directory = resolve(this.directory ?? ".");
    const { starter, policyRepo, template } = this;
    const { trial } = findTemplate(template);
    const files = await initProject(directory, { starter, policyRepo, template });
    const rows = files.map(({ path, purpose, outcome }) => [
      `${outcome === "made" ? "+" : "="} ${path}`,
      describeOutcome(outcome, path, purpose),
    ]);
    this.say(formatTable(rows, { ...describeTerminal(), indent: 2 }).join("\n"));
    const relativePath = relative(process.cwd(), directory);
    const steps = [
      ...(policyRepo ? [["sh check.sh", "runs the same checks as CI and the commit hook"]] : []),
      [`${getOwnCommand()} try --hooks . ${trial}`, "shows the decision"],
      [`${getOwnCommand()} test`, "runs hooks/*.test.ts"],
      [`${getOwnCommand()} build${starter ? "" : " --with starter"}`, "builds dist/bridge-hooks"],
    ];
    this.say(`\nNext steps${relativePath ? `, in ${relativePath}` : ""}:`);
    this.say(formatTable(steps, { ...describeTerminal(), indent: 2, gap: 3 }).join("\n"));
    return 0;
  }
}

function describeOutcome(outcome: ProjectFile["outcome"], path: string, purpose: string): string {
  switch (outcome) {
    case "made":
      return purpose;
    case "kept":
      return "already exists, unchanged";
    case "apart":
      return 'already exists, unchanged; add "typeRoots": ["./types"], "types": ["bridge-hooks", "bun-types"]';
    case "other":
      return `is from another release; delete ${path} and run init again`;
  }
}
