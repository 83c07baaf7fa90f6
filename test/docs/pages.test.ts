import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { Glob } from "bun";
import { initProject } from "../../src/cli/init/init.ts";
import { linkExecutable } from "../support/executables.ts";
import { EXECUTABLE, getPayload, ROOT } from "../support/fixtures.ts";
import { drawDenial, generatedPages, generatedParts, PICTURE, withGenerated } from "../../tools/docs/generate.ts";
import { removeMeasurements } from "../../tools/docs/recording.ts";
import { productPage, rulePages } from "../../tools/docs/rule-pages.ts";

const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-docs-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const files = ["*.md", "docs/**/*.md"].flatMap((pattern) => [...new Glob(pattern).scanSync(ROOT)]).sort();
const textOf = (file: string) => readFileSync(join(ROOT, file), "utf8");

interface Block {
  file: string;
  language: string;
  /** Words after a code block's language, such as `no-run` for code that can't run here. */
  flags: string[];
  text: string;
}

const blocks: Block[] = files.flatMap((file) =>
  [...textOf(file).matchAll(/^```(\S*) *(.*)\n([\s\S]*?)^```$/gm)].map(([, language = "", flags = "", text = ""]) => ({
    file,
    language,
    flags: flags.split(" ").filter(Boolean),
    text,
  })),
);

describe("the documentation", () => {
  const withoutCode = (text: string) => text.replace(/^```[\s\S]*?^```$/gm, "").replace(/`[^`\n]*`/g, "");
  const anchorsIn = (file: string) =>
    [
      ...textOf(file)
        .replace(/^```[\s\S]*?^```$/gm, "")
        .matchAll(/^#+ (.*)$/gm),
    ].map(([, title = ""]) =>
      title
        .toLowerCase()
        .replace(/[^\w\- ]/g, "")
        .replaceAll(" ", "-"),
    );
  const linksOf = (file: string) =>
    [...withoutCode(textOf(file)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link as string);

  for (const file of files)
    test(`has only valid links in ${file}`, () => {
      for (const link of linksOf(file)) {
        if (/^https?:/.test(link)) {
          expect(URL.canParse(link) || link).toBe(true);
          continue;
        }
        const [path = "", anchor] = link.split("#");
        const target = path === "" ? file : relative(ROOT, join(ROOT, dirname(file), path));
        expect(existsSync(join(ROOT, target)) || link).toBe(true);
        if (anchor !== undefined) expect(anchorsIn(target)).toContain(anchor);
      }
    });

  test("has an index that names every page", () => {
    const named = new Set(linksOf("docs/README.md").map((link) => join("docs", link.replace(/#.*/, ""))));
    expect([...named].toSorted()).toEqual(
      files.filter((file) => file.startsWith("docs/") && file !== "docs/README.md"),
    );
  });

  for (const file of files.filter((one) => /^(AGENTS|CONTRIBUTING|docs\/contributing\/.*)\.md$/.test(one)))
    test(`names only existing files and directories in ${file}`, () => {
      const named = [...textOf(file).matchAll(/`((?:docs|hooks|release|src|test|tools)\/[\w./-]+)`/g)].map(
        ([, path]) => path as string,
      );
      expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    });

  test("has a README of at most 130 lines and 10 kB", () => {
    expect(textOf("README.md").split("\n").length).toBeLessThanOrEqual(131);
    expect(Buffer.byteLength(textOf("README.md"))).toBeLessThanOrEqual(10_000);
  });

  for (const file of files.filter((one) => one.startsWith("docs/") && one !== "docs/README.md"))
    test(`begins ${file} with a sentence that states the question that it answers`, () =>
      expect(textOf(file)).toMatch(/^# [^\n]+\n\n[\w`*"[][^\n]+(\n[^\n]+)*[.:]\n\n/));
});

test('generated parts match the capability table; "npm run docs" regenerates them', () => {
  for (const [file, marker, text] of generatedParts) {
    const page = textOf(file);
    expect(page).toContain(`<!-- ${marker} -->`);
    expect(withGenerated(page, marker, text) === page || `${file} is out of date: run "npm run docs"`).toBe(true);
  }
});

test('generated pages match the commands and rules; "npm run docs" regenerates them', () => {
  for (const [file, text] of generatedPages)
    expect(textOf(file) === text || `${file} is out of date: run "npm run docs"`).toBe(true);
  expect(files.filter((file) => /^docs\/rules\/(?!README)/.test(file))).toEqual(
    [...rulePages, productPage].map(([file]) => file).toSorted(),
  );
});

test("the README's picture shows what the executable prints", () =>
  expect(removeMeasurements(readFileSync(PICTURE, "utf8"))).toBe(removeMeasurements(drawDenial(EXECUTABLE))));

describe("code blocks", () => {
  test("have a language that is checked here, or are plain output", () => {
    const languages = new Set(blocks.map(({ language }) => language));
    expect([...languages].toSorted()).toEqual(["", "console", "json", "sh", "ts", "yaml"]);
    // These blocks can't run here: they download runtimes for other platforms or Cursor's package, wrap the reader's
    // own script, or add exceptions, which takes a user at a terminal.
    expect(blocks.filter(({ flags }) => flags.includes("no-run")).map(({ file }) => file)).toEqual([
      "docs/guide/first-hook.md",
      "docs/guide/recipes.md",
      "docs/guide/recipes.md",
      "docs/hosts/evidence.md",
      "docs/operate/exceptions.md",
      "docs/operate/exceptions.md",
    ]);
  });

  for (const { file, text } of blocks.filter(({ language }) => language === "json"))
    test(`in JSON of ${file} are valid`, () => void JSON.parse(text));

  for (const { file, text } of blocks.filter(({ language }) => language === "yaml"))
    test(`in YAML of ${file} are valid`, () => void Bun.YAML.parse(text));

  test("with config file rules are valid, and the rules match their examples", () => {
    const files = blocks.filter(({ language, text }) => language === "json" && "rules" in JSON.parse(text));
    expect(files.map(({ file }) => file)).toEqual([
      "docs/guide/recipes.md",
      "docs/guide/recipes.md",
      "docs/guide/settings.md",
      "docs/rules/README.md",
      "docs/rules/README.md",
    ]);
    for (const { text } of files) {
      writeFileSync(join(folder, "rules.json"), text);
      const { exitCode, stdout } = Bun.spawnSync([EXECUTABLE, "rules", "test", join(folder, "rules.json")]);
      expect([exitCode, `${stdout}`]).toEqual([0, expect.stringMatching(/^ok /m)]);
    }
  });

  test("with a module compile", async () => {
    const project = join(folder, "project");
    await initProject(project);
    const modules = [...new Set(blocks.filter(({ language }) => language === "ts").map(({ text }) => text))];
    expect(modules.length).toBeGreaterThanOrEqual(4);
    for (const name of ["no-publish.ts", "no-publish.test.ts"])
      expect(modules).toContain(readFileSync(join(project, "hooks", name), "utf8"));
    modules.forEach((code, at) => writeFileSync(join(project, `hooks/block-${at}.ts`), code));
    const { exitCode, stdout, stderr } = Bun.spawnSync([process.execPath, "check"], { cwd: project });
    expect([exitCode, `${stdout}${stderr}`]).toEqual([
      0,
      expect.stringContaining(`No type errors in ${modules.length + 2} files`),
    ]);
  });

  const scripts = JSON.parse(textOf("package.json")).scripts as Record<string, string>;
  const lines = blocks
    .filter(({ language, flags }) => language === "sh" && !flags.includes("no-run"))
    .flatMap(({ file, text }) => text.split("\n").map((line) => ({ file, line: line.replace(/\s+#.*$/, "").trim() })))
    .filter(({ line }) => line !== "" && !line.startsWith("#"));

  /**
   * Creates a machine on which to run a page's commands. Only the executable is installed, and the working directory
   * contains the files the page mentions.
   */
  function machine(file: string) {
    const [bin, home, work] = ["bin", "home", "work"].map((name) => join(folder, file, name)) as [
      string,
      string,
      string,
    ];
    if (!existsSync(work)) {
      const homes = [".claude", ".codex"].map((name) => join(home, name));
      for (const path of [bin, ...homes, ...["recorded", "dist", "hooks"].map((name) => join(work, name))])
        mkdirSync(path, { recursive: true });
      writeFileSync(
        join(work, "hooks/none.ts"),
        'import { defineHook } from "bridge-hooks";\nexport default defineHook({ event: "Stop", handler: () => undefined });\n',
      );
      for (const path of [join(bin, "bridge-hooks"), join(work, "dist/bridge-hooks")]) linkExecutable(EXECUTABLE, path);
      const payload = JSON.stringify(getPayload("claude", "PreToolUse-Bash"));
      for (const file of ["recorded.json", "recorded.jsonl", "recorded/a.json"])
        writeFileSync(join(work, file), payload);
      const denied = { ...getPayload("claude", "PreToolUse-Bash"), tool_input: { command: "rm -rf /" } };
      const env = { PATH: "/usr/bin:/bin", HOME: home };
      Bun.spawnSync([EXECUTABLE, "--host", "claude"], { cwd: work, env, stdin: Buffer.from(JSON.stringify(denied)) });
      for (const file of ["rules.json", "new.json"])
        writeFileSync(join(work, file), '{ "rules": { "git/push-force": { "action": "ask" } } }');
    }
    return { cwd: work, env: { PATH: `${bin}:${home}/.local/bin:/usr/bin:/bin`, HOME: home, COLUMNS: "80" } };
  }

  const typed = lines.filter(({ line }) => /^((dist\/)?bridge-hooks|(\.\/)?guard) /.test(line));
  /** Builds take seconds, so skip one whose words all occur in another build's command line. */
  const isPart = (line: string) =>
    typed.some((other) => {
      const [words, others] = [line, other.line].map((text) => new Set(text.split(" "))) as [Set<string>, Set<string>];
      return line.startsWith("bridge-hooks build") && words.size < others.size && words.isSubsetOf(others);
    });
  const run = typed.filter(({ line }) => !isPart(line));
  for (const { file, line } of run)
    test(`run as ${file} shows: ${line}`, () => {
      // The same executable also stands in for the page's other one.
      const { cwd, env } = machine(file);
      const command = line
        .replace("/usr/local/bin/bridge-hooks", join(dirname(cwd), "bin/bridge-hooks"))
        // A user would confirm the prompt.
        .replace(/ install\b(?!.* --(?:yes|dry-run))/, " install --yes");
      const { exitCode, stdout, stderr } = Bun.spawnSync(["/bin/sh", "-c", command], { cwd, env });
      const text = `${stdout}${stderr}`;
      // Exit code 1 means a finding or a reported denial. Invalid arguments would make the command print its usage.
      expect([0, 1, 2]).toContain(exitCode as number);
      expect(text).not.toMatch(/Unknown Syntax|unknown option|unexpected argument|an argument too many|did you mean/i);
      if (exitCode !== 0) expect(text).not.toMatch(/^bridge-hooks: (?!\.\/hooks has )/m);
    });

  test("with npm commands name existing scripts", () => {
    const named = lines.flatMap(({ line }) => [...line.matchAll(/npm run (\S+)/g)].map(([, name]) => name as string));
    expect(named.length).toBeGreaterThan(5);
    for (const name of named) expect(Object.keys(scripts)).toContain(name);
  });

  test("have no command that did not run, except npm commands and parts of builds that ran", () => {
    expect(typed.length).toBeGreaterThan(14);
    const builds = run.filter(({ line }) => line.startsWith("bridge-hooks build")).map(({ file }) => file);
    expect(builds).toEqual(["README.md", "docs/reference/config.md"]);
    const others = lines.filter((one) => !typed.includes(one)).map(({ line }) => line.split(" ")[0]);
    expect([...new Set(others)].toSorted()).toEqual(["ansible-playbook", "export", "mkdir", "npm", "sudo"]);
  });
});
