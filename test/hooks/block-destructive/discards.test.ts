import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { askLine } from "./support.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "bridge-hooks-discards-")));
afterAll(() => rmSync(folder, { recursive: true }));
const root = join(folder, "shop");
const git = (...args: string[]) =>
  Bun.spawnSync(["git", "-C", root, "-c", "user.name=t", "-c", "user.email=t@example.org", ...args]);
const write = (path: string, text: string) => {
  mkdirSync(join(root, path, ".."), { recursive: true });
  writeFileSync(join(root, path), text);
};

mkdirSync(root);
git("init", "-q", "-b", "main");
for (const file of ["src/a.ts", "src/b.ts", "src/c.ts", "src/d.ts", "docs/guide.md", "lib/x.ts", "README.md"])
  write(file, "one\n");
write(".gitignore", "build/\n*.log\n.env\n");
git("add", ".");
git("commit", "-q", "-m", "first");
git("branch", "docs");
git("tag", "v1");
// Files that are changed but not staged, changed and staged, new, and ignored.
for (const name of ["a", "b", "c", "d"]) write(`src/${name}.ts`, "one\ntwo\nthree\n");
write("docs/guide.md", "two\n");
git("add", "docs/guide.md");
write("notes/todo.md", "x\n");
write("build/out.js", "x\n");
git("worktree", "add", "-q", join(folder, "clean"), "-b", "clean");
git("worktree", "add", "-q", join(folder, "dirty"), "-b", "dirty");
writeFileSync(join(folder, "dirty/new.txt"), "x");

const decide = async (line: string, cwd = root) => (await askLine(line, {}, cwd))?.decision;
const DENIED = {
  "changed paths": [
    "git checkout src/",
    "git checkout -- src/a.ts",
    "git checkout src/a.ts lib/x.ts",
    "git checkout HEAD -- docs/guide.md",
    "git checkout HEAD docs",
    "git checkout v1 -- src",
    "git checkout -- ':!README.md'",
    "git checkout -- ':(exclude)README.md'",
    "git checkout -- '*.ts'",
    "git checkout src/*.ts",
    "git checkout --ours -- src/a.ts",
    "git checkout --pathspec-from-file=list.txt",
    "git restore src/a.ts",
    "git restore -- src/a.ts",
    "git restore -s HEAD~1 src/a.ts",
    "git restore --source=main docs/guide.md",
    "git restore --staged --worktree docs/guide.md",
    "git restore -SW docs/guide.md",
    "git restore ':!README.md'",
    "git checkout-index -f src/a.ts",
    "git rm -f src/a.ts",
    "git rm -rf src",
    "cd src && git checkout a.ts",
    "cd src && git restore .",
    "git -C src checkout -- b.ts",
    "sudo git checkout -- src/a.ts",
    "bash -c 'git restore src/a.ts'",
    "git status --porcelain && git restore src/a.ts",
    "npm test || git checkout src",
  ],
  "paths known only to git": [
    "git ls-files -m | xargs git restore",
    "git diff --name-only | xargs git checkout --",
    "git restore $(git ls-files -m)",
    "git checkout $(git diff --name-only)",
    "git checkout -- $(cat list.txt)",
    'git checkout -- "$FILE"',
    "find src -name '*.ts' -exec git checkout -- {} +",
  ],
  "git output that overwrites a file": [
    "git diff | git apply -R",
    "git diff HEAD -- src | git apply --reverse",
    "git diff src/a.ts | patch -R -p1",
    "git apply -R <(git diff)",
    "git show HEAD:src/a.ts > src/a.ts",
    "git show v1:src/a.ts >src/a.ts",
    "git cat-file -p HEAD:src/a.ts > src/a.ts",
    "git show HEAD:src/a.ts | tee src/a.ts >/dev/null",
    "cp <(git show HEAD:src/a.ts) src/a.ts",
    "cd src && git show HEAD:./a.ts > a.ts",
  ],
  "files listed by git": [
    "git ls-files -o --exclude-standard | xargs rm -rf",
    "git ls-files --others -z | xargs -0 rm -f",
    "git status --short | grep '^??' | cut -c4- | xargs rm -rf",
    "rm -rf $(git ls-files -o --exclude-standard)",
    "git ls-files -m | xargs rm",
    "git diff --name-only | xargs rm -f",
  ],
  "a directory in a variable": ["git -C $PWD checkout -- src/a.ts", 'git -C "$PWD/src" restore a.ts'],
  "new files": [
    "git clean -fd",
    "git clean -fd notes",
    "git clean -f notes/todo.md",
    "git clean -fdx -- ':!build'",
    "git clean -fd .",
  ],
  "another working tree": ["git worktree remove --force ../dirty", "git worktree remove -f ../dirty"],
  "changes made by the command line itself": ["git stash pop && git checkout -- .", "git stash apply; git restore ."],
  "changes that may not be saved": [
    "git stash; git checkout .",
    "git stash push -- docs && git checkout .",
    "git commit -m wip && git checkout .",
    "git stash --keep-index && git checkout HEAD -- .",
    "git stash && git clean -fd",
    "git commit --dry-run -am wip && git checkout .",
    "git commit -ma && git checkout .",
    "git commit --short -a && git checkout .",
    "git add -A docs && git commit -m x && git checkout src",
    "git -C src add . && git -C src commit -m x && git -C src checkout -- ../docs a.ts",
    "git -C ../clean add -A && git commit -m x && git checkout .",
    "git -C ../clean stash && git checkout .",
    "git stash push -- src/b.ts && git checkout src/a.ts",
    "git commit -m x README.md && git checkout src/a.ts",
    "git commit -qm -a && git checkout src/a.ts",
    "git add src/b.ts && git commit -m x && git checkout src/a.ts",
    "cp lib/x.ts /tmp && git checkout src/a.ts",
    "git diff --stat > /tmp/p && git checkout .",
    "git diff > /tmp/p && git reset --hard",
    "git diff > /dev/null && git checkout .",
    "git stash -u && git clean -fdx -e build",
    "git add -u && git clean -fd",
    "git stash || git checkout .",
    "! git stash && git checkout .",
    "git stash --help && git checkout .",
    "git commit -h -a && git checkout .",
    "cp src/a.ts /dev/null && git checkout src/a.ts",
    "git add -n src/a.ts && git commit -m x && git checkout src/a.ts",
    "git add -p src/a.ts && git commit -m x && git checkout src/a.ts",
    "git stash && npm test; git checkout .",
  ],
} as const;
const ALLOWED = {
  "unchanged paths": [
    "git checkout lib/",
    "git checkout -- lib/x.ts README.md",
    "git checkout HEAD -- lib",
    // The file is still in the index.
    "git checkout -- docs/guide.md",
    "git checkout docs/",
    "git restore lib/x.ts",
    "git restore docs/guide.md",
    "git restore --staged src docs",
    "git restore -S .",
    "git checkout -- ':!src'",
    "git checkout-index -f lib/x.ts",
    "git rm -f lib/x.ts",
    "git checkout -- nowhere.ts",
    "git checkout -p src/a.ts",
  ],
  "other uses of checkout": [
    "git checkout main",
    "git checkout docs",
    "git checkout -b src",
    "git checkout -b topic origin/main",
    "git checkout v1",
    "git checkout $BRANCH",
    "git checkout -",
    "git checkout --track origin/x",
  ],
  "git output to another file": [
    "git diff | git apply -R --check",
    "git diff | git apply",
    "git diff --cached | git apply -R --cached",
    "git diff main..docs | git apply -R",
    "git diff lib | git apply -R",
    "git apply -R fix.patch",
    "git show HEAD:src/a.ts > /tmp/a.ts",
    'git show HEAD:src/a.ts > "$TMPDIR/a.ts"',
    "git show HEAD:src/a.ts > old.ts",
    "git show HEAD:lib/x.ts > lib/x.ts",
    "git show HEAD:src/a.ts >> src/a.ts",
    "git show HEAD:src/a.ts | diff - src/a.ts",
    "git show HEAD | tee src/a.ts",
    "cat src/b.ts > src/a.ts",
  ],
  "files listed by git that can be regenerated": [
    "git ls-files -oi --exclude-standard | xargs rm -rf",
    "git ls-files -d | xargs git rm",
    "git ls-files lib | xargs rm",
    "git diff --name-only --diff-filter=D | xargs git rm",
    "git stash push -u && git ls-files -o | xargs rm",
    "rm notes/todo.md",
  ],
  "files that can be regenerated": ["git clean -fdX", "git clean -fdx build", "git clean -fdx lib", "git clean -f src"],
  "unchanged working trees": [
    "git worktree remove --force ../clean",
    "git worktree add ../made && git worktree remove --force ../made",
  ],
  "changes that the command line saves first": [
    "git stash && git checkout .",
    "git stash push -u -m wip && git checkout -- src",
    "git commit -qam wip && git checkout .",
    "git add -A && git commit -q -m wip && git reset --hard HEAD",
    "git add -u && git commit -m wip && git restore .",
    "git add -A . && git commit -m wip && git restore .",
    "git stash push -- src/a.ts && git checkout src/a.ts",
    "git stash && git checkout . && npm test 2>&1 | tail -5",
    "git commit -qm x -- src/a.ts && git checkout src/a.ts",
    "git add src/a.ts && git commit -m x && git restore src/a.ts",
    "cp src/a.ts /tmp/a.ts && git checkout src/a.ts",
    "git diff > /tmp/p.patch && git checkout .",
    "git diff HEAD > /tmp/p.patch 2>&1 && git reset --hard",
    "git stash -u && git clean -fd",
    "git add -A && git clean -fd",
    "git add -A && git commit -m x && git clean -fd",
  ],
  "a repository that the command line creates": [
    "git init x && git -C x reset --hard",
    "git clone https://h/r y && cd y && git checkout -f",
    "git clone https://h/o/fresh.git && cd fresh && git checkout .",
    "gh repo clone o/fresh && cd fresh && git reset --hard v1",
    "git worktree add ../made && git -C ../made checkout -- .",
    "mkdir z && cd z && git init && git clean -fdx",
  ],
} as const;

describe("a command that discards changes", () => {
  for (const [kind, lines] of Object.entries(DENIED))
    for (const line of lines)
      test(`of ${kind} is denied: ${line}`, async () => expect(await decide(line)).toBe("deny"));
  for (const [kind, lines] of Object.entries(ALLOWED))
    for (const line of lines)
      test(`of ${kind} is allowed: ${line}`, async () => expect(await decide(line)).toBeUndefined());

  test("is denied with a list of the files that would be lost, and a way to keep them", async () => {
    expect((await askLine("git checkout src/", {}, root))?.reason).toBe(
      'Blocked "git checkout src/": uncommitted changes to src/a.ts (2 lines), src/b.ts (2 lines), src/c.ts (2 lines) and 1 more file would be lost; commit the changes first, or stash them with "git stash push -- src/". If this is intended, ask the user to run it. [bridge-hooks git/checkout-files]',
    );
    expect((await askLine("git clean -fd notes", {}, root))?.reason).toStartWith(
      'Blocked "git clean -fd notes": untracked notes/ would be lost; list the files with "git clean -n"',
    );
  });
  test("is denied for ignored files that can't be regenerated", async () => {
    write(".env", "A=1\n");
    expect([await decide("git clean -fdX"), await decide("git clean -fdx .env")]).toEqual(["deny", "deny"]);
    rmSync(join(root, ".env"));
  });
});

describe("a command that moves a branch", () => {
  const other = join(folder, "moved");
  const at = (...args: string[]) =>
    Bun.spawnSync(["git", "-C", other, "-c", "user.name=t", "-c", "user.email=t@example.org", ...args]);
  mkdirSync(other);
  at("init", "-q", "-b", "main");
  for (const name of ["one", "two"]) at("commit", "-q", "--allow-empty", "-m", name);
  at("tag", "v2");
  at("branch", "merged", "HEAD~1");
  at("checkout", "-q", "-b", "topic");
  at("commit", "-q", "--allow-empty", "-m", "three");
  at("branch", "pushed");
  at("update-ref", "refs/remotes/origin/pushed", "pushed");
  at("commit", "-q", "--allow-empty", "-m", "four");

  for (const line of [
    "git reset --hard HEAD~1",
    "git reset --hard main",
    "git reset --keep v2",
    "git checkout -B topic main",
    "git switch -C topic main",
    "git switch --force-create topic v2",
    "git checkout main && git branch -f topic main",
    "git branch -M main topic",
    "git update-ref refs/heads/topic main",
    "cd .. && git -C moved reset --hard HEAD~2",
    "git reset --hard $COMMIT",
    "git init ../n && git checkout -B topic main",
    "git branch topic2 main && git reset --hard main",
    "git branch keep && git commit -am x && git reset --hard HEAD~1",
    "git push --dry-run origin topic && git reset --hard main",
    "git branch keep; git reset --hard main",
  ])
    test(`is denied if no other reference keeps its commits: ${line}`, async () => {
      expect((await askLine(line, {}, other))?.reason).toContain("commits that are only on topic would be lost");
    });
  for (const line of [
    "git reset --hard",
    "git branch keep && git reset --hard main",
    "git branch keep topic && git checkout -B topic main",
    "git tag keep && git switch -C topic main",
    "git push origin topic && git reset --hard main",
    "git push -u origin HEAD && git branch -f topic main",
    "git branch keep topic && git branch -D topic",
    "git reset --hard HEAD",
    "git reset --soft HEAD~1",
    "git reset HEAD~1",
    "git checkout -B fresh main",
    "git checkout -B merged main",
    "git checkout -B pushed main",
    "git switch -C merged",
    "git branch -f merged main",
    "git branch -M renamed",
    "git branch -M topic renamed",
    "git update-ref refs/heads/main topic",
    "git update-ref refs/tags/v3 main",
    "git reset --hard nowhere",
    "git init n && cd n && git checkout -B main",
  ])
    test(`is allowed if all its commits are kept, or no commits are lost: ${line}`, async () => {
      expect(await askLine(line, {}, other)).toBeUndefined();
    });
});
