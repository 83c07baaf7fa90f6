import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findMainTree, findProject, findProjectRoot, toMainTree } from "../../src/system/project.ts";
import { findRepositoryRoot, findWorkingTree } from "../../src/system/working-tree.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "bridge-hooks-project-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A repository with a linked working tree, laid out as git would. */
const [main, linked] = [join(root, "main"), join(root, "linked")];
for (const folder of [
  join(main, "a/b"),
  join(linked, "a/b"),
  join(root, "loose/x"),
  join(main, ".git/worktrees/linked"),
])
  mkdirSync(folder, { recursive: true });
writeFileSync(join(main, ".git/HEAD"), "ref: refs/heads/main\n");
writeFileSync(join(main, ".git/worktrees/linked/HEAD"), "ref: refs/heads/w\n");
writeFileSync(join(main, ".git/worktrees/linked/commondir"), "../..\n");
writeFileSync(join(linked, ".git"), `gitdir: ${join(main, ".git/worktrees/linked")}\n`);

test("a host reads config only from the start directory, from the repository, or from every parent", () => {
  const start = join(main, "a/b");
  expect(findProject(start, "start")).toEqual({
    cwd: start,
    configFolders: [start],
    worktree: main,
    commonGitDir: join(main, ".git"),
  });
  expect(findProject(start, "repository").configFolders).toEqual([start, join(main, "a"), main]);
  expect(findProject(start, "parents").configFolders).toEqual([start, join(main, "a"), main]);
  expect(findProject(main, "repository").configFolders).toEqual([main]);
  const loose = join(root, "loose/x");
  expect(findProject(loose, "repository")).toEqual({ cwd: loose, configFolders: [loose] });
  const all = findProject(loose, "parents").configFolders;
  expect(all.slice(0, 3)).toEqual([loose, join(root, "loose"), root]);
  expect(all.at(-1)).toBe("/");
});

test("a linked working tree is resolved to its main working tree", () => {
  const project = findProject(join(linked, "a"), "repository");
  expect(project).toMatchObject({ worktree: linked, commonGitDir: join(main, ".git") });
  expect(project.configFolders).toEqual([join(linked, "a"), linked]);
  expect(findMainTree(project)).toBe(main);
  expect(project.configFolders.map((folder) => toMainTree(folder, project, main))).toEqual([join(main, "a"), main]);
  expect(findMainTree(findProject(main, "start"))).toBeUndefined();
  expect(findMainTree(findProject(root, "start"))).toBeUndefined();
  expect(findWorkingTree(linked)).toEqual({
    root: linked,
    gitDir: join(main, ".git/worktrees/linked"),
    commonGitDir: join(main, ".git"),
  });
});

test("a link to a working tree is resolved to that tree", () => {
  symlinkSync(main, join(root, "link"));
  expect(findWorkingTree(join(root, "link/a"))?.root).toBe(main);
  expect(findRepositoryRoot(join(root, "link/a"))).toBe(join(root, "link"));
});

test("a home directory and a disk are not projects; a directory in a home directory that is a repository is a project", () => {
  expect(findProjectRoot(join(main, "a/b"), "/home/x")).toBe(main);
  expect(findProjectRoot(join(main, "a/b"), main)).toBe(join(main, "a/b"));
  expect(findProjectRoot(main, main)).toBeUndefined();
  expect(findProjectRoot(root, root)).toBeUndefined();
  expect(findProjectRoot(join(root, "loose"), "/home/x")).toBe(join(root, "loose"));
  expect(findProjectRoot("/", "/home/x")).toBeUndefined();
});
