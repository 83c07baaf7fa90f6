import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { hosts } from "../../src/hosts/index.ts";
import { ROOT } from "../support/fixtures.ts";

const FOLDER = ".github/ISSUE_TEMPLATE";
const readText = (file: string) => readFileSync(join(ROOT, file), "utf8");
const forms = readdirSync(join(ROOT, FOLDER)).filter((name) => name !== "config.yml");

// Form schema:
// https://docs.github.com/en/communities/using-templates-to-encourage-useful-issues-and-pull-requests/syntax-for-githubs-form-schema

const text = v.pipe(v.string(), v.trim(), v.nonEmpty());
const field = {
  id: v.pipe(v.string(), v.regex(/^[\w-]+$/)),
  validations: v.optional(v.object({ required: v.boolean() })),
};
const label = { label: text, description: v.optional(text) };
const typed = { ...label, placeholder: v.optional(text), value: v.optional(text) };
const options = v.pipe(
  v.array(text),
  v.nonEmpty(),
  v.check((all) => new Set(all).size === all.length && !all.some((one) => /^none$/i.test(one))),
);

const Form = v.strictObject({
  name: text,
  description: text,
  labels: v.array(text),
  body: v.array(
    v.variant("type", [
      v.strictObject({ type: v.literal("markdown"), attributes: v.strictObject({ value: text }) }),
      v.strictObject({ type: v.literal("input"), ...field, attributes: v.strictObject(typed) }),
      v.strictObject({
        type: v.literal("textarea"),
        ...field,
        attributes: v.strictObject({ ...typed, render: v.optional(text) }),
      }),
      v.strictObject({ type: v.literal("dropdown"), ...field, attributes: v.strictObject({ ...label, options }) }),
    ]),
  ),
});

test.each(forms)("the issue form %s matches GitHub's schema", (name) => {
  const { body } = v.parse(Form, Bun.YAML.parse(readText(`${FOLDER}/${name}`)));
  const fields = body.flatMap((one) => (one.type === "markdown" ? [] : [one]));
  expect(fields.length).toBeGreaterThan(0);
  for (const values of [fields.map(({ id }) => id), fields.map(({ attributes }) => attributes.label)])
    expect(values).toEqual([...new Set(values)]);
});

test("the bug form asks for version and doctor's output, warns about secrets and lists every host", () => {
  const form = readText(`${FOLDER}/bug.yml`);
  for (const part of ["bridge-hooks --version", "bridge-hooks doctor", "Remove secrets", "SECURITY.md"])
    expect(form).toContain(part);
  const { body } = v.parse(Form, Bun.YAML.parse(form));
  const named = body.flatMap((one) => (one.type === "dropdown" ? one.attributes.options : []));
  expect(named).toEqual(expect.arrayContaining(hosts.map(({ name }) => name)));
});

test("the issue chooser links to the security policy and disables blank issues", () => {
  const config = Bun.YAML.parse(readText(`${FOLDER}/config.yml`)) as any;
  expect(config.blank_issues_enabled).toBe(false);
  for (const link of config.contact_links) expect(Object.keys(link)).toEqual(["name", "url", "about"]);
  expect(config.contact_links[0].url).toEndWith("/bridge-hooks/security/policy");
  expect(config.contact_links[0].about).toContain("SECURITY.md");
});

test(".editorconfig has the formatter's line length", () => {
  const { fmt } = Bun.TOML.parse(readText("bunfig.toml")) as any;
  expect(readText(".editorconfig")).toContain(`max_line_length = ${fmt.printWidth}\n`);
});
