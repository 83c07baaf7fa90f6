import { relative, resolve } from "node:path";
import { Command, Option } from "clipanion";
import { initProject, type ProjectFile } from "./init.ts";
import { UserCommand, type PolicyEffect } from "../terminal/command.ts";

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
      ["With the starter hooks, to change them or to build them with yours", "bridge-hooks init --starter"],
    ],
  });

  directory = Option.String({ required: false, name: "DIR" });
  starter = Option.Boolean("--starter", false, { description: "The starter hooks, too" });
  policyRepo = Option.Boolean("--policy-repo", false, {
    description: "A repository for a team's policy: a managed config, and checks for CI and commits",
  });

  async work(): Promise<number> {
    const directory = resolve(this.directory ?? ".");
    const made = await initProject(directory, { starter: this.starter, policyRepo: this.policyRepo });
    const width = Math.max(...made.map(({ path }) => path.length));
    for (const { path, what, outcome } of made)
      this.say(`  ${outcome === "made" ? "+" : "="} ${path.padEnd(width)}  ${describeOutcome(outcome, path, what)}`);
    const there = relative(process.cwd(), directory);
    this.say(`
Next steps${there ? `, in ${there}` : ""}:${this.policyRepo ? "\n  sh check.sh                                          what CI and the commit hook run" : ""}
  bridge-hooks try --hooks . --command "npm publish"   what every host would be told
  bridge-hooks test                                    runs hooks/*.test.ts
  bridge-hooks build                                   compiles your hooks: dist/bridge-hooks`);
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
