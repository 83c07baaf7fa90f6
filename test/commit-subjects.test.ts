import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkCommits, findOwnRange } from "../tools/commit-subjects.ts";
import { ROOT } from "./support/fixtures.ts";

const directory = mkdtempSync(join(tmpdir(), "bridge-hooks-commits-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const git = (...args: string[]) => {
  const identity = ["-c", "user.name=dev", "-c", "user.email=dev@example.com", "-c", "commit.gpgsign=false"];
  const { exitCode, stderr } = Bun.spawnSync(["git", ...identity, ...args], { cwd: directory });
  expect([exitCode, exitCode === 0 ? "" : `${stderr}`]).toEqual([0, ""]);
};
const commit = (message: string) => git("commit", "-q", "--allow-empty", "-m", message);
const LONG = `docs: ${"x".repeat(67)}`;

git("init", "-q", "-b", "main");
commit("chore: begin");

const CASES: readonly [name: string, message: string, faults: readonly RegExp[]][] = [
  ["a subject of 72 characters", `docs: ${"x".repeat(66)}`, []],
  [
    "a subject of 73 characters",
    LONG,
    [/^[0-9a-f]+: the subject has 73 characters, but at most 72 are allowed: docs: x+$/],
  ],
  ["characters instead of bytes", `docs: ${"ä".repeat(66)}`, []],
  ["feat with a body", "feat(log): count lines\n\nUsers ask for it.", []],
  ["feat without a body", "feat(log): count lines", [/^[0-9a-f]+: the body must say why: feat\(log\): count lines$/]],
  ["fix without a body", "fix: count lines", [/the body must say why/]],
  ["perf! without a body", "perf!: count lines", [/the body must say why/]],
  ["refactor with a blank body", "refactor(cli)!: count lines\n\n  \n", [/the body must say why/]],
  ["docs without a body", "docs: count lines", []],
  ["both problems", `fix: ${"x".repeat(70)}`, [/the subject has 75 characters/, /the body must say why/]],
  ["a revert", `Revert "${LONG}"`, []],
];

for (const [name, message, faults] of CASES)
  test(`the check of commit messages judges ${name}`, () => {
    commit(message);
    const found = checkCommits(directory, ["-1", "HEAD"]);
    expect(found).toEqual(faults.map((fault) => expect.stringMatching(fault)));
  });

test("a merge keeps git's own subject", () => {
  git("checkout", "-q", "-b", "other");
  commit("docs: other");
  git("checkout", "-q", "main");
  git("merge", "-q", "--no-ff", "-m", LONG, "other");
  expect(checkCommits(directory, ["-1", "--merges", "HEAD"])).toEqual([]);
});

test("the command prints the problems of a range's commits, and exits with code 1", () => {
  const script = join(ROOT, "tools/commit-subjects.ts");
  const run = (...args: string[]) => {
    const { exitCode, stderr } = Bun.spawnSync([process.execPath, script, ...args], { cwd: directory });
    return { exitCode, lines: `${stderr}`.trim().split("\n").filter(Boolean).length };
  };
  const all = checkCommits(directory, ["HEAD"]);
  expect(all.length).toBe(7);
  expect(run("HEAD")).toEqual({ exitCode: 1, lines: all.length });
  expect(run()).toEqual({ exitCode: 0, lines: 0 });
  expect(run("--help").exitCode).toBe(2);
});

test("the range starts at origin/main if that is an ancestor", () => {
  expect(findOwnRange(directory)).toEqual(["-1", "HEAD"]);
  git("update-ref", "refs/remotes/origin/main", "HEAD");
  expect(findOwnRange(directory)).toEqual(["-1", "HEAD"]);
  git("update-ref", "refs/remotes/origin/main", "HEAD~2");
  expect(findOwnRange(directory)).toEqual(["origin/main..HEAD"]);
  git("checkout", "-q", "--orphan", "unrelated");
  commit("chore: start again");
  expect(findOwnRange(directory)).toEqual(["-1", "HEAD"]);
});

const isRepository = Bun.spawnSync(["git", "rev-parse", "HEAD"], { cwd: ROOT }).exitCode === 0;
test.skipIf(!isRepository)("the commits since origin/main have subjects that fit, and bodies that say why", () =>
  expect(checkCommits(ROOT, findOwnRange(ROOT))).toEqual([]),
);
