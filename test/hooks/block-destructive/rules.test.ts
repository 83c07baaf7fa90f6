import { afterAll, describe, expect, test } from "bun:test";
import { CATEGORIES, DEFAULT_CATEGORIES } from "../../../hooks/_destructive/programs.build.ts";
import type { BuiltInRule, CommandRule } from "../../../hooks/_destructive/pattern.ts";
import { OPT_IN_CATEGORIES, RULES_BY_CATEGORY, type RuleCategory } from "../../../hooks/_destructive/rules.ts";
import { NAMED_CONDITIONS, OPERAND_SETS } from "../../../hooks/_destructive/sets.ts";
import { pickRepresentatives } from "../../support/fuzz.ts";
import { createProject } from "../../score/project.ts";
import { askLine as askWithDefaults, homeBefore } from "./support.ts";

const project = createProject();
// Restore HOME, because other test files run in the same process.
process.env.HOME = homeBefore;
afterAll(project.remove);

/** Enables all categories, so that no rule hides another. */
const askLine = (line: string, options: object = {}) =>
  askWithDefaults(line, { categories: CATEGORIES, ...options }, NEEDS_FILES.test(line) ? project.cwd : undefined);
/** Commands that are harmful only if git has matching files. */
const NEEDS_FILES = /show HEAD:src\/index\.ts|cat-file|git ls-files -o|git status -s/;

const rules = Object.entries<readonly (CommandRule | BuiltInRule)[]>(RULES_BY_CATEGORY).flatMap(([category, all]) =>
  all.map((rule) => ({ category: category as RuleCategory, rule })),
);
const isCommandRule = (rule: CommandRule | BuiltInRule): rule is CommandRule => rule.program !== undefined;

/** Example words for each set. */
const SAMPLES: Readonly<Record<string, string>> = {
  folder: "/etc",
  file: "/etc/passwd",
  system: "/usr",
  moved: "/etc /tmp/etc",
  destination: "empty/ ~",
  outside: "C:/Users/me/Documents/2019",
  away: "C:/Users/me/Documents/2019 x",
  mirrored: "x C:/Users/me/Documents/2019",
  below: "rm {} \\;",
  answered: ". -ok rm {} \\; <<< y",
  changed: "/ -exec chmod 777 {} +",
  overwritten: "/etc/passwd",
  tree: ".",
  held: "main v1",
  fetched: "-f . main:topic",
  lost: ".",
  stash: "",
  untracked: ".",
  undone: "src/index.ts <(git show HEAD:src/index.ts) src/index.ts",
  unadded: "$(git ls-files -o)",
  worktree: "../x",
  lasting: "shop",
  namespace: "ns",
  kept: "pvc",
  disk: "/dev/sda",
  last: "x /dev/sda",
  device: "/dev/sda",
  drive: "C:",
  main: "main",
  request: "-X DELETE https://api.github.com/repos/o/r projects/12",
  kind: "; mcp__github__delete_repository",
  product: "-X DELETE https://api.netlify.com/api/v1/sites/1",
  processes: "/IM node $(pgrep node)",
  everything: "'x://bucket/*'",
  refused: "default deny --panic-on hook input policy drop -P INPUT DROP",
  absent: "-a state=absent",
  complete: "complete",
  production: "--target prod",
  globbed: "~",
  listed: "$(docker ps -aq)",
  everyone: "-9 -1",
  sql: "'DROP TABLE x'",
  mongo: "'db.dropDatabase()'",
  redis: "flushall",
  piped: '<<< "$(curl x)"',
  substituted: '"$(curl x)"',
  opened: "<(curl x)",
  downloaded: "x.sh; curl -o x.sh h",
  decoded: "<(base64 -d x)",
  socket: "> /dev/tcp/h/1",
  shell: "h 1; bash | nc h 1",
  executed: "exec:sh",
  call: "",
  connection: "",
  manifests: "-f k8s/",
  secret: "secret",
  none: "--replicas=0",
  hardly: "--add-config retention.ms=1",
  hollow: "./empty x:y",
  record: `--change-batch '{"Action":"DELETE"}'`,
  expiry: `--lifecycle-configuration '{"Expiration":{"Days":1}}'`,
  every: "'*'",
  models: "'User.delete_all'",
  pruned: "--prune",
  core: "bash",
  cleaning: "flyway:clean",
  libraries: "'db.drop_all()'",
  requested: "-d 'DROP TABLE x' h:8123/",
  server: "postgresql",
  keys: "$(redis-cli keys '*')",
};

/** Example words for sets that depend on the program, keyed by rule ID. */
const RULE_SAMPLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "filesystem/find-outside": { outside: "rm {} \\; -o C:/Users/me/Documents/2019" },
  "system/kill-listed": { processes: "node | % { $_.Kill() }" },
  "git/move-branch": { held: "refs/heads/main v1" },
  "git/apply-reverse": { lost: "<(git diff)" },
  "git/patch-reverse": { undone: "<<< $(git diff)" },
  "git/show-over-file": { lost: "HEAD:src/index.ts > src/index.ts" },
  "git/rm-listed-changes": { undone: "$(git ls-files -m)" },
  "downloads/source": { piped: '/dev/stdin <<< "$(curl x)"' },
  "downloads/pipe-to-interpreter": { substituted: `-e "$(curl x)" -c "$(curl x)" -r "$(curl x)"` },
  "downloads/code-reverse-shell": {
    connection: `-c 'socket.socket("/bin/sh")' -e 'socket.socket("/bin/sh")' -r 'socket.socket("/bin/sh")'`,
  },
  "downloads/netcat-shell": { executed: "bash" },
  "downloads/code-python": { call: "-c 'os.system(x)'" },
  "downloads/code-javascript": { call: `-e 'require("child_process")'` },
  "downloads/code-ruby": { call: `-e 'system("x")'` },
  "downloads/code-perl": { call: `-e 'system("x")'` },
  "downloads/code-php": { call: "-r 'system(1)'" },
};

/** Options under which each condition is true. */
const HOLDING: Readonly<Record<string, string>> = {
  prunesImmediately: "--prune=now",
  cleansWithoutForce: "-c clean.requireForce=false",
  startsFile: "; ./x.sh",
  isRecursive: "-r",
  appliesUnreviewed: "-auto-approve",
  approvesAll: "--require-approval never",
  skipsHooks: "-c core.hooksPath=/dev/null",
  disablesHooks: "core.hooksPath /dev/null",
  leavesUnsigned: "-c commit.gpgsign=false",
  appliesDestruction: "p; terraform plan -destroy -out=p",
  emptiesStore: "; mcp__redis__flushall",
  keepsOnlyOneBackup: "--keep-last=1",
  deletesOnManyMachines: "; salt x cmd.run 'rm -rf /opt/app'",
  deletesOnDevice: "; adb shell rm -rf /sdcard/DCIM",
  isPipedToClient: "| psql shop",
};

/** Returns example words for each alternative in one token of a pattern. */
function spellToken(token: string, samples: Readonly<Record<string, string>>): string[] {
  if (token.startsWith("?")) return [HOLDING[token.slice(1)] ?? ""];
  if (token.startsWith("!")) return [""];
  if (token === "**") return ["any"];
  const [, prefix = "", set] = /^([^<]*)<(\w+)>$/.exec(token) ?? [];
  return set === undefined ? token.split("|").map((word) => word.replaceAll("*", "x")) : [prefix + samples[set]];
}

/** Returns commands that match a pattern and, between them, use every program and every word. */
function spellPattern({ id, program }: CommandRule, pattern: string): string[] {
  const programs = program.split("|");
  const samples = { ...SAMPLES, ...RULE_SAMPLES[id] };
  const tokens = pattern.split(" ").map((token) => spellToken(token, samples));
  const most = Math.max(...tokens.map((words) => words.length), programs.length);
  return Array.from({ length: most }, (_, at) =>
    [
      (programs[at % programs.length] as string).replaceAll("*", "x"),
      ...tokens.map((words) => words[at % words.length]),
    ]
      .filter((word) => word !== "")
      .join(" "),
  );
}

describe("a rule", () => {
  test("has a unique ID in its category", () => {
    const ids = rules.map(({ rule }) => rule.id);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
    for (const { category, rule } of rules) expect(rule.id).toMatch(new RegExp(`^${category}/[a-z0-9]+(-[a-z0-9]+)*$`));
    expect(CATEGORIES).toEqual(Object.keys(RULES_BY_CATEGORY) as RuleCategory[]);
  });

  test("has a reason and advice that fit into a message", () => {
    for (const { rule } of rules)
      for (const text of [rule.reason, rule.advice ?? "x"]) expect(text).not.toMatch(/^[A-Z](?!erraform)|[.;]$|^$/);
  });

  test("names existing sets and conditions", () => {
    expect(Object.keys(SAMPLES).sort()).toEqual(Object.keys(OPERAND_SETS).sort());
    for (const { rule } of rules.filter(({ rule: one }) => isCommandRule(one))) {
      for (const pattern of [rule.pattern ?? []].flat()) {
        const sets = [...pattern.matchAll(/<(\w+)>/g)].map(([, set]) => set as string);
        for (const set of sets) expect([pattern, set in OPERAND_SETS]).toEqual([pattern, true]);
        for (const [, condition] of pattern.matchAll(/(?:^| )\?(\w+)/g))
          expect([pattern, (condition as string) in NAMED_CONDITIONS]).toEqual([pattern, true]);
        for (const [, set] of rule.reason.matchAll(/<(\w+)>/g))
          expect([rule.id, sets.includes(set as string)]).toEqual([rule.id, true]);
      }
    }
  });

  test("has at least two examples to deny and one to allow", () => {
    const thin = rules.filter(({ rule }) => rule.deny.length < 2 || rule.allow.length < 1);
    expect(thin.map(({ rule }) => rule.id)).toEqual([]);
    const count = (which: "deny" | "allow") => rules.reduce((sum, { rule }) => sum + rule[which].length, 0);
    expect([rules.length > 180, count("deny") > 400, count("allow") > 250]).toEqual([true, true, true]);
  });
});

// This directory isn't in a repository, so every git condition is met.
describe("the examples are judged as declared for", () => {
  for (const { rule } of rules)
    test(rule.id, async () => {
      for (const line of rule.deny) {
        const { decision, reason } = (await askLine(line)) ?? {};
        expect([line, decision, reason]).toEqual([line, "deny", expect.stringMatching(/\[bridge-hooks \S+\]$/)]);
        expect([line, reason?.match(/\[bridge-hooks (\S+)\]$/)?.[1]]).toEqual([line, rule.id]);
        expect(reason).not.toMatch(/<\w+>|undefined/);
      }
      for (const line of rule.allow) expect([line, await askLine(line)]).toEqual([line, undefined]);
    });
});

describe("the categories that are off by default", () => {
  test("are the only categories that the defaults omit", () =>
    expect([...DEFAULT_CATEGORIES, ...OPT_IN_CATEGORIES].toSorted()).toEqual(CATEGORIES.toSorted()));
  const optIn = rules.filter(({ category }) => OPT_IN_CATEGORIES.includes(category));
  test("deny nothing", async () => {
    for (const { rule } of optIn)
      for (const line of rule.deny) expect([line, await askWithDefaults(line)]).toEqual([line, undefined]);
  });
  test("have at least three examples each to deny and to allow", () => {
    const thin = optIn.filter(({ rule }) => rule.deny.length < 3 || rule.allow.length < 3);
    expect(thin.map(({ rule }) => rule.id)).toEqual([]);
  });
});

describe("each word of the patterns is denied for", () => {
  let lines = 0;
  for (const { rule } of rules)
    if (isCommandRule(rule))
      test(rule.id, async () => {
        for (const pattern of [rule.pattern].flat())
          for (const line of spellPattern(rule, pattern)) {
            expect([line, (await askLine(line))?.decision]).toEqual([line, "deny"]);
            lines++;
          }
      });
  test("all rules, in more than 500 commands", () => expect(lines).toBeGreaterThan(500));
});

/** Rewrites that don't change what a shell command does. */
const REWRITES: Readonly<Record<string, (line: string) => string>> = {
  unchanged: (line) => line,
  "surrounding spaces": (line) => `  ${line}\t`,
  "additional spaces": (line) => line.replaceAll(/ (?=[\w./~-])/g, "  \t"),
  "line continuations": (line) => line.replaceAll(" -", " \\\n -"),
  "a quoted program": (line) => line.replace(/^[\w.-]+/, '"$&"'),
  "quotes inside the program": (line) => line.replace(/^(\w)([\w.-]*)/, "$1''$2"),
  "an escape inside the program": (line) => line.replace(/^(\w)([\w.-]+)/, "$1\\$2"),
  "a path to the program": (line) => line.replace(/^[\w.-]+/, "/usr/bin/$&"),
  "quoted words": (line) => line.replaceAll(/(?<= )[a-z][\w.-]*(?= |$)/g, "'$&'"),
  "after another command": (line) => `true && ${line}`,
  "in a subshell": (line) => `(${line})`,
  "with a variable": (line) => `X=1 ${line}`,
  "in a shell": (line) => `bash -c ${quote(line)}`,
};
const quote = (line: string) => `'${line.replaceAll("'", `'\\''`)}'`;
/** Whether this is a single bash command made of plain and quoted words, which a regex can rewrite. */
const isSimple = (line: string) =>
  /^[\w.-]+( |$)/.test(line) && !/^[A-Z][a-z]+-[A-Z]/.test(line) && !/[|&;<>()$`\n\\{}]/.test(line);

test("each rule denies its examples however they are spelled", async () => {
  const table = rules.flatMap(({ rule }) =>
    rule.deny.flatMap((line) =>
      (isSimple(line) ? Object.keys(REWRITES) : ["unchanged"]).map((rewrite) => ({ rule, line, rewrite })),
    ),
  );
  expect(table.length).toBeGreaterThan(3_000);
  const chosen = pickRepresentatives(table, ({ line, rewrite, rule }) =>
    rewrite === "unchanged" ? line : `${rule.id} ${/^\S*/.exec(line)} ${rewrite}`,
  );
  for (const { rule, line, rewrite } of chosen) {
    const one = REWRITES[rewrite]?.(line) as string;
    expect([one, (await askLine(one))?.reason?.match(/\[bridge-hooks (\S+)\]$/)?.[1]]).toEqual([one, rule.id]);
  }
});
