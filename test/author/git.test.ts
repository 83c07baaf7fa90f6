import { afterAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { git } from "../../src/author/kit/git.ts";
import { scratch, GIT_ENVIRONMENT, runGit, withVariables, createFolder, createRepository } from "./kit-support.ts";
import { scaleMs } from "../support/machine.ts";

describe("git()", () => {
  const plain = (cwd: string) => {
    const found = git({ cwd });
    return found && { root: found.root, branch: found.branch, head: found.head };
  };

  test("is undefined outside a repository, in a missing directory and without a directory", () => {
    const folder = createFolder();
    mkdirSync(join(folder, ".git"));
    for (const cwd of [folder, join(folder, "gone"), "", "relative"]) expect(plain(cwd)).toBeUndefined();
  });

  test("returns root, branch and commit in the root and below it", () => {
    const root = createRepository();
    mkdirSync(join(root, "b/c"), { recursive: true });
    const head = runGit(root, "rev-parse", "HEAD");
    for (const cwd of [root, join(root, "b/c"), `${root}/b/../b/`])
      expect(plain(cwd)).toEqual({ root, branch: "topic", head });
  });

  test("has no commit before the first one, and no branch at a detached HEAD", () => {
    const root = createFolder();
    runGit(root, "init", "-qb", "fresh/one");
    expect(plain(root)).toEqual({ root, branch: "fresh/one", head: undefined });
    const detached = createRepository();
    runGit(detached, "checkout", "-q", "--detach");
    expect(plain(detached)).toEqual({ root: detached, branch: undefined, head: runGit(detached, "rev-parse", "HEAD") });
  });

  test("finds the branch among packed references", () => {
    const root = createRepository();
    for (const name of ["topi", "topic2", "a/topic"]) runGit(root, "branch", name, "HEAD~1");
    runGit(root, "pack-refs", "--all");
    expect(existsSync(join(root, ".git/refs/heads/topic"))).toBe(false);
    expect(plain(root)).toEqual({ root, branch: "topic", head: runGit(root, "rev-parse", "HEAD") });
  });

  test("follows symbolic references, but neither in a cycle nor outside refs", () => {
    const root = createRepository();
    const head = runGit(root, "rev-parse", "HEAD");
    runGit(root, "symbolic-ref", "refs/heads/alias", "refs/heads/topic");
    runGit(root, "symbolic-ref", "HEAD", "refs/heads/alias");
    expect(plain(root)).toEqual({ root, branch: "alias", head });
    writeFileSync(join(root, ".git/refs/heads/alias"), "ref: refs/heads/alias\n");
    expect(plain(root)).toEqual({ root, branch: "alias", head: undefined });
    writeFileSync(join(root, "secret"), `${head}\n`);
    for (const ref of ["refs/../../secret", "secret", "refs/heads/../../../secret"]) {
      writeFileSync(join(root, ".git/HEAD"), `ref: ${ref}\n`);
      expect(plain(root)).toBeUndefined();
    }
  });

  test("reads a HEAD that is a link, and does not block on a pipe", () => {
    const root = createRepository();
    const head = runGit(root, "rev-parse", "HEAD");
    rmSync(join(root, ".git/HEAD"));
    symlinkSync("refs/heads/topic", join(root, ".git/HEAD"));
    expect(plain(root)).toEqual({ root, branch: "topic", head });
    rmSync(join(root, ".git/HEAD"));
    Bun.spawnSync(["mkfifo", join(root, ".git/HEAD")]);
    expect(plain(root)).toBeUndefined();
  });

  test("recognizes worktrees and submodules", () => {
    const root = createRepository();
    const tree = join(scratch, "tree");
    runGit(root, "worktree", "add", "-qb", "beside", tree, "HEAD~1");
    runGit(root, "pack-refs", "--all");
    expect(plain(tree)).toEqual({ root: tree, branch: "beside", head: runGit(root, "rev-parse", "HEAD~1") });
    const inner = createRepository();
    runGit(root, "submodule", "--quiet", "add", inner, "inner");
    expect(plain(join(root, "inner"))).toEqual({
      root: join(root, "inner"),
      branch: "topic",
      head: runGit(inner, "rev-parse", "HEAD"),
    });
  });

  test("follows links to the directory, and prefers the command's directory to the session's", () => {
    const [one, two] = [createRepository(), createRepository()];
    symlinkSync(one, join(scratch, "link"));
    expect(plain(join(scratch, "link"))?.root).toBe(one);
    const event = (cwd: string | undefined) => ({ cwd: one, tool: "Bash", input: { command: "ls", cwd } }) as never;
    expect(git(event(two))?.root).toBe(two);
    expect(git(event("../".concat(two.split("/").at(-1) as string)))?.root).toBe(two);
    expect(git(event(undefined))?.root).toBe(one);
    expect(git(event(""))?.root).toBe(one);
  });

  test("starts no process for root, branch and commit", () => {
    const root = createRepository();
    withVariables({ PATH: "/nowhere" }, () => {
      expect(plain(root)).toEqual({ root, branch: "topic", head: expect.stringMatching(/^[0-9a-f]{40}$/) });
      expect(git({ cwd: root })?.dirty).toBeUndefined();
      expect(git({ cwd: root })?.commits(3)).toEqual([]);
    });
  });

  test("is dirty with changed, staged or new files, but not with ignored files", () => {
    const root = createRepository();
    const dirty = () => git({ cwd: root })?.dirty;
    const changed = () => git({ cwd: root })?.changed;
    expect(dirty()).toBe(false);
    writeFileSync(join(root, "new.txt"), "");
    expect([dirty(), changed()]).toEqual([true, false]);
    runGit(root, "add", "-N", "new.txt");
    expect([dirty(), changed()]).toEqual([true, true]);
    runGit(root, "reset", "-q");
    expect([dirty(), changed()]).toEqual([true, false]);
    mkdirSync(join(root, ".git/info"));
    writeFileSync(join(root, ".git/info/exclude"), "new.txt\n");
    expect(dirty()).toBe(false);
    writeFileSync(join(root, "a.txt"), "two\n");
    expect([dirty(), changed()]).toEqual([true, true]);
    runGit(root, "add", ".");
    expect([dirty(), changed()]).toEqual([true, true]);
    runGit(root, "commit", "-qm", "third");
    expect([dirty(), changed()]).toEqual([false, false]);
  });

  test("asks git once, when a property is first read", () => {
    const root = createRepository();
    const found = git({ cwd: root });
    writeFileSync(join(root, "new.txt"), "");
    expect(found?.dirty).toBe(true);
    rmSync(join(root, "new.txt"));
    expect(found?.dirty).toBe(true);
  });

  test("returns the staged diff in one format, whatever the config", () => {
    const root = createRepository();
    expect(git({ cwd: root })?.staged()).toBe("");
    for (const key of ["diff.noprefix", "diff.mnemonicPrefix", "color.ui"])
      runGit(root, "config", key, key === "color.ui" ? "always" : "true");
    runGit(root, "config", "diff.renames", "copies");
    writeFileSync(join(root, "a.txt"), "one\ntwo\n");
    writeFileSync(join(root, "schlüssel.txt"), "one\n");
    runGit(root, "add", ".");
    writeFileSync(join(root, "a.txt"), "not staged\n");
    expect(
      git({ cwd: root })
        ?.staged()
        ?.split("\n")
        .filter((line) => /^(?:[+-]|diff)/.test(line)),
    ).toEqual([
      "diff --git a/a.txt b/a.txt",
      "--- a/a.txt",
      "+++ b/a.txt",
      "+two",
      "diff --git a/schlüssel.txt b/schlüssel.txt",
      "--- /dev/null",
      "+++ b/schlüssel.txt",
      "+one",
    ]);
    withVariables({ PATH: "/nowhere" }, () => expect(git({ cwd: root })?.staged()).toBeUndefined());
  });

  test("reports whether the last commit contains a file", () => {
    const root = createRepository();
    const tracks = (name: string) => git({ cwd: root })?.tracks(join(root, name));
    writeFileSync(join(root, "new.txt"), "");
    runGit(root, "add", ".");
    expect([
      tracks("a.txt"),
      tracks("new.txt"),
      tracks("absent"),
      tracks("*.txt"),
      tracks("../a.txt"),
      tracks(""),
    ]).toEqual([true, false, false, false, false, false]);
    withVariables({ PATH: "/nowhere" }, () => expect(tracks("a.txt")).toBeUndefined());
  });

  test("lists the last commits", () => {
    const root = createRepository();
    const [second, first] = [
      runGit(root, "rev-parse", "--short", "HEAD"),
      runGit(root, "rev-parse", "--short", "HEAD~1"),
    ];
    expect(git({ cwd: root })?.commits(5)).toEqual([
      { id: second, subject: "second" },
      { id: first, subject: "first" },
    ]);
    expect(git({ cwd: root })?.commits(1)).toEqual([{ id: second, subject: "second" }]);
    expect(git({ cwd: root })?.commits(0)).toEqual([]);
  });

  test("returns only the branch for a repository that git rejects", () => {
    const root = createRepository();
    writeFileSync(join(root, ".git/config"), "[core]\n\trepositoryformatversion = 99\n");
    const found = git({ cwd: root });
    expect([found?.branch, found?.dirty, found?.commits(2)]).toEqual(["topic", undefined, []]);
  });

  test.if(process.getuid?.() === 0)(
    "returns only the branch for another user's repository, unless safe.directory allows it",
    () => {
      const root = createRepository();
      for (const path of [root, join(root, ".git")]) chownSync(path, 12345, 12345);
      const found = git({ cwd: root });
      expect([found?.branch, found?.dirty, found?.commits(2)]).toEqual(["topic", undefined, []]);
      withVariables({ HOME: createFolder() }, (home) => {
        writeFileSync(join(home.HOME, ".gitconfig"), `[safe]\n\tdirectory = ${root}\n`);
        expect(git({ cwd: root })?.dirty).toBe(false);
      });
    },
  );

  test("ignores GIT_DIR and similar variables", () => {
    const [root, other] = [createRepository(), createRepository()];
    writeFileSync(join(other, "new.txt"), "");
    const GIT = {
      GIT_DIR: join(other, ".git"),
      GIT_WORK_TREE: other,
      GIT_INDEX_FILE: "/nowhere",
      GIT_EXEC_PATH: "/nowhere",
    };
    withVariables(GIT, () => expect([git({ cwd: root })?.root, git({ cwd: root })?.dirty]).toEqual([root, false]));
  });

  test("does not fall back to the outer repository if the inner repository is broken", () => {
    const root = createRepository();
    const inner = join(root, "inner");
    mkdirSync(join(inner, ".git"), { recursive: true });
    writeFileSync(join(inner, ".git/HEAD"), "ref: refs/heads/none\n");
    const found = git({ cwd: inner });
    expect([found?.root, found?.branch, found?.dirty, found?.commits(1)]).toEqual([inner, "none", undefined, []]);
  });

  test("gives up on git after one second", () => {
    const root = createRepository();
    const slow = join(scratch, "slow");
    mkdirSync(slow);
    writeFileSync(join(slow, "git"), "#!/bin/sh\nexec sleep 600\n");
    chmodSync(join(slow, "git"), 0o755);
    withVariables({ PATH: `${slow}:${process.env.PATH}` }, () => {
      const started = performance.now();
      expect(git({ cwd: root })?.dirty).toBeUndefined();
      expect(performance.now() - started).toBeWithin(900, scaleMs(5_000));
    });
  });
});

describe("code in a repository", () => {
  const MARK = join(scratch, "foreign-code-ran");
  const touch = (name: string) => `touch ${MARK}-${name}`;
  const seen = () =>
    readdirSync(scratch)
      .filter((name) => name.startsWith("foreign-code-ran-"))
      .sort();
  const forget = () => seen().forEach((name) => rmSync(join(scratch, name)));
  const traps: Record<string, (root: string) => void> = {
    fsmonitor: (root) => runGit(root, "config", "core.fsmonitor", `${touch("fsmonitor")};:`),
    clean: (root) => runGit(root, "config", "filter.clean.clean", `${touch("clean")};cat`),
    "an unusual name": (root) => runGit(root, "config", "filter.odd.name=x.clean", `${touch("odd")};cat`),
    process: (root) => runGit(root, "config", "filter.process.process", `${touch("process")};cat`),
    required: (root) => runGit(root, "config", "filter.clean.required", "true"),
    included: (root) => {
      writeFileSync(join(root, ".git/more"), `[filter "included"]\n\tclean = ${touch("included")}\n`);
      runGit(root, "config", "include.path", "more");
    },
    worktree: (root) => {
      runGit(root, "config", "extensions.worktreeConfig", "true");
      runGit(root, "config", "--worktree", "filter.worktree.clean", touch("worktree"));
    },
    hook: (root) => {
      mkdirSync(join(root, ".git/hooks"));
      writeFileSync(join(root, ".git/hooks/post-index-change"), `#!/bin/sh\n${touch("hook")}\n`);
      chmodSync(join(root, ".git/hooks/post-index-change"), 0o755);
    },
    "a hook in another directory": (root) => {
      mkdirSync(join(root, "hooks"));
      writeFileSync(join(root, "hooks/post-index-change"), `#!/bin/sh\n${touch("hooks-path")}\n`);
      chmodSync(join(root, "hooks/post-index-change"), 0o755);
      runGit(root, "config", "core.hooksPath", "hooks");
    },
    external: (root) => runGit(root, "config", "diff.external", touch("external")),
    textconv: (root) => runGit(root, "config", "diff.x.textconv", touch("textconv")),
    "diff command": (root) => runGit(root, "config", "diff.x.command", touch("command")),
    pager: (root) => runGit(root, "config", "core.pager", touch("pager")),
    "status pager": (root) => runGit(root, "config", "pager.status", touch("pager")),
    "log pager": (root) => runGit(root, "config", "pager.log", touch("pager")),
    editor: (root) => runGit(root, "config", "core.editor", touch("editor")),
    gpg: (root) => {
      runGit(root, "config", "log.showSignature", "true");
      runGit(root, "config", "gpg.program", touch("gpg"));
    },
    ssh: (root) => runGit(root, "config", "core.sshCommand", touch("ssh")),
    alias: (root) => runGit(root, "config", "alias.status", `!${touch("alias")}`),
    submodules: (root) => {
      const inner = createRepository();
      runGit(root, "submodule", "--quiet", "add", inner, "inner");
      runGit(join(root, "inner"), "config", "core.fsmonitor", touch("submodule"));
      runGit(root, "config", "status.submoduleSummary", "true");
      runGit(root, "config", "diff.ignoreSubmodules", "none");
    },
  };

  /** Creates a repository with all of these traps, set up so that git has to read every file again. */
  function hostile(names = Object.keys(traps)): string {
    const root = createFolder();
    cpSync((template ??= createStagedRepository()), root, { recursive: true });
    for (const name of names) traps[name]?.(root);
    forget();
    for (const name of ["a.txt", "b.txt", "c.txt", "d.txt", "e.txt"]) writeFileSync(join(root, name), "two\n");
    return root;
  }
  let template: string | undefined;
  function createStagedRepository(): string {
    const root = createRepository();
    writeFileSync(
      join(root, ".gitattributes"),
      "*.txt diff=x\na.txt filter=clean\nb.txt filter=process\nc.txt filter=included\nd.txt filter=worktree\ne.txt filter=odd.name=x\n",
    );
    for (const name of ["b.txt", "c.txt", "d.txt", "e.txt"]) writeFileSync(join(root, name), "one\n");
    runGit(root, "add", ".");
    runGit(root, "commit", "-qm", "files");
    writeFileSync(join(root, "f.txt"), "staged\n");
    runGit(root, "add", "f.txt");
    return root;
  }

  afterAll(forget);

  test("is executed by git status itself, so the traps work", () => {
    const root = hostile();
    const { exitCode } = Bun.spawnSync(["git", "-C", root, "status"], { env: GIT_ENVIRONMENT });
    expect(exitCode).toBeNumber();
    expect(seen()).toEqual(
      ["clean", "fsmonitor", "hooks-path", "included", "odd", "process", "submodule", "worktree"].map(
        (name) => `foreign-code-ran-${name}`,
      ),
    );
  });

  let ran = 0;
  for (const name of [...Object.keys(traps), "all of them"]) {
    test(`is not executed: ${name}`, () => {
      const root = hostile(name === "all of them" ? undefined : [name]);
      const found = git({ cwd: root });
      expect(found?.branch).toBe("topic");
      expect(found?.dirty).toBe(true);
      expect(found?.commits(1)).toEqual([{ id: expect.any(String), subject: "files" }]);
      expect(found?.staged()).toMatch(
        /diff --git a\/f\.txt b\/f\.txt\nnew file mode 100644\nindex \S+\n--- \/dev\/null\n\+\+\+ b\/f\.txt\n@@ -0,0 \+1 @@\n\+staged\n$/,
      );
      expect(seen()).toEqual([]);
      ran++;
    });
  }
  test("is tested in 21 forms", () => expect(ran).toBe(21));

  test("is not executed to fetch the missing objects of a partial clone", () => {
    const root = createRepository();
    const script = join(scratch, "fetch.sh");
    writeFileSync(script, `#!/bin/sh\n${touch("fetch")}\n`);
    chmodSync(script, 0o755);
    const settings = {
      "core.repositoryformatversion": "1",
      "extensions.partialClone": "origin",
      "remote.origin.promisor": "true",
      "remote.origin.url": `ext::${script}`,
      "remote.origin.fetch": "+refs/heads/*:refs/remotes/origin/*",
      "protocol.ext.allow": "always",
    };
    for (const [name, value] of Object.entries(settings)) runGit(root, "config", name, value);
    const tree = runGit(root, "rev-parse", "HEAD^{tree}");
    rmSync(join(root, ".git/objects", tree.slice(0, 2), tree.slice(2)));
    expect(git({ cwd: root })?.dirty).toBeUndefined();
    expect(seen()).toEqual([]);
    Bun.spawnSync(["git", "-C", root, "status"], { env: GIT_ENVIRONMENT });
    expect(seen()).toEqual(["foreign-code-ran-fetch"]);
  });

  test("is not executed as a git program on PATH", () => {
    const root = createRepository();
    forget();
    for (const folder of ["bin", "node_modules/.bin"]) {
      mkdirSync(join(root, folder), { recursive: true });
      writeFileSync(join(root, folder, "git"), `#!/bin/sh\n${touch("path")}\n`);
      chmodSync(join(root, folder, "git"), 0o755);
    }
    symlinkSync(join(root, "bin"), join(scratch, "bin-link"));
    const before = process.cwd();
    process.chdir(root);
    try {
      const PATH = [
        ".",
        "",
        "bin",
        join(root, "bin"),
        join(root, "node_modules/.bin"),
        join(scratch, "bin-link"),
        process.env.PATH,
      ].join(":");
      withVariables({ PATH }, () => expect(git({ cwd: root })?.dirty).toBe(true));
    } finally {
      process.chdir(before);
    }
    expect(seen()).toEqual([]);
  });

  test("is not executed, and neither are the user's own filters", () => {
    const root = hostile([]);
    withVariables({ HOME: createFolder() }, ({ HOME }) => {
      writeFileSync(
        join(HOME, ".gitconfig"),
        `[filter "clean"]\n\tclean = ${touch("global")};cat\n\trequired = true\n`,
      );
      expect(git({ cwd: root })?.dirty).toBe(true);
    });
    expect(seen()).toEqual([]);
  });
});
