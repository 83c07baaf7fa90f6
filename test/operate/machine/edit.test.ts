import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parse, visit } from "jsonc-parser";
import { stringify } from "smol-toml";
import { quoteCommand, splitCommand } from "../../../src/protocol/host/quote.ts";
import type { Setup } from "../../../src/protocol/host/install.ts";
import { planInstall } from "../../../src/cli/install/install.ts";
import { applyInstall } from "../../../src/cli/install/apply.ts";
import { planUninstall, applyUninstall } from "../../../src/cli/uninstall/uninstall.ts";
import { deleteReceipt } from "../../../src/operate/machine/receipts.ts";
import { fuzz } from "../../support/fuzz.ts";
import { createHome, writeTestFile, readTestFile, installTargets } from "../../support/homes.ts";

/** How many configs are generated for each file format. */
const CONFIGS = fuzz(500);

const space = (comments: boolean) =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom("", " ", "\n", "\n  ", "\n\t", "\r\n    ") },
    ...(comments
      ? [{ weight: 1, arbitrary: fc.constantFrom(" // a, } ] note\n", "/* b, { */", '\n// c "x": 1\n', " /* d\n */ ") }]
      : []),
  );

const key = fc
  .oneof(fc.constantFrom("theme", "more", "list", "a b", "ü", '"', "//", ","), fc.string({ maxLength: 6 }))
  .filter((name) => name !== "__proto__");

/** Formats a value as JSON, with whitespace and comments anywhere they're allowed. */
function jsonText(value: unknown, next: () => string): string {
  const gap = next;
  if (Array.isArray(value))
    return value.length === 0
      ? `[${gap()}]`
      : `[${value.map((item) => gap() + jsonText(item, next) + gap()).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).map(
      ([name, item]) => `${gap()}${JSON.stringify(name)}${gap()}:${gap()}${jsonText(item, next)}${gap()}`,
    );
    return members.length === 0 ? `{${gap()}}` : `{${members.join(",")}}`;
  }
  return JSON.stringify(value);
}

const scalar = fc.oneof(fc.string({ maxLength: 8 }), fc.integer(), fc.boolean());
const rest = fc.dictionary(
  key,
  fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }), fc.dictionary(key, scalar, { maxKeys: 3 })),
  {
    maxKeys: 4,
  },
);

/** Generates a config of another tool: keys of all types, and hooks in the host's layout. */
const document = (layout: Setup["layout"], events: readonly string[], others = rest) => {
  const handler = fc.record({
    type: fc.constant("command"),
    command: fc.constantFrom("./guard.sh", "bridge-hooks-lint --host claude", "echo '--host cursor'"),
  });
  const entry: fc.Arbitrary<unknown> =
    layout === "list"
      ? handler
      : fc.record({
          matcher: fc.constantFrom("Bash", "Edit|Write"),
          hooks: fc.array(handler, { minLength: 1, maxLength: 2 }),
        });
  const flat = fc.record({
    event: fc.constantFrom(...events),
    matcher: fc.constantFrom("Bash", "Edit|Write"),
    command: fc.constantFrom("./guard.sh", "echo '--host cursor'"),
  });
  const lists: fc.Arbitrary<object> =
    layout === "flat"
      ? fc.array(flat, { minLength: 1, maxLength: 3 })
      : fc.dictionary(
          fc.constantFrom(...events),
          fc.array(entry, { minLength: layout === "list" ? 1 : 0, maxLength: 2 }),
          { maxKeys: 3 },
        );
  return fc.tuple(others, fc.option(lists, { nil: undefined })).map(([others, hooks]) => {
    const { hooks: _, version: __, features: ___, ...kept } = others;
    return { ...(layout === "list" && { version: 1 }), ...kept, ...(hooks && { hooks }) };
  });
};

const comments = (text: string) => {
  const found: string[] = [];
  visit(text, { onComment: (offset, length) => void found.push(text.slice(offset, offset + length)) });
  return found;
};

/** Returns the keys and entries in a JSON document that belong to other tools. */
function foreign(text: string) {
  const value = parse(text, [], { allowTrailingComma: true }) as Record<string, unknown>;
  const strip = (item: unknown): unknown => {
    if (Array.isArray(item)) return item.map(strip).filter((one) => one !== undefined);
    if (typeof item !== "object" || item === null) return item;
    const { command, hooks } = item as { command?: unknown; hooks?: unknown };
    if (typeof command === "string" && command.includes("/bin/bridge-hooks")) return undefined;
    if (Array.isArray(hooks) && hooks.length > 0 && (strip(hooks) as unknown[]).length === 0) return undefined;
    return Object.fromEntries(Object.entries(item).map(([name, inner]) => [name, strip(inner)]));
  };
  return strip(value);
}

/** Removes empty lists: those that contained only our entries, and those that were empty all along. */
function withoutEmpty(value: unknown): unknown {
  const { hooks, ...others } = value as { hooks?: Record<string, unknown[]> };
  const kept = Object.entries(hooks ?? {}).filter(([, list]) => list.length > 0);
  return kept.length > 0 ? { ...others, hooks: Object.fromEntries(kept) } : others;
}

// Modules are left out because they're entirely ours.
for (const target of installTargets.filter(
  ({ scope, syntax }) => (scope === "user" && syntax === "json") || syntax === "toml",
)) {
  const { host, setup, scope, syntax, bare } = target;
  /** Returns the document in which the hooks are found. */
  const nest = (value: unknown) => (bare ? { hooks: value } : value);
  const check = await host.loadDoctor();
  describe(`generated configs of ${host.name}, ${scope}`, () => {
    const allows =
      setup.layout === "list" && check.findConfigProblems('{ "version": 1 /* c */ }', "hooks.json").length === 0;
    const options = { hosts: [host.id], scope, events: [], on_error: "deny" } as const;
    // A host might reject unknown keys.
    const strict = check.findConfigProblems('{ "other": 1 }', "hooks.json").length > 0;
    const natives = Object.keys(host.capabilities).filter((name) => !setup.forbiddenEvents[name]);
    const texts =
      syntax === "toml"
        ? fc
            .tuple(
              document(setup.layout === "flat" ? "flat" : "groups", natives),
              fc.constantFrom("", "# last", "\n# last\n\n"),
            )
            .map(([value, end]) => `# first\n${stringify(value as never)}${end}`)
        : fc
            .tuple(
              document(
                setup.layout,
                natives,
                strict ? fc.record({ description: fc.string() }, { requiredKeys: [] }) : rest,
              ),
              fc.infiniteStream(space(allows)),
              space(allows),
            )
            .map(
              ([value, spaces, end]) =>
                jsonText(bare ? (value.hooks ?? {}) : value, () => spaces.next().value as string) + end,
            );

    test("keep foreign keys, entries and comments, and are restored byte for byte when our entry is removed", async () => {
      let count = 0;
      using home = createHome();
      const { path } = target.file(home);
      await fc.assert(
        fc.asyncProperty(texts, fc.boolean(), async (text, forget) => {
          writeTestFile(path, text);
          const plan = await planInstall(options, home);
          expect(plan.problems).toEqual([]);
          applyInstall(plan, options, home);
          const between = readTestFile(path);
          expect(
            setup.parseEntries(between, path).filter(({ command }) => command.includes("/bin/bridge-hooks")).length,
          ).toBeGreaterThanOrEqual(Math.min(2, natives.length));
          if (syntax === "json") {
            expect(comments(between)).toEqual(comments(text));
            expect(withoutEmpty(nest(foreign(between)))).toEqual(withoutEmpty(nest(parse(text))));
          } else {
            // Installing replaces an empty inline list, or a header with nothing left under it, with tables.
            for (const line of text
              .split("\n")
              .filter((one) => one.trim() !== "" && !/= \[ ?\]$|^\[hooks\]$/.test(one)))
              expect(between).toContain(line);
          }
          const again = await planInstall(options, home);
          expect(again.files.map(({ after }) => after)).toEqual([between]);
          // Without the receipt, our entries can be recognized only by their text.
          if (forget) deleteReceipt(home.machine.env, path);
          const out = await planUninstall(options, home);
          expect(out.problems).toEqual([]);
          applyUninstall(out, home);
          if (!forget) expect(readTestFile(path)).toBe(text);
          else if (syntax === "json") {
            expect(comments(readTestFile(path))).toEqual(comments(text));
            expect(withoutEmpty(nest(parse(readTestFile(path))))).toEqual(withoutEmpty(nest(parse(text))));
          }
          count++;
        }),
        CONFIGS,
      );
      expect(count).toBe(CONFIGS.numRuns);
    });
  });
}

describe("a command line of an entry", () => {
  const word = fc.oneof(
    fc.string({ maxLength: 12, unit: "grapheme" }),
    fc.constantFrom(
      "/a b/it's/ü/x",
      "C:\\Program Files\\x.exe",
      "a\\b",
      "$HOME",
      "`x`",
      "-",
      "~",
      "#",
      "’",
      "a,b",
      "@x",
    ),
  );
  for (const dialect of ["sh", "powershell", "cmd"] as const) {
    test(`is parsed back from its quoted form for ${dialect}`, () => {
      fc.assert(
        fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), (line) => {
          let text: string;
          try {
            text = quoteCommand(line, dialect);
          } catch (error) {
            expect((error as Error).message).toMatch(/line break|cmd\.exe/);
            return;
          }
          expect(splitCommand(text, dialect)).toEqual(line);
        }),
        fuzz(2_500),
      );
    });
  }
  test("is parsed by a real shell as the same words", () => {
    fc.assert(
      fc.property(
        fc.array(
          word.filter((one) => !/[\0\r\n]/.test(one)),
          { minLength: 1, maxLength: 4 },
        ),
        (line) => {
          const { stdout } = Bun.spawnSync(["/bin/sh", "-c", `printf '%s\\0' ${quoteCommand(line, "sh")}`]);
          expect(stdout.toString().split("\0").slice(0, -1)).toEqual(line);
        },
      ),
      fuzz(250),
    );
  });
  test("is not recognized if it is more than a simple command", () => {
    for (const text of [
      "a; b",
      "a && b",
      "a | b",
      "a > f",
      "a $(b)",
      "a `b`",
      "a # b",
      "a\nb",
      "a 'b",
      'a "b',
      "a *",
      "a $UNKNOWN",
    ])
      expect([text, splitCommand(text, "sh")]).toEqual([text, undefined]);
    expect(splitCommand('"$HOME/x y"/z ~/a', "sh", { HOME: "/h" })).toEqual(["/h/x y/z", "~/a"]);
    expect(splitCommand("~/x --host claude", "sh", { HOME: "/h" })).toEqual(["/h/x", "--host", "claude"]);
  });
});
