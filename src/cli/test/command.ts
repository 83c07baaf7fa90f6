import { statSync } from "node:fs";
import { orAbsent } from "../../system/errors.ts";
import { Command, Option } from "clipanion";
import { UserCommand, type PolicyEffect } from "../terminal/command.ts";
import { getOwnCommand } from "../../system/own-command.ts";

/** Removes a --hooks flag, since other commands use it for the same directory. */
const withoutFlag = (words: readonly string[]): readonly string[] =>
  words[0] === "--hooks" ? words.slice(1) : words.map((word) => word.replace(/^--hooks=/, ""));

export class TestCommand extends UserCommand {
  static override paths = [["test"]];
  static policyEffect: PolicyEffect = "none";
  static override usage = Command.Usage({
    category: "write",
    description: "Run the tests of your own hooks.",
    details: `
      Runs the files like NAME.test.ts in DIR/hooks (DIR or --hooks DIR), or in DIR where there is no such folder (default: here), as "bun test" does; nothing has to be on
      the machine for that. They import test and expect from "bun:test", and simulate from "bridge-hooks/testing". What stands behind -- are flags of
      "bun test", such as -t with a pattern of names, or --watch. The exit code is that of the tests, and 1 where there are none, unless --pass-with-no-tests is among these flags.
    `,
    examples: [
      ["All tests of the hooks in ./hooks", "bridge-hooks test"],
      ["Those whose names fit, in another folder", "bridge-hooks test DIR -- -t publish"],
    ],
  });

  words = Option.Proxy();

  async work(): Promise<number> {
    const { findHooksFolder } = await import("../load-hooks.ts");
    const { runTests } = await import("./run-tests.ts");
    const end = this.words.indexOf("--");
    const [directory = ".", ...more] = withoutFlag(end < 0 ? this.words : this.words.slice(0, end));
    const [wrong] = [directory, ...more].filter((word) => word === "" || word.startsWith("-")).concat(more);
    if (wrong !== undefined)
      throw new Error(
        `"${wrong}" is not understood; flags of bun test go after --, see ${getOwnCommand()} test --help`,
      );
    if (orAbsent(() => statSync(directory))?.isFile())
      throw new Error(`${directory} is a file; pass the folder that it is in`);
    return runTests(findHooksFolder(directory), end < 0 ? [] : this.words.slice(end + 1));
  }
}
