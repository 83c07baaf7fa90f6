import { statSync } from "node:fs";
import { orAbsent } from "../../system/errors.ts";
import { Command, Option } from "clipanion";
import { UserCommand, type PolicyEffect } from "../terminal/command.ts";
import { getOwnCommand } from "../../system/own-command.ts";
import { formatDetails } from "../terminal/details.ts";

/**
 * Removes the --hooks flag but keeps its value, because users of other commands expect to pass the directory with this
 * flag.
 */
const removeFlag = (words: readonly string[]): readonly string[] =>
  words[0] === "--hooks" ? words.slice(1) : words.map((word) => word.replace(/^--hooks=/, ""));

export class TestCommand extends UserCommand {
  static override paths = [["test"]];
  static policyEffect: PolicyEffect = "none";
  static override usage = Command.Usage({
    category: "write",
    description: "Run your hooks' tests.",
    details: formatDetails([
      "Runs the *.test.ts files in DIR/hooks or, if that directory doesn't exist, in DIR (default: the current directory).",
      'Works like "bun test", without installing anything.',
      'Tests import test and expect from "bun:test", and simulate from "bridge-hooks/testing".',
      'Flags after -- are passed to "bun test", such as --watch, or -t with a name pattern.',
      "Exits with the tests' exit code, or with 1 if there are no tests and --pass-with-no-tests isn't passed.",
    ]),
    examples: [
      ["Run all tests in ./hooks", "bridge-hooks test"],
      ["Run tests by name, in another directory", "bridge-hooks test DIR -- -t publish"],
    ],
  });

  words = Option.Proxy();

  async work(): Promise<number> {
    const { findHooksFolder } = await import("../load-hooks.ts");
    const { runTests } = await import("./run-tests.ts");
    const end = this.words.indexOf("--");
    const [directory = ".", ...more] = removeFlag(end < 0 ? this.words : this.words.slice(0, end));
    const [wrong] = [directory, ...more].filter((word) => word === "" || word.startsWith("-")).concat(more);
    if (wrong !== undefined)
      throw new Error(
        `unexpected argument "${wrong}"; pass flags for bun test after --, see ${getOwnCommand()} test --help`,
      );
    if (orAbsent(() => statSync(directory))?.isFile()) throw new Error(`${directory} is a file; pass its directory`);
    return runTests(findHooksFolder(directory), end < 0 ? [] : this.words.slice(end + 1));
  }
}
