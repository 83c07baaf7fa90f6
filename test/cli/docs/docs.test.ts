import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readDocs } from "../../../src/cli/build/sources.ts";
import { findPage, listPages } from "../../../src/cli/docs/pages.ts";
import { formatPageList, renderPage } from "../../../src/cli/docs/render.ts";
import { paintPlain } from "../../../src/cli/terminal/colors.ts";
import { EXECUTABLE, ROOT } from "../../support/fixtures.ts";

const files = await readDocs();
const pages = listPages(files);
const page = { width: 80, paint: paintPlain };
const run = (...args: string[]) => {
  const { exitCode, stdout, stderr } = Bun.spawnSync([EXECUTABLE, "docs", ...args], {
    cwd: "/",
    env: { PATH: `${dirname(EXECUTABLE)}:/usr/bin:/bin`, PAGER: "false" },
  });
  return { code: exitCode, stdout: `${stdout}`, stderr: `${stderr}` };
};

test("the docs index lists every page, each with its own topic", () => {
  expect(pages.map(({ file }) => `docs/${file}`).toSorted()).toEqual(
    Object.keys(files)
      .filter((path) => path !== "docs/README.md")
      .toSorted(),
  );
  expect(new Set(pages.map(({ topic }) => topic)).size).toBe(pages.length);
});

describe("bridge-hooks docs", () => {
  for (const one of pages)
    test(`finds ${one.topic} by topic, path and file, and suggests it for a typo`, () => {
      for (const given of [one.topic, one.path, `docs/${one.file}`, one.topic.toUpperCase()])
        expect(findPage(given, pages)).toBe(one);
      const typo = `${one.topic.slice(0, -1)}q${one.topic.slice(-1)}`;
      expect(() => findPage(typo, pages)).toThrow(`unknown page "${typo}"; did you mean ${one.topic}?`);
    });
  test("rejects a name that resembles no page, and says how to list the pages", () =>
    expect(() => findPage("zzzzzzzz", pages)).toThrow('unknown page "zzzzzzzz"; to list the pages: bridge-hooks docs'));
});

describe("on a terminal of 80 columns", () => {
  test("the list of pages fits", () =>
    expect(
      formatPageList(pages, page)
        .split("\n")
        .filter((line) => line.length > 80),
    ).toEqual([]));
  for (const one of pages)
    test(`${one.topic} is wrapped except for code, and shows no Markdown syntax`, () => {
      const text = renderPage(one, pages, page);
      const lines = text.split("\n").filter((line) => !line.startsWith("    "));
      // URLs are never split, so a line that contains one may be longer.
      expect(lines.filter((line) => Bun.stringWidth(line) > 80 && !line.includes("://"))).toEqual([]);
      // If a command with a trailing comment is too wide, the comment would wrap and be pasted as a command.
      expect(text.split("\n").filter((line) => /^ {4}\S.* # /.test(line) && Bun.stringWidth(line) > 80)).toEqual([]);
      // Matches Markdown syntax: a table row, a heading, a link, or a fence.
      expect(text).not.toMatch(/^\|.*\|$|^#+ |\]\(|^```/m);
    });
});

test("the executable contains the pages, and prints their Markdown if stdout is not a terminal", () => {
  expect(run()).toEqual({ code: 0, stdout: formatPageList(pages, page), stderr: "" });
  for (const { topic, file } of [pages[0], pages.at(-1)].flatMap((one) => one ?? []))
    expect(run(topic)).toEqual({ code: 0, stdout: readFileSync(join(ROOT, "docs", file), "utf8"), stderr: "" });
});

describe("words that name no page", () => {
  const searched = run("--search", "managed config");
  test("are searched for as --search does", () => {
    expect(searched).toEqual({ code: 0, stdout: expect.stringMatching(/^bridge-hooks docs \S+\n {2}\S/), stderr: "" });
    expect(run("managed", "config")).toEqual(searched);
    expect(run("config", "managed").stdout.split("\n").toSorted()).toEqual(searched.stdout.split("\n").toSorted());
  });
  test("may be a question, whose filler words are ignored", () =>
    expect(run("how", "do", "I", "managed", "the config?")).toEqual(searched));
  test("may be a single one, with a hint if it is a typo of a page's name", () => {
    expect(run("webhook")).toEqual({ ...run("--search", "webhook"), code: 0 });
    expect(run("instal")).toEqual({
      ...run("--search", "instal"),
      stderr: 'bridge-hooks: no page named "instal"; did you mean install?\n',
    });
  });
  test("show the pages with the words in a heading first, and name the pages beyond the eighth", () => {
    const { stdout } = run("hook");
    const shown = [...stdout.matchAll(/^bridge-hooks docs (\S+)$/gm)].map(([, topic]) => topic);
    expect(shown.length).toBe(8);
    expect(stdout).toMatch(/\n\nAlso on: \S+, /);
    expect(run("uninstall").stdout).toStartWith("bridge-hooks docs install\n");
  });
  const QUESTIONS: [question: string, topic: string, answer: RegExp][] = [
    ["why was I blocked", "troubleshooting", /bridge-hooks explain shows the rule[^]*allow --last/],
    ["why was a call not blocked?", "troubleshooting", /Pass the command to try or explain/],
    ["allow a command once", "recipes", /Allow one command once/],
    ["the hook never runs", "troubleshooting", /status shows whether the host has entries/],
    ["why is every call blocked", "troubleshooting", /if a hook or the executable fails/],
    ["how do I use an existing shell hook", "recipes", /Use an existing shell hook/],
    ["can I write regular expressions in rules", "recipes", /Regular expressions in rules/],
    ["does it slow me down", "performance", /Does it slow me down/],
    ["what does observe mode do", "modes", /observe/],
    ["how to roll out to a team", "fleet", /Roll out to a team/],
    ["what is the failure policy", "failures", /With --on-error allow/],
    ["does it work with Cursor on Windows", "cursor", /Cursor on Windows/],
  ];
  for (const [question, topic, answer] of QUESTIONS)
    test(`may be the question "${question}", and ${topic} answers it first`, () => {
      const [first = ""] = run(...question.split(" ")).stdout.split("\n\n");
      expect(first).toStartWith(`bridge-hooks docs ${topic}\n`);
      expect(first.replaceAll(/\s+/g, " ")).toMatch(answer);
    });
  test("never print a heading without its text", () =>
    expect(run("blocked").stdout).not.toMatch(/^ {2}Why was I blocked\?$/m));
  test("may be the words of a page's name", () => expect(run("first", "hook")).toEqual(run("first-hook")));
  test("fail if no passage contains all of them", () =>
    expect(run("zzzzzzzz", "hook")).toEqual({
      code: 1,
      stdout: "",
      stderr:
        'bridge-hooks: no page named "zzzzzzzz hook" and no passage that matches it; to list the pages: bridge-hooks docs\n',
    }));
  test("do not hide that --search names an unknown page", () =>
    expect(run("zzzzzzzz", "--search", "hook")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("unknown page"),
    }));
});
