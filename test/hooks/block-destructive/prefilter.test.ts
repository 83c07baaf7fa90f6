import { describe, expect, test } from "bun:test";
import { DEFAULT_RULE_POLICY } from "../../../src/protocol/rule.ts";
import { CATEGORIES, isSuspect } from "../../../hooks/_destructive/glance.ts";
import { BARE_PARTS } from "../../../hooks/_destructive/precious-files.ts";
import { PRECIOUS_PATHS } from "../../../hooks/_destructive/precious-hints.build.ts";
import { RULES } from "../../../hooks/_destructive/rules.ts";
import { pickRepresentatives } from "../../support/fuzz.ts";
import { buildHarmfulLines } from "../../score/harmful/lines.ts";
import { askLine, CWD, HOME } from "./support.ts";

const OPTIONS = { categories: CATEGORIES };
const SETTINGS = { ...OPTIONS, allow: [], deny: [], protect: [], decision: "deny" } as const;

/** With a setting that forbids a program, every line is read, whatever the glance says. */
const ALL_READ = { ...OPTIONS, deny: ["no-such-program"] };

/** The lines that a reading denies, and a glance or the words of its rules let pass unread. */
async function findExcluded(lines: Iterable<string>, cwd = CWD): Promise<{ excluded: string[]; denied: number }> {
  const excluded: string[] = [];
  let denied = 0;
  const isDenied = async (line: string, options: object) =>
    (await askLine(line, options, cwd).catch(() => undefined))?.decision === "deny";
  for (const line of lines) {
    // What is denied here would be with every line read, too.
    if (isSuspect(line, SETTINGS, DEFAULT_RULE_POLICY, cwd) && (await isDenied(line, OPTIONS))) denied++;
    else if (await isDenied(line, ALL_READ)) {
      denied++;
      excluded.push(line);
    }
  }
  return { excluded, denied };
}

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
/** All of a text as escapes of `$'…'`. */
const escapeText = (text: string) =>
  `$'${[...Buffer.from(text)].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("")}'`;

const WRAPPERS: Readonly<Record<string, (line: string) => string>> = {
  plain: (line) => line,
  sudo: (line) => `sudo ${line}`,
  env: (line) => `env A=1 ${line}`,
  "bash -c": (line) => `bash -c ${quote(line)}`,
  "sudo bash -c": (line) => `sudo bash -c ${quote(line)}`,
  "bash -c, escaped": (line) => `bash -c ${escapeText(line)}`,
  eval: (line) => `eval ${quote(line)}`,
  "a variable": (line) => `X=${quote(line)}; eval "$X"`,
  "a here-document": (line) => `bash <<'END_OF_LINE'\n${line}\nEND_OF_LINE`,
  "a pipe from base64": (line) => `echo ${Buffer.from(line).toString("base64")} | base64 -d | bash`,
  "a quoted program": (line) => line.replace(/^[\w.-]+/, '"$&"'),
  "quotes in the program": (line) => line.replace(/^(\w)([\w.-]+)/, "$1''\"$2\""),
  "a backslash in the program": (line) => line.replace(/^(\w)([\w.-]+)/, "$1\\$2"),
  "an escaped program": (line) => line.replace(/^[\w.-]+/, escapeText),
  "capital letters elsewhere": (line) => `echo A.B; ${line}`,
};

describe("every denied line is read:", () => {
  const examples = Object.values(RULES).flatMap((rules) =>
    rules.flatMap(({ id, deny }) => deny.map((line) => ({ id, line }))),
  );
  for (const [name, wrap] of Object.entries(WRAPPERS))
    test(`examples of the rules, ${name}`, async () => {
      // What wraps a line, or spells its program, is the same for all arguments.
      const classOf = ({ id, line }: (typeof examples)[number]) => `${id} ${/^\S*/.exec(line)}`;
      const chosen = name === "plain" ? examples : pickRepresentatives(examples, classOf);
      const { excluded, denied } = await findExcluded(new Set(chosen.map(({ line }) => wrap(line))));
      expect(excluded).toEqual([]);
      expect(denied).toBeGreaterThan(chosen.length * 0.7);
    });

  const OTHER_HOOKS = /secrets|^hooks-off$/;
  for (const [cause, lines] of buildHarmfulLines())
    if (!OTHER_HOOKS.test(cause))
      test(`harmful lines of ${cause}`, async () => {
        const { excluded, denied } = await findExcluded(lines);
        expect(excluded).toEqual([]);
        expect(denied).toBeGreaterThan(lines.length * 0.8);
      });
});

describe("a line that overwrites a precious file is read", () => {
  const OPERATORS = [">", ">|", "&>", ">&", "1>", "2>", "<>", "> ", ">| ", "2> "];
  const paths = PRECIOUS_PATHS.map((path) => path.replaceAll("*", "name"));
  const absolute = paths.map((path) =>
    path.startsWith("/") ? path : `${path.startsWith(".git/") ? CWD : HOME}/${path}`,
  );

  /** The glance looks for operators and for paths, each by itself: another operator for each path stands for all. */
  const redirections = pickRepresentatives(
    absolute.flatMap((path, at) =>
      OPERATORS.map((_, turn) => ({ path, operator: OPERATORS[(at + turn) % OPERATORS.length] as string })),
    ),
    ({ path }) => path,
  );

  test("by its whole path, and from each folder above it", async () => {
    const lines: string[] = [];
    for (const { path, operator } of redirections) {
      lines.push(`echo x ${operator}${path}`, `echo x ${operator}"${path}"`, `${operator}${path}`);
      const names = path.split("/");
      for (let at = 1; at < names.length; at++) {
        const [folder, rest] = [names.slice(0, at).join("/") || "/", names.slice(at).join("/")];
        lines.push(`cd ${folder} && echo x ${operator}${rest}`, `F=${rest}; cd ${folder}; echo x ${operator}$F`);
      }
    }
    const { excluded, denied } = await findExcluded(lines);
    expect(excluded).toEqual([]);
    expect(denied).toBeGreaterThan(lines.length * 0.6);
  });

  test("if the shell puts the path together", async () => {
    const lines = absolute.flatMap((path) => {
      const [folder, name] = [path.slice(0, path.lastIndexOf("/")), path.slice(path.lastIndexOf("/") + 1)];
      const half = name.length >> 1;
      return [
        `A=${name.slice(0, half)}; echo x > ${folder}/\${A}${name.slice(half)}`,
        `A=${folder.slice(0, -2)}; cd \${A}${folder.slice(-2)} && echo x > ${name}`,
        `echo x > ${folder}/${escapeText(name)}`,
        `printf 'echo x > ${folder}/%s${name.slice(half)}' ${name.slice(0, half)} | sh`,
        `for f in ${name}; do echo x > ${folder}/$f; done`,
      ];
    });
    const { excluded, denied } = await findExcluded(lines);
    expect(excluded).toEqual([]);
    expect(denied).toBeGreaterThan(lines.length * 0.6);
  });

  test("by its name if the session is in its folder", async () => {
    let count = 0;
    for (const { path, operator } of redirections) {
      const folder = path.slice(0, path.lastIndexOf("/")) || "/";
      const line = `echo x ${operator}${path.slice(folder.length).replace(/^\//, "")}`;
      const { excluded, denied } = await findExcluded([line], folder);
      expect([path, excluded]).toEqual([path, []]);
      count += denied;
    }
    expect(count).toBeGreaterThan(redirections.length * 0.5);
  });

  test("in a bare repository", async () => {
    const lines = [...BARE_PARTS].flatMap((part) =>
      OPERATORS.flatMap((operator) => [
        `echo x ${operator}/srv/shop.git/${part}`,
        `cd /srv/shop.git && echo x ${operator}${part}`,
        `cd /srv/shop.git && echo x ${operator}./${part}`,
        `F=${part}; cd /srv/shop.git; echo x ${operator}$F`,
      ]),
    );
    const { excluded, denied } = await findExcluded(lines);
    expect(excluded).toEqual([]);
    expect(denied).toBeGreaterThan(lines.length * 0.6);
  });

  test("unless it only mentions such a name", () => {
    for (const line of ["git log 2>&1 | head -5", "git fetch 2>&1", "ssh host ls > out", "cat hosts > copy"])
      expect([line, isSuspect(line, { ...SETTINGS, categories: ["filesystem"] }, DEFAULT_RULE_POLICY, CWD)]).toEqual([
        line,
        false,
      ]);
  });
});
