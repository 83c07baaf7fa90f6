import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { BARE_REPOSITORY_ENTRIES, PRECIOUS_PATHS } from "../../../hooks/_destructive/precious-files.ts";
import { STARTUP_SUFFIXES } from "../../../hooks/_startup-places.ts";
import { RULES_BY_CATEGORY } from "../../../hooks/_destructive/rules.ts";
import { SECRETS_RULES, type SecretsRule } from "../../../hooks/_secrets/rules.ts";
import { DENIED_LINES } from "../../hooks/protect-hooks/command-lines.ts";
import { FILE_LINES, PRINTING_LINES } from "../../hooks/protect-secrets/denied-lines.ts";
import { SECRETS } from "../../hooks/windows-file-lines.ts";
import { buildHarmfulLines } from "../../score/harmful/lines.ts";
import { createProject, type ScoreProject } from "../../score/project.ts";
import { getPayload } from "../../support/fixtures.ts";
import { pickRepresentatives } from "../../support/fuzz.ts";
import { SPELLINGS, WINDOWS_SPELLINGS } from "../../support/spellings.ts";
import { createRandom, loadStarterHooks, prepareComparison, prepareFilterComparison } from "./differential.ts";
import { createHiddenLines } from "./hide-lines.ts";
import { HIDDEN_LINES } from "./hidden-lines.ts";

let project: ScoreProject;
let compare: ReturnType<typeof prepareComparison>;
let compareFiltered: ReturnType<typeof prepareFilterComparison>;
beforeAll(async () => {
  project = createProject();
  compare = prepareComparison(await loadStarterHooks());
  compareFiltered = prepareFilterComparison(await loadStarterHooks());
});
afterAll(() => project.remove());

/** Lists the commands that the quick path answers even though a hook would object. */
async function findWronglyEnded(lines: Iterable<string>, cwd = project.cwd): Promise<string[]> {
  const wrong: string[] = [];
  for (const command of lines) {
    const payload = getPayload("claude", "PreToolUse-Bash", { cwd, tool_input: { command, description: "d" } });
    const { isTaken, isNeutral } = await compare(["--host", "claude"], JSON.stringify(payload));
    if (isTaken && !isNeutral) wrong.push(`${cwd} ${command}`);
  }
  return wrong;
}

const CODE_LINES = String.raw`
node -p 'process["env"].API_KEY'
node -e 'const { env } = process; console.log(env)'
python3 -c 'import os; print(os.environ)'
python3 -c 'import os; print(os.getenv("API_KEY"))'
php -r 'print_r($_ENV);'
ruby -e 'p ENV'
perl -e 'print %ENV'
awk 'BEGIN { for (k in ENVIRON) print ENVIRON[k] }'
jq -n env
jq -n '[env]'
ps e
ps auxe
ps eww -p 1
export -p
declare -xp
readonly -p
env X='a b'
printenv -0
declare -n r=API_KEY; echo "$r"`
  .trim()
  .split("\n");

const isText = (line: unknown): line is string => typeof line === "string" && line !== "";
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  "the rules' examples": [
    ...Object.values(RULES_BY_CATEGORY).flatMap((rules) => rules.flatMap(({ deny }) => deny)),
    ...Object.values(SECRETS_RULES).flatMap(({ deny }: SecretsRule) => deny.filter(isText)),
  ],
  "the hooks' tests": [...DENIED_LINES, ...FILE_LINES, ...PRINTING_LINES, ...CODE_LINES].filter(isText),
  ...Object.fromEntries([...buildHarmfulLines()].map(([cause, lines]) => [`harmful lines of ${cause}`, lines])),
};

for (const [source, lines] of Object.entries(SOURCES))
  test(`the quick path answers no denied command of ${source}, however it is spelled`, async () => {
    const names = Object.keys(SPELLINGS);
    // Each command as it is and in one alternative spelling, cycling through all spellings.
    const table = lines.flatMap((line, at) =>
      names.map((_, turn) => ({ line, spelling: names[(at + turn) % names.length] as string })),
    );
    const chosen = pickRepresentatives(table, ({ line }) => line);
    const spelled = chosen.map(({ line, spelling }) => SPELLINGS[spelling]?.(line) as string);
    expect(await findWronglyEnded(new Set([...lines, ...spelled]))).toEqual([]);
  });

test("the quick path runs the hook that denies a generated command whose words don't reveal its effect", async () => {
  const random = createRandom(20_261_128);
  const createLine = createHiddenLines({ random, pick: (list) => list[Math.floor(random() * list.length)] as never });
  const wrong: string[] = [];
  let denied = 0;
  for (let count = 0; count < 600; count++) {
    const line = createLine();
    const { isTaken, isNeutral } = await compare(["--host", "claude"], createText(line), true);
    const { difference } = await compareFiltered(["--host", "claude"], createText(line));
    if (!isNeutral) denied++;
    if (!isNeutral && (isTaken || difference !== undefined)) wrong.push(line);
  }
  expect(wrong).toEqual([]);
  expect(denied).toBeGreaterThan(200);
});

test("a machine that stalls while hooks run does not affect the comparison", async () => {
  const { now } = performance;
  let stalledMs = 0;
  performance.now = () => now.call(performance) + (stalledMs += 5_000);
  try {
    for (const line of ["ls", "cat README.md", "npm test"]) {
      const { isTaken, isNeutral } = await compare(["--host", "claude"], createText(line), true);
      expect([line, isTaken, isNeutral]).toEqual([line, true, true]);
    }
    for (const line of ["find ~ -name '*rsa' | xargs cat", "cat $(find . -name '.e*')"]) {
      const { isNeutral } = await compare(["--host", "claude"], createText(line), true);
      const { difference } = await compareFiltered(["--host", "claude"], createText(line));
      expect([line, isNeutral, difference]).toEqual([line, false, undefined]);
    }
  } finally {
    performance.now = now;
  }
});

const createText = (command: string) =>
  JSON.stringify(
    getPayload("claude", "PreToolUse-Bash", { cwd: project.cwd, tool_input: { command, description: "d" } }),
  );

for (const [cause, { denied, innocent }] of Object.entries(HIDDEN_LINES)) {
  test(`the quick path runs the hook that denies a command with ${cause}`, async () => {
    const wrong: string[] = [];
    for (const line of denied) {
      const { isTaken, isNeutral } = await compare(["--host", "claude"], createText(line), true);
      const { difference } = await compareFiltered(["--host", "claude"], createText(line));
      if (isTaken || isNeutral || difference !== undefined) wrong.push(line);
    }
    expect(wrong).toEqual([]);
  });

  test(`the quick path answers harmless commands that resemble commands with ${cause}`, async () => {
    const asked: string[] = [];
    for (const line of innocent) if (!(await compare(["--host", "claude"], createText(line))).isTaken) asked.push(line);
    expect(asked).toEqual([]);
  });
}

test("the quick path answers no denied command of PowerShell or cmd.exe", async () => {
  const lines = SECRETS.flatMap(({ denied }) => denied.filter(isText));
  const spelled = lines.flatMap((line) => Object.values(WINDOWS_SPELLINGS).map((spell) => spell(line)));
  expect(lines.length).toBeGreaterThan(20);
  expect(await findWronglyEnded(spelled)).toEqual([]);
});

test("the quick path answers no tool call that writes a precious file or a startup file", async () => {
  const { cwd, home } = project;
  const paths = PRECIOUS_PATHS.map((path) => path.replaceAll("*", "name.sh"));
  const ends = STARTUP_SUFFIXES.map((path) => `/srv/${path.replaceAll(/[*+]/g, "name.sh")}`);
  const absolute = paths.map((path) =>
    path.startsWith("/") ? path : `${path.startsWith(".git/") ? cwd : home}/${path}`,
  );
  const wrong: string[] = [];
  for (const file_path of [...absolute, ...ends, "/srv/shop.git/objects/x"])
    for (const [name, input] of [
      ["PreToolUse-Write", { file_path, content: "alias claude='claude --bare'\n" }],
      ["PreToolUse-Edit", { file_path, old_string: "a", new_string: "alias claude='claude --bare'\n" }],
    ] as const) {
      const payload = getPayload("claude", name, { cwd, tool_input: input });
      const { isTaken, isNeutral } = await compare(["--host", "claude"], JSON.stringify(payload));
      if (isTaken && !isNeutral) wrong.push(`${name} ${file_path}`);
    }
  expect(wrong).toEqual([]);
});

test("the quick path answers no deletion of a directory with guarded files", async () => {
  const { cwd, home } = project;
  const wrong: string[] = [];
  for (const file_path of [home, cwd, `${home}/.config`, "/etc"]) {
    const payload = getPayload("cursor", "preToolUse.Delete", { cwd, tool_name: "Delete", tool_input: { file_path } });
    const { isTaken } = await compare(["--host", "cursor"], JSON.stringify(payload));
    if (isTaken) wrong.push(file_path);
  }
  expect(wrong).toEqual([]);
});

test("the quick path answers no command that overwrites a precious file", async () => {
  const { cwd, home } = project;
  const paths = PRECIOUS_PATHS.map((path) => path.replaceAll("*", "name"));
  const absolute = [
    ...paths.map((path) => (path.startsWith("/") ? path : `${path.startsWith(".git/") ? cwd : home}/${path}`)),
    ...[...BARE_REPOSITORY_ENTRIES].map((part) => `/srv/shop.git/${part}`),
  ];
  const operators = [">", ">|", "&>", ">&", "1>", "2>", "<>", "> ", ">| ", "2> "];
  const wrong: string[] = [];
  for (const [turn, path] of absolute.entries()) {
    const operator = operators[turn % operators.length];
    const lines = [`echo x ${operator}${path}`, `echo x ${operator}"${path}"`, `${operator}${path}`];
    const names = path.split("/");
    for (let at = 1; at < names.length; at++) {
      const [folder, rest] = [names.slice(0, at).join("/") || "/", names.slice(at).join("/")];
      lines.push(`cd ${folder} && echo x ${operator}${rest}`, `F=${rest}; cd ${folder}; echo x ${operator}$F`);
      wrong.push(...(await findWronglyEnded([`echo x ${operator}${rest}`], folder)));
    }
    wrong.push(...(await findWronglyEnded(lines)));
  }
  expect(wrong).toEqual([]);
});

const WRITING_LINES = [
  ...[
    "cp a X",
    "cp a F",
    "mv a X",
    "install -m 644 a X",
    "ln -sf a X",
    "rsync -a a X",
    "cp -t F other.md",
    "ditto a X",
  ],
  ...["curl -o X https://h/a", "curl -sSLoX https://h/a", "curl --output=X https://h/a", "wget -OX https://h/a"],
  ...[
    "cat a | tee X",
    "dd if=a of=X",
    "echo x > X",
    "sort a > X",
    "cd F && cp a other.md",
    "sudo cp a X",
    "echo a | xargs cp a X",
  ],
  ...["cd F && curl -O https://h/other.md", "cd F && echo x > other.md", "time cp a X && ls", "FILE=X && cp a $FILE"],
];

test("the quick path answers no command that overwrites a file outside the project", async () => {
  const { home, cwd } = project;
  const other = join(home, "code/other");
  mkdirSync(join(home, ".config/fish"), { recursive: true });
  mkdirSync(other);
  for (const path of [join(other, "other.md"), join(home, ".bashrc"), join(home, ".config/fish/config.fish"), "a"])
    writeFileSync(resolve(cwd, path), "one\ntwo\n");
  writeFileSync(join(home, ".ssh/authorized_keys"), "one\ntwo\n");
  const files = [`${other}/other.md`, "../other/other.md", "~/code/other/other.md", '"$HOME/code/other/other.md"'];
  const lines = WRITING_LINES.flatMap((line) =>
    files.map((file) => line.replace(/\bX\b/, file).replace(/\bF\b/, file.replace(/\/other\.md/, ""))),
  );
  for (const file of ["~/.ssh/authorized_keys", "~/.bashrc", "/etc/passwd", "/etc/hosts"])
    lines.push(...WRITING_LINES.filter((line) => line.includes("X")).map((line) => line.replace(/\bX\b/, file)));
  expect(await findWronglyEnded(lines)).toEqual([]);
  for (const [folder, name] of [
    [home, ".bashrc"],
    [join(home, ".config/fish"), "config.fish"],
    [join(home, ".ssh"), "authorized_keys"],
    ["/etc", "passwd"],
  ] as const)
    expect(
      await findWronglyEnded(
        ["cp a X", "curl -o X https://h/a", "dd if=a of=X"].map((line) => line.replace("X", name)),
        folder,
      ),
    ).toEqual([]);
  const payload = getPayload("claude", "PreToolUse-Write", {
    cwd,
    tool_input: { file_path: join(other, "other.md"), content: "x" },
  });
  const { isTaken, said } = await compare(["--host", "claude"], JSON.stringify(payload), true);
  expect([isTaken, said?.stdout]).toEqual([false, expect.stringContaining("filesystem/overwrite-outside")]);
});

test("the quick path answers a download that stays in the project", async () => {
  const isTaken = async (command: string) => {
    const input = { command, description: "d" };
    const payload = getPayload("claude", "PreToolUse-Bash", { cwd: project.cwd, tool_input: input });
    return (await compare(["--host", "claude"], JSON.stringify(payload))).isTaken;
  };
  for (const line of ["curl -s https://h/a/b -o out/x.json", "curl -s https://h/a/b | jq .x", "curl -so x https://h/a"])
    expect([line, await isTaken(line)]).toEqual([line, true]);
  for (const line of ["curl -s https://h/a/b -o /srv/x.json", "curl -s https://h/a -o ~/x"])
    expect([line, await isTaken(line)]).toEqual([line, false]);
});
