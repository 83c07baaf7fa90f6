import { describe, expect, test } from "bun:test";
import { Cli } from "clipanion";
import { guarded } from "../../../src/author/kit/guarded.ts";
import { POLICY_COMMANDS, WRITING_COMMANDS } from "../../../src/author/kit/own-commands.ts";
import { mayRunOwnCopy } from "../../../src/call/screen/own-copies.ts";
import { MIN_OWN_BYTES } from "../../../src/protocol/executable-size.ts";
import type { QuickSystem } from "../../../src/system/quick-types.ts";
import { COMMANDS } from "../../../src/cli/main.ts";
import { commandsIn } from "../../../src/shell/index.ts";
import { askDecision } from "./project.ts";

const cli = new Cli({ binaryName: "bridge-hooks" });
for (const command of COMMANDS) cli.register(command);
const declared = COMMANDS.map((command) => ({
  name: command.paths?.[0]?.join(" ") ?? "",
  effect: command.policyEffect,
  options:
    cli
      .definitions()
      .find(({ path }) => path === `bridge-hooks ${command.paths?.[0]?.join(" ")}`)
      ?.options.map(({ definition }) => definition) ?? [],
}));
/** Lists those subcommands of a policy-changing command that change nothing. */
const listHarmless = (name: string): readonly string[] =>
  declared.flatMap((one) =>
    one.name.startsWith(`${name} `) && one.effect === "none" ? [one.name.slice(name.length + 1)] : [],
  );
const off = (line: string) => guarded({ cwd: "/" }).switchedOff(commandsIn(line));

describe("protect-hooks recognizes the declared commands that", () => {
  test("change the policy", () => {
    const found = declared.flatMap(({ name, effect, options }) =>
      typeof effect === "object"
        ? [
            [
              name,
              {
                ...effect,
                ...(options.includes("--dry-run") && { dryRun: true as const }),
                ...(listHarmless(name).length > 0 && { except: listHarmless(name) }),
              },
            ] as const,
          ]
        : [],
    );
    expect(Object.fromEntries(found)).toEqual(POLICY_COMMANDS);
    expect(found.length).toBe(9);
  });
  test("write to a given path", () =>
    expect(declared.flatMap(({ name, effect }) => (effect === "writes" ? [name] : [])).sort()).toEqual([
      ...WRITING_COMMANDS,
    ]));
});

test("the quick path searches for the program of every command that changes the policy", () => {
  const isLarge = { measure: () => MIN_OWN_BYTES } as unknown as QuickSystem;
  const names = Object.keys(POLICY_COMMANDS);
  expect(names.filter((name) => !mayRunOwnCopy([["x", ...name.split(" "), "y"]], "/bin", isLarge))).toEqual([]);
  for (const line of ["x log --follow", "x config show", "x doctor", "pause", "x --flag"])
    expect([line, mayRunOwnCopy([line.split(" ")], "/bin", isLarge)]).toEqual([line, false]);
});

describe("protect-hooks judges the bridge-hooks command", () => {
  for (const { name, effect } of declared)
    test(name, () =>
      expect(off(`bridge-hooks ${name} x y`)).toBe(typeof effect === "object" ? effect.changes : undefined),
    );
  test("is recognized although a value equals the name of a harmless command", () => {
    for (const line of ["allow --reason list --last", "allow --last list", "--reason allow list x", "allow x list"])
      expect([line, off(`bridge-hooks ${line}`)]).toEqual([line, "allows calls that the policy denies"]);
    expect(off("bridge-hooks pause 10m")).toBe("allows calls that the policy denies");
  });
  test("is tested with more than 18 declared commands", () => expect(declared.length).toBeGreaterThan(18));
});

const typeByTool = (tool: string, text: string) =>
  askDecision("MCP", { server: "computer", tool, arguments: { text } });

test("a tool that sends keystrokes may not type a command that changes the policy", async () => {
  expect(await typeByTool("keyboard_type", "bridge-hooks pause 10m\n")).toBe("deny");
  expect(await typeByTool("type", "ls; bridge-hooks allow --last")).toBe("deny");
});

test("such a tool may type other text, and other tools may mention these commands", async () => {
  expect(await typeByTool("keyboard_type", "bridge-hooks log\n")).toBeUndefined();
  expect(await typeByTool("create_issue", "bridge-hooks pause 10m\n")).toBeUndefined();
});
