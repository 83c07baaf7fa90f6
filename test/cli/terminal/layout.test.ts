import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { truncateToLine, wrapLongLines, formatTable, wrapText } from "../../../src/cli/terminal/layout.ts";

const widthOf = (text: string) => Bun.stringWidth(text);
const WORDS = fc.constantFrom(
  "a",
  "an",
  "exception",
  "日本語",
  "👩‍👩‍👧",
  "e\u0301t\u00e9",
  "x,y",
  "\u001b[31mred\u001b[0m",
  "🇩🇪",
);
const sentences = fc.array(WORDS, { maxLength: 60 }).map((words) => words.join(" "));

describe("wrapped text", () => {
  test("never exceeds the width, and keeps its words", () =>
    fc.assert(
      fc.property(sentences, fc.integer({ min: 12, max: 100 }), (text, width) => {
        const lines = wrapText(text, width);
        expect(lines.filter((line) => widthOf(line) > width || line !== line.trimEnd())).toEqual([]);
        expect(lines.join(" ")).toBe(text);
      }),
    ));

  const whole: [what: string, piece: string][] = [
    ["a path", "/home/somebody/a-long-folder/and/another/one/with/a/file.json"],
    ["a Windows path", "C:\\Users\\somebody\\AppData\\Local\\Programs\\bridge-hooks\\bridge-hooks.exe"],
    ["a URL", "https://example.com/a/long/path?with=a&query=that-goes-on-and-on"],
    ["a command", "bridge-hooks install --host claude --scope user --on-error deny"],
    ["a command by its path", "/opt/acme/bin/bridge-hooks config set rules.git/push-force.action ask"],
    ["a quoted program", "'/home/my user/bin/bridge-hooks' explain --command 'git push --force origin main'"],
    ["a command with sudo", "sudo bridge-hooks install --scope managed --copy-to /usr/local/bin"],
    ["JSON to paste", `bridge-hooks config set exceptions.0 '{"rule":"git/push-force","reason":"WHY it passes"}'`],
    ["an option with its value", "--host claude"],
  ];
  for (const [what, piece] of whole)
    test(`keeps ${what} on one line at every width`, () => {
      for (let width = 20; width <= 120; width++) {
        const lines = wrapText(`To go on from where this ends, use ${piece}, and then read what it says`, width);
        expect(lines.some((line) => line.includes(piece))).toBe(true);
        expect(lines.filter((line) => widthOf(line) > width && !line.startsWith(piece.slice(0, 10)))).toEqual([]);
      }
    });

  test("does not treat prose after a command as part of it", () =>
    expect(
      wrapText("It is not in force: bridge-hooks config show --origin says why that is so here, and where", 60),
    ).toEqual(["It is not in force: bridge-hooks config show --origin says", "why that is so here, and where"]));

  test("breaks a long list after a comma, and other long words anywhere", () => {
    expect(wrapText('["filesystem","git","database","cloud"]', 24)).toEqual([
      '["filesystem","git",',
      '"database","cloud"]',
    ]);
    expect(wrapText("a".repeat(25), 10)).toEqual(["a".repeat(10), "a".repeat(10), "a".repeat(5)]);
    expect(wrapText("語".repeat(6), 5)).toEqual(["語語", "語語", "語語"]);
  });

  test("starts and ends colors on each line", () =>
    expect(wrapText("\u001b[1;35mone two three\u001b[0m four", 9)).toEqual([
      "\u001b[1;35mone two\u001b[0m",
      "\u001b[1;35mthree\u001b[0m",
      "four",
    ]));

  test("takes time in proportion to its length", () => {
    const measure = (text: string) => {
      const start = performance.now();
      wrapText(text, 80);
      return performance.now() - start;
    };
    for (const piece of ["x", "x ", "/x", "bridge-hooks ", "'", "--host ", ","]) {
      measure(piece.repeat(20_000));
      expect(measure(piece.repeat(200_000))).toBeLessThan(10_000);
    }
  });
});

describe("a table", () => {
  const rows = [
    ["one", "a", "short"],
    ["日本語", "bc", "a longer text in the last column, which is wrapped"],
    ["e\u0301", "👩‍👩‍👧", ""],
  ];
  test("aligns its columns by displayed width", () =>
    expect(formatTable(rows, { width: 40 })).toEqual([
      "one     a   short",
      "日本語  bc  a longer text in the last",
      "            column, which is wrapped",
      "e\u0301       👩‍👩‍👧",
    ]));
  test("is not truncated without a terminal", () =>
    expect(formatTable(rows, { width: Infinity })[1]).toBe(
      "日本語  bc  a longer text in the last column, which is wrapped",
    ));
  test("puts the last column below the others if too little space is left", () =>
    expect(formatTable([["a".repeat(20), "b".repeat(14), "a text that is long enough"]], { width: 40 })).toEqual([
      `${"a".repeat(20)}  ${"b".repeat(14)}`,
      "    a text that is long enough",
    ]));
  test("shrinks a wide column before moving the last one", () =>
    expect(formatTable([["id", `${"word ".repeat(10)}end`, "what it means"]], { width: 50 })).toEqual([
      "id  word word word word word word    what it means",
      "    word word word word end",
    ]));
  test("truncates a cell at its end or its start, as requested", () => {
    const layout = { width: 30, columns: [{}, { fit: "cut" as const }] };
    expect(formatTable([["id", "git push --force origin main to"]], layout)).toEqual(["id  git push --force origin…"]);
    const roomy = { width: 28, columns: [{}, { fit: "cut" as const, minWidth: 30 }] };
    expect(formatTable([["id", "git push --force origin main to"]], roomy)).toEqual([
      "id",
      "    git push --force origin…",
    ]);
    expect(truncateToLine("/a/b/c.jsonl:12", 10, "start")).toBe("….jsonl:12");
  });
  test("never exceeds the terminal's width", () =>
    fc.assert(
      fc.property(fc.array(fc.array(sentences, { minLength: 3, maxLength: 3 }), { maxLength: 5 }), (cells) => {
        for (const width of [40, 60, 80, 120])
          expect(formatTable(cells, { width, indent: 2 }).filter((line) => widthOf(line) > width)).toEqual([]);
      }),
    ));
});

test("continuation lines are indented below the start of the first line", () =>
  expect(
    wrapLongLines(
      ["  - a note that is too long for it", "  label  a text that is too long", "    deep text that is too long"].join(
        "\n",
      ),
      24,
    ).split("\n"),
  ).toEqual([
    "  - a note that is too",
    "    long for it",
    "  label  a text that is",
    "         too long",
    "    deep text that is",
    "    too long",
  ]));
