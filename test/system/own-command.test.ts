import { afterAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import ts from "typescript";
import { COMMANDS } from "../../src/cli/main.ts";
import {
  COMMAND_WORDS,
  nameProgram,
  qualifyCommands,
  quoteTypedFields,
  quoteTypedJson,
  TYPED_COMMAND,
} from "../../src/system/own-command.ts";
import { ROOT } from "../support/fixtures.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "bridge-hooks-own-command-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function writeProgram(path: string, text = '#!/bin/sh\necho "ours $*"\n'): string {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, 0o755);
  return file;
}

const ours = writeProgram("own/bridge-hooks");
const guard = writeProgram("team's tools/acme guard");
const other = writeProgram("other/bridge-hooks", "#!/bin/sh\necho other\n");
mkdirSync(join(root, "links"));
symlinkSync(ours, join(root, "links/bridge-hooks"));
symlinkSync(guard, join(root, "links/acme guard"));
const folderOf = (...names: string[]) => [...names.map((name) => join(root, name)), "/usr/bin", "/bin"].join(":");

describe.skipIf(process.platform === "win32")("a program is named so that a shell starts it", () => {
  const cases: [where: string, file: string, path: string, named: string][] = [
    ["by its name if PATH leads to it", ours, folderOf("own"), "bridge-hooks"],
    ["by its name if a link on PATH leads to it", ours, folderOf("links"), "bridge-hooks"],
    ["by its path if it is not on PATH", ours, folderOf(), ours],
    ["by its path if another one comes first", ours, folderOf("other", "own"), ours],
    ["by its name if another one comes after it", ours, folderOf("own", "other"), "bridge-hooks"],
    ["by its path if a relative directory comes first", ours, `.:${folderOf("own")}`, ours],
    ["by its path if an empty PATH entry comes first", ours, `:${folderOf("own")}`, ours],
    ["by its path in quotes", guard, folderOf(), `'${guard.replace("'", String.raw`'\''`)}'`],
    ["by its name in quotes", guard, folderOf("links"), "'acme guard'"],
  ];
  for (const [where, file, path, named] of cases)
    test(where, () => {
      const command = nameProgram(file, { platform: "linux", env: { PATH: path } });
      expect(command).toBe(named);
      const { stdout } = Bun.spawnSync(["/bin/bash", "-c", `${command} doctor`], { env: { PATH: path }, cwd: root });
      expect(stdout.toString()).toBe("ours doctor\n");
    });
  test("by its path for sudo, which uses a different PATH", () =>
    expect(nameProgram(ours, { platform: "linux", env: { PATH: folderOf("own") } }, "sudo")).toBe(`sudo ${ours}`));
  test("while PATH starts the other program of that name", () =>
    expect(Bun.spawnSync([other]).stdout.toString()).toBe("other\n"));
});

describe("on Windows a program is named for", () => {
  const file = "C:\\Program Files\\acme\\guard.exe";
  const name = (env: Record<string, string>, where?: "elsewhere") =>
    nameProgram(file, { platform: "win32", env }, where);
  test("PowerShell, whose call operator accepts a quoted path", () => expect(name({})).toBe(`& '${file}'`));
  test("cmd.exe, by PROMPT", () => expect(name({ PROMPT: "$P$G" })).toBe(`"${file}"`));
  test("PowerShell that cmd.exe started, by its modules", () =>
    expect(name({ PROMPT: "$P$G", PSModulePath: "C:\\Users\\mia\\Documents\\PowerShell\\Modules" })).toBe(
      `& '${file}'`,
    ));
  test("Git Bash, by MSYSTEM", () => expect(name({ MSYSTEM: "MINGW64" })).toBe(`'${file}'`));
  test("PowerShell, if the host's shell reveals nothing about the user's", () =>
    expect(name({ MSYSTEM: "MINGW64" }, "elsewhere")).toBe(`& '${file}'`));
  test("both, without quotes, if the path needs none", () => {
    for (const env of [{}, { PROMPT: "$P$G" }])
      expect(nameProgram("C:\\acme\\guard.exe", { platform: "win32", env })).toBe("C:\\acme\\guard.exe");
  });
});

test("JSON typed on Windows contains nothing that a shell there interprets, and has the same value", () => {
  const value = {
    rule: "git/push-force",
    match: `a "b" 'c' $d %e% !f! \`g\` ^h & | <i> “j” ‘k’ \\l\n\u00e9`,
    project: "C:\\Users\\mia",
    list: [1, true, null, { "odd key": "x" }],
  };
  const typed = quoteTypedJson(value, { platform: "win32", env: {} });
  expect(typed).toMatch(/^"[^"$%!^`“”‘’\n]*"$/);
  expect(Bun.JSON5.parse(typed.slice(1, -1))).toEqual(value);
  const lines = quoteTypedFields(value, { platform: "win32", env: {} }) as string[];
  expect(lines).toHaveLength(Object.keys(value).length + 1);
  expect(lines.join("\n")).toMatch(/^"\{[^"$%!^`“”‘’]*\}"$/);
  expect(Bun.JSON5.parse(lines.join("\n").slice(1, -1))).toEqual(value);
  expect(quoteTypedFields(value, { platform: "win32", env: { PROMPT: "$P$G" } })).toBeUndefined();
});

test.skipIf(process.platform === "win32")("JSON on several lines is one shell word", () => {
  const value = { match: `a "b" 'c' $d \`g\` !h`, reason: "it's mine" };
  const script = `printf %s ${quoteTypedFields(value, { platform: "linux", env: {} })?.join("\n    ")}`;
  expect(JSON.parse(`${Bun.spawnSync(["/bin/sh", "-c", script]).stdout}`)).toEqual(value);
});

test("the commands replaced in a text are those of all subcommands, and nothing else is replaced", () => {
  const words = COMMANDS.flatMap(({ paths = [] }) => paths.flatMap(([word]) => word ?? []));
  expect([...new Set(words)].filter((word) => !["-h", "-v", "-V", "--version"].includes(word)).sort()).toEqual(
    [...COMMAND_WORDS].sort(),
  );
  expect(qualifyCommands("run bridge-hooks doctor, or `bridge-hooks config show`: bridge-hooks did it", "X")).toBe(
    "run X doctor, or `X config show`: bridge-hooks did it",
  );
  for (const text of ["/opt/bridge-hooks doctor", "my-bridge-hooks list", "bridge-hooks lists"])
    expect(qualifyCommands(text, "X")).toBe(text);
});

/** Files in which commands either run on another machine or get qualified with the executable's name later. */
const UNQUALIFIED = [
  // Texts that are qualified by `doctor`, `status` and `requireHost`, and comments in files that an installation
  // writes.
  /^src\/hosts\//,
  // Packs, pages and scripts meant for other machines and users.
  /^src\/operate\/(?:mdm|report)\//,
  /^src\/cli\/init\/template\//,
  // Descriptions of fields in a schema.
  /^src\/(?:policy\/describe|operate\/log\/line-schema)\.ts$/,
  // Problems and notes of a call, which `answerFailedCall` and `sayOnce` qualify, and failures of calls in which
  // built-ins are broken.
  /^src\/call\/(?:options|failure|select|identify\/messages)\.ts$/,
  // Probes, and rules the way hooks define them.
  /^src\/(?:protocol|author)\//,
];

test("no message suggests a command with a name other than the one that starts this executable", () => {
  const found: string[] = [];
  let texts = 0;
  for (const name of readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" })) {
    const file = `src/${name}`;
    if (!file.endsWith(".ts") || UNQUALIFIED.some((path) => path.test(file))) continue;
    const source = ts.createSourceFile(file, readFileSync(join(ROOT, file), "utf8"), ts.ScriptTarget.Latest, true);
    const visit = (node: ts.Node): void => {
      // Usages and examples are qualified by the help.
      if (ts.isPropertyDeclaration(node) && node.name.getText() === "usage") return;
      if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) {
        texts++;
        if (node.text.search(TYPED_COMMAND) >= 0) found.push(`${file}: ${node.text}`);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  expect(texts).toBeGreaterThan(1_000);
  expect(found).toEqual([]);
});
