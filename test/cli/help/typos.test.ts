import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseConfigScope, parseScope, requireHosts } from "../../../src/cli/terminal/options.ts";
import { formatHelp } from "../../../src/cli/help/command.ts";
import { getCommandName } from "../../../src/cli/help/command-page.ts";
import { planOutputs } from "../../../src/cli/build/build.ts";
import { TARGETS } from "../../../src/operate/executable/image.ts";
import { createCli, suggestCommand } from "../../../src/cli/main.ts";
import { explainRefusal } from "../../../src/cli/terminal/explain.ts";
import { parseTypedEvent } from "../../../src/cli/try/typed-event.ts";
import { hosts } from "../../../src/hosts/index.ts";
import { EVENTS } from "../../../src/protocol/event.ts";
import { INSTALL_SCOPES } from "../../../src/protocol/host/install.ts";
import { TOOLS } from "../../../src/protocol/tool.ts";
import { CONFIG_SCOPES } from "../../../src/policy/sources.ts";
import { readOptions } from "../../../src/call/options.ts";
import { EXECUTABLE } from "../../support/fixtures.ts";

const definitions = createCli().definitions();
const page = { width: 80, paint: (_: unknown, text: string) => text };

/** Misspells a word by inserting a single letter, so that even short words stay similar. */
const mistype = (word: string) => `${word.slice(0, -1)}q${word.slice(-1)}`;
const failureOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    return (error as Error).message;
  }
  return "nothing failed";
};
const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-typos-"));
afterAll(() => rmSync(folder, { recursive: true }));
const run = (...args: string[]) => {
  const { exitCode, stderr } = Bun.spawnSync([EXECUTABLE, ...args], {
    cwd: folder,
    env: { PATH: "/usr/bin:/bin", HOME: folder },
  });
  return `${exitCode} ${stderr}`;
};

describe("the error suggests the right word for a typo in", () => {
  for (const name of definitions.map(getCommandName).filter((one) => !one.startsWith("-"))) {
    const [first = "", second] = name.split(" ");
    const isGroup = second !== undefined && !definitions.some((one) => getCommandName(one) === first);
    test(`the command ${name}`, () => {
      const typed = isGroup ? [first, mistype(second)] : second === undefined ? [mistype(first)] : undefined;
      if (typed) expect(suggestCommand(typed)).toBe(`; did you mean ${name}?`);
      else expect(run(first, mistype(second as string))).toContain(`; did you mean ${name}?`);
      expect(failureOf(() => formatHelp(mistype(name), definitions, page))).toEndWith(`; did you mean ${name}?`);
    });
  }
  const COMMAND_TYPOS: [typed: string, meant: string][] = [
    ["confg show", "config show"],
    ["conf", "config show"],
    ["conf chek", "config check"],
    ["rule tset", "rules test"],
    ["tyr ls", "try"],
    ["chekc", "config check"],
    ["show", "config show"],
  ];
  for (const [typed, meant] of COMMAND_TYPOS)
    test(`the first word of "${typed}"`, () =>
      expect(suggestCommand(typed.split(" "))).toBe(`; did you mean ${meant}?`));
  test("no command that only looks similar", () => expect(suggestCommand(["push"])).toBe(""));
  for (const definition of definitions)
    for (const flag of definition.options.flatMap(({ definition: one }) => (one.split(" ")[0] as string).split(",")))
      if (flag.startsWith("--"))
        test(`the flag ${getCommandName(definition)} ${flag}`, () =>
          expect(explainRefusal([mistype(flag)], definition)).toEndWith(`; did you mean ${flag}?`));
  for (const { id } of hosts)
    test(`the host ${id}`, () =>
      expect(failureOf(() => requireHosts([mistype(id)]))).toEndWith(`; did you mean ${id}?`));
  for (const event of EVENTS)
    test(`the event ${event}`, () =>
      expect(failureOf(() => parseTypedEvent({ event: mistype(event), path: [] }))).toEndWith(
        `; did you mean ${event}?`,
      ));
  for (const tool of TOOLS)
    test(`the tool ${tool}`, () =>
      expect(failureOf(() => parseTypedEvent({ tool: mistype(tool), path: [] }))).toEndWith(`; did you mean ${tool}?`));
  for (const scope of INSTALL_SCOPES)
    test(`the install scope ${scope}`, () =>
      expect(failureOf(() => parseScope(mistype(scope)))).toEndWith(`; did you mean ${scope}?`));
  for (const scope of CONFIG_SCOPES)
    test(`the config scope ${scope}`, () =>
      expect(failureOf(() => parseConfigScope(mistype(scope)))).toEndWith(`; did you mean ${scope}?`));
  for (const target of TARGETS.map((known) => known.slice(4)))
    test(`the target ${target}`, () =>
      expect(failureOf(() => planOutputs([mistype(target)]))).toContain(`; did you mean ${target}?`));
  for (const hook of ["block-destructive", "protect-hooks", "protect-secrets"]) {
    test(`the hook ${hook}`, () => {
      expect(run("build", "--with", mistype(hook))).toContain(`; did you mean ${hook}?`);
      expect(run("config", "set", `hooks.${mistype(hook)}.allow`, "[]")).toContain(`did you mean ${hook}?`);
    });
  }
  test("a rule's category", () => {
    expect(run("rules", "gti")).toContain('unknown rule "gti"; did you mean git?');
    expect(run("rules", "hoks")).toContain("; did you mean hooks?");
  });
  test("the first flag of a host's call", () => {
    const readProblem = (...argv: string[]) => readOptions(argv, {}, hosts).problem;
    expect(readProblem("--hots", "claude")).toBe(
      'unknown argument "--hots"; did you mean --host? see bridge-hooks --help',
    );
    expect(readProblem("--hepl")).toContain("; did you mean --help?");
    expect(readProblem("--zzz")).toBe('unknown argument "--zzz"; see bridge-hooks --help');
  });
  test("an option without its value", () =>
    expect(run("rules", "--config")).toContain("rules: --config needs a value: --config FILE; see "));
  test("a rule", () => expect(run("rules", "git/push-forc")).toContain("; did you mean git/push-force?"));
  test("a help topic", () =>
    expect(failureOf(() => formatHelp("host-cal", definitions, page))).toEndWith("; did you mean host-call?"));
});
