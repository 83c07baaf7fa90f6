import { describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { KINDS, MORE, rules } from "../src/kit/secret-rules.ts";
import { secrets } from "../src/kit/secrets.ts";
import { ROOT } from "./fixtures.ts";
import { EXAMPLES, letters } from "./made-up.ts";

const kindsIn = async (text: string) => (await secrets(text)).map(({ kind }) => kind);

describe("secrets", () => {
  for (const [kind, secret, text = secret] of EXAMPLES)
    test(`${kind} in ${text.replace(secret, "…").slice(0, 60)}`, async () => {
      const line = `before ${text}\nafter`;
      const found = await secrets(line);
      expect(found.map((one) => ({ kind: one.kind, secret: line.slice(one.start, one.end) }))).toEqual([{ kind, secret }]);
    });

  test("every rule has an example", () => {
    expect(EXAMPLES.length).toBe(76);
    const reported = new Set<string>();
    const context = { createTranslator: () => (id: string) => ({ id, values: {} }), report: ({ message }: any) => reported.add(message.id) };
    for (const rule of rules)
      for (const [, secret, text = secret] of EXAMPLES) rule.create(context as never, { enableIDScanRule: true }).file?.({ content: text });
    const known = rules.flatMap(({ messages }) => Object.keys(messages));
    expect(Object.keys(KINDS).sort()).toEqual(known.sort());
    expect(Object.keys(KINDS).filter((id) => KINDS[id] && !reported.has(id))).toEqual([]);
    const unseen = MORE.filter(([, pattern]) => !EXAMPLES.some(([, secret, text = secret]) => text.search(pattern) >= 0));
    expect(unseen).toEqual([]);
  });
});
