import { relative, resolve } from "node:path";
import { Command, Option } from "clipanion";
import { initProject, type ProjectFile } from "./init.ts";
import { DEFAULT_TEMPLATE, findTemplate, TEMPLATES } from "./templates.ts";
import { UserCommand, type PolicyEffect } from "../terminal/command.ts";
import { formatTable } from "../terminal/layout.ts";
import { describeTerminal } from "../terminal/terminal.ts";
import { getOwnCommand } from "../../system/own-command.ts";

export class InitCommand extends UserCommand {
  static override paths = [["init"]];
  static policyEffect: PolicyEffect = "writes";
  static override usage = Command.Usage({
    category: "write",
    description: "Start a project with hooks of your own.",
    details:
      "Makes a hooks folder with one commented example and its test, a config file for its settings, a tsconfig.json, a .gitignore, and the type declarations and the schema that an editor needs. What is there already is never overwritten, so it may be run again: it makes what is missing.",
    examples: [
      ["Here", "bridge-hooks init"],
      ["In a new folder", "bridge-hooks init my-hooks"],
      ["A repository for a team's policy, with its checks", "bridge-hooks init --policy-repo policy"],
      ["With an example that replaces a command", "bridge-hooks init --template use-pnpm"],
      ["With the starter hooks, to change them or to build them with yours", "bridge-hooks init --starter"],
    ],
  });

  directory = Option.String({ required: false, name: "DIR" });
  starter = Option.Boolean("--starter", false, { description: "The starter hooks, too" });
  template = Option.String("--template", DEFAULT_TEMPLATE, {
    description: `The example hook: ${Object.entries(TEMPLATES)
      .map(([name, { does }]) => `${name} (${does})`)
      .join(", ")}`,
  });
  policyRepo = Option.Boolean("--policy-repo", false, {
    description: "A repository for a team's policy: a managed config, and checks for CI and commits",
  });

  async work(): Promise<number> {
    const directory = resolve(this.directory ?? ".");
    const { starter, policyRepo, template } = this;
    const { trial } = findTemplate(template);
    const made = await initProject(directory, { starter, policyRepo, template });
    const rows = made.map(({ path, what, outcome }) => [
      `${outcome === "made" ? "+" : "="} ${path}`,
      describeOutcome(outcome, path, what),
    ]);
    this.say(formatTable(rows, { ...describeTerminal(), indent: 2 }).join("\n"));
    const there = relative(process.cwd(), directory);
    const steps = [
      ...(policyRepo ? [["sh check.sh", "what CI and the commit hook run"]] : []),
      [`${getOwnCommand()} try --hooks . ${trial}`, "what every host would be told"],
      [`${getOwnCommand()} test`, "runs hooks/*.test.ts"],
      [`${getOwnCommand()} build`, "compiles your hooks: dist/bridge-hooks"],
    ];
    this.say(`\nNext steps${there ? `, in ${there}` : ""}:`);
    this.say(formatTable(steps, { ...describeTerminal(), indent: 2, gap: 3 }).join("\n"));
    return 0;
  }
}

function describeOutcome(outcome: ProjectFile["outcome"], path: string, what: string): string {
  switch (outcome) {
    case "made":
      return what;
    case "kept":
      return "already exists, left as it is";
    case "apart":
      return 'already exists, left as it is; add "typeRoots": ["./types"], "types": ["bridge-hooks", "bun-types"]';
    case "other":
      return `is from another release: delete ${path} and run init again`;
  }
}
