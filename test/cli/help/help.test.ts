import { describe, expect, test } from "bun:test";
import { dirname } from "node:path";
import { formatCommandPage, formatOption, getCommandName } from "../../../src/cli/help/command-page.ts";
import { formatHelp } from "../../../src/cli/help/command.ts";
import { CALL_FLAGS, formatHostCallPage } from "../../../src/cli/help/host-call.ts";
import { COMMAND_GROUPS, formatOverview } from "../../../src/cli/help/overview.ts";
import { COMMANDS, createCli } from "../../../src/cli/main.ts";
import { paintColored, paintPlain } from "../../../src/cli/terminal/colors.ts";
import { EXECUTABLE } from "../../support/fixtures.ts";

const definitions = createCli().definitions();
const page = { width: 80, paint: paintPlain };
const run = (...args: string[]) => {
  // If the executable is on PATH, the help text refers to it by name.
  const env = { PATH: `${dirname(EXECUTABLE)}:/usr/bin:/bin` };
  const { exitCode, stdout, stderr } = Bun.spawnSync([EXECUTABLE, ...args], { env });
  return { code: exitCode, stdout: `${stdout}`, stderr: `${stderr}` };
};
const tooLong = (text: string) => text.split("\n").filter((line) => Bun.stringWidth(line) > page.width);

describe("the help", () => {
  for (const { usage, paths } of COMMANDS.filter(({ paths: [first = []] }) => first[0] !== "--help")) {
    const name = paths[0]?.join(" ") ?? "";
    test(`has a group, a description and an example for ${name}`, () => {
      expect(Object.keys(COMMAND_GROUPS)).toContain(usage?.category as string);
      expect(usage?.description).toMatch(/^[A-Z].*\.$/);
      expect(usage?.examples?.length).toBeGreaterThan(0);
      for (const [, line] of usage?.examples ?? [])
        expect(line).toMatch(new RegExp(`(^|sudo |<\\()bridge-hooks ${name}\\b`.replace(" --", " (?:--)")));
    });
  }
  for (const definition of definitions)
    test(`of ${getCommandName(definition)} fits 80 columns, and explains each option`, () => {
      const text = formatCommandPage(definition, page);
      expect(tooLong(text)).toEqual([]);
      for (const option of definition.options) {
        expect(text).toContain(`\n  ${formatOption(option.definition)}`);
        expect(option.description?.trim()).not.toBeFalsy();
      }
      expect(text).not.toContain("#0");
    });
  test("covers every command", () => expect(definitions.length).toBe(COMMANDS.length - 1));
});

describe("the overview", () => {
  const text = formatOverview(definitions, page);
  test("fits 80 columns, and names every user command once", () => {
    expect(tooLong(text)).toEqual([]);
    const named = [...text.matchAll(/^  ((?:--)?[a-z]+(?: [a-z]+)?) {2,}/gm)].map(([, name]) => name as string);
    const people = definitions.filter(({ category }) => category?.trim() !== "host").map(getCommandName);
    expect(named.toSorted()).toEqual(people.toSorted());
  });
  test("has no flag of host calls, but names the page about them", () => {
    for (const [flag] of CALL_FLAGS) expect(text).not.toContain(flag);
    expect(text).toContain("bridge-hooks help host-call");
  });
  test("wraps lines only between words", () => {
    const words = (shown: string) => shown.split(/\s+/).filter(Boolean);
    expect(words(text)).toEqual(words(formatOverview(definitions, { ...page, width: 1000 })));
  });
  test("has colors only on a terminal", () => {
    expect(formatOverview(definitions, { width: 80, paint: paintColored })).toContain("\u001b[1m");
    expect(run("--help").stdout).toBe(text);
    expect(run("help").stdout).toBe(text);
  });
});

test("the help on host calls fits 80 columns and has every flag", () => {
  const text = formatHostCallPage(page);
  expect(tooLong(text)).toEqual([]);
  for (const [flag] of CALL_FLAGS) expect(text).toContain(`\n  ${flag}`);
  expect(run("help", "host-call")).toEqual({ code: 0, stdout: text, stderr: "" });
});

test("help on a group shows each of its commands", () => {
  const text = formatHelp("config", definitions, page);
  for (const name of ["show", "check", "set", "unset", "schema"])
    expect(text).toContain(`Usage: bridge-hooks config ${name}`);
  expect(run("config", "--help").stdout).toBe(text);
});
