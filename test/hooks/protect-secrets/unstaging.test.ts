import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { askBash, askHook, compareLinesBy, folder, splitRows } from "./project.ts";

compareLinesBy(
  async (line) => (await askBash(line))?.decision,
  "git that takes a file out of the index, or tells only that it changed",
  splitRows(String.raw`
git reset HEAD .env
git reset -q -- .env
git reset .env
git restore --staged .env
git restore -S -- .env sub/.env
git rm --cached .env
git rm -r --cached --ignore-unmatch .env
git diff --stat .env
git diff --cached --name-only -- .env
git filter-repo --path .env --invert-paths
bfg --delete-files .env
`),
  splitRows(String.raw`
git reset -p .env
git restore .env
git restore --staged --worktree .env
git restore -SW .env
git restore -p --staged .env
git rm .env
git diff .env
git diff --stat -p .env
git diff --cached .env
git add .env
git checkout .env
`),
);

/** A repository in which a secret file and another file are staged. */
const repository = join(folder, "staged");
mkdirSync(join(repository, "src"), { recursive: true });
writeFileSync(join(repository, "src/a.ts"), "fine\n");
writeFileSync(join(repository, ".env"), "KEY=1\n");
for (const args of [
  ["init", "-q"],
  ["add", "-f", "."],
])
  Bun.spawnSync(["git", ...args], { cwd: repository });

compareLinesBy(
  async (command) =>
    (await askHook({ event: "PreToolUse", tool: "Bash", tool_name: "Bash", cwd: repository, input: { command } }))
      ?.decision,
  "commits while a file of secrets is staged",
  splitRows(String.raw`
git commit -m x -- src/a.ts
git commit -m x src/a.ts
git commit src -m 'x y' --author 'a <b@example.com>'
cd src && git commit -m x -- a.ts
git restore --staged .env && git commit -m x
git reset HEAD .env && git commit -m x
git rm --cached .env; git commit -m x
git reset && git commit -m x
`),
  splitRows(String.raw`
git commit -m x
git commit -am x
git commit -m x -- .
git commit -m x -i src/a.ts
git commit -m x -- ':!src'
git commit -m x -- '*'
git commit -m src/a.ts
git restore --staged src/a.ts && git commit -m x
git commit -m x && git restore --staged .env
`),
);
