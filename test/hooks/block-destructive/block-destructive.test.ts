import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import hook from "../../../hooks/block-destructive.ts";
import { createHookEntry } from "../../../src/protocol/hook.ts";
import type { Payload } from "../../../src/protocol/host/host.ts";
import { answerCall } from "../../support/answer-call.ts";
import { getPayload } from "../../support/fixtures.ts";
import { measureCpuTime, scaleMs } from "../../support/machine.ts";
import { CWD, askLine } from "./support.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "bridge-hooks-destructive-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("block-destructive on links", () => {
  const project = join(folder, "project");
  mkdirSync(join(project, "build/out"), { recursive: true });
  symlinkSync("/", join(project, "build/root"));
  symlinkSync("/etc", join(project, "etc"));
  symlinkSync(project, join(folder, "same"));
  const denied = [
    "rm -rf build/root/*",
    "rm -rf build/root/",
    "rm -rf build/root/etc",
    "cd build/root && rm -rf *",
    "cat x > etc/passwd",
  ];
  const allowed = ["rm -rf build/root", "rm build/root", "rm -rf build/out/*", "rm -rf etc"];
  for (const command of denied)
    test(`denies ${command}`, async () => expect((await askLine(command, {}, project))?.decision).toBe("deny"));
  for (const command of allowed)
    test(`allows ${command}`, async () => expect(await askLine(command, {}, project)).toBeUndefined());
  test("denies the current directory under another name", async () => {
    expect((await askLine(`rm -rf ${project}`, {}, join(folder, "same")))?.decision).toBe("deny");
    expect((await askLine(`rm -rf ${join(folder, "same")}/*`, {}, project))?.decision).toBe("deny");
  });
  test("names the target of a link in its message", async () => {
    expect((await askLine("rm -rf build/root/etc", {}, project))?.reason).toBe(
      'Blocked "rm -rf build/root/etc": it deletes build/root/etc (which is /etc) and everything in it. If this is intended, ask the user to run it. [bridge-hooks filesystem/rm-recursive]',
    );
  });
});

describe("block-destructive after a cd to a variable without a value", () => {
  const denied = [
    'cd "$X" && rm -rf *',
    'cd "$X"; rm -rf *',
    "cd $X && rm -rf *",
    "cd $X && rm -rf .",
    "cd ${X} && rm -rf ./*",
    'cd "${X:-}" && rm -rf *',
    'cd "$X/" && rm -rf *',
    'cd "$BUILD_DIR" && rm -rf -- *',
    'pushd "$X" && rm -rf *',
    'cd "$X" && find . -delete',
  ];
  const allowed = [
    'cd "$X" && rm -rf build',
    'cd "$X" && ls',
    'X=build; cd "$X" && rm -rf *',
    'cd "$(mktemp -d)" && rm -rf *',
    'cd "${X:?}" && rm -rf *',
    'read X; cd "$X" && rm -rf *',
    'for X in */; do cd "$X" && rm -rf *; done',
    'set -u; cd "$X" && rm -rf *',
  ];
  for (const command of denied)
    test(`denies ${command}`, async () => expect((await askLine(command, {}, folder))?.decision).toBe("deny"));
  for (const command of allowed)
    test(`allows ${command}`, async () => expect(await askLine(command, {}, folder)).toBeUndefined());
});

describe("block-destructive on uncommitted changes", () => {
  /** Creates a repository with one file. */
  const newRepository = (name: string) => {
    const root = join(folder, name);
    mkdirSync(join(root, "sub"), { recursive: true });
    writeFileSync(join(root, "a.txt"), "one");
    const git = (...args: string[]) =>
      Bun.spawnSync(["git", "-C", root, "-c", "user.name=t", "-c", "user.email=t@example.org", ...args]);
    git("init", "-q");
    git("add", ".");
    git("commit", "-q", "-m", "first");
    return root;
  };
  const [clean, dirty, untracked] = [newRepository("clean"), newRepository("dirty"), newRepository("untracked")];
  writeFileSync(join(dirty, "a.txt"), "two");
  for (const root of [dirty, untracked]) writeFileSync(join(root, "new.txt"), "x");
  const decisions = (root: string, commands: readonly string[]) =>
    Promise.all(commands.map(async (command) => [command, (await askLine(command, {}, root))?.decision]));
  const all = (commands: readonly string[], decision?: string) => commands.map((command) => [command, decision]);

  const commands = [
    "git reset --hard HEAD~1",
    "git reset --hard origin/main",
    "git checkout .",
    "git checkout -- .",
    "git restore .",
    "git switch -f main",
    "git checkout -f main",
    "git -C . reset --hard HEAD",
    "git fetch origin 2>&1 | tail -1; git reset --hard origin/main",
    "cd sub && git reset --hard",
    "cd sub && cd .. && git fetch -q 2>/dev/null && git reset --hard",
    "cd $PWD && git checkout .",
  ];
  test("denies commands that discard changes, and allows them in a clean repository", async () => {
    expect(await decisions(clean, commands)).toEqual(all(commands));
    expect(await decisions(dirty, commands)).toEqual(all(commands, "deny"));
  });
  test("ignores untracked files, unless git clean or git add comes first", async () => {
    expect(await decisions(untracked, commands)).toEqual(all(commands));
    const lost = ["git clean -fd", "git add -A && git reset --hard", "git add . ; cd sub && git checkout -f main"];
    expect(await decisions(untracked, lost)).toEqual(all(lost, "deny"));
  });
  test("checks the repository of the directory in which the command runs", async () => {
    const at = (root: string) => [
      `cd ${root} && git reset --hard origin/main`,
      `cd ../${basename(root)} && git fetch && git reset --hard`,
      `git -C ${root} checkout .`,
      `cd ${root} && git checkout -- .`,
      `cd ../${basename(root)} && git restore .`,
      `git -C .. -C ${basename(root)}/sub restore ':/'`,
      `(cd ${root}; git status; git switch -f main)`,
    ];
    expect(await decisions(dirty, at(clean))).toEqual(all(at(clean)));
    expect(await decisions(dirty, at(untracked))).toEqual(all(at(untracked)));
    expect(await decisions(clean, at(dirty))).toEqual(all(at(dirty), "deny"));
  });
  test("denies if the repository is unknown", async () => {
    const unknown = [
      "git -C ../other reset --hard",
      "cd ../other && git reset --hard",
      "git --git-dir=../dirty/.git reset --hard",
      "git --git-dir ../dirty/.git --work-tree ../dirty reset --hard",
      "GIT_WORK_TREE=../dirty git checkout .",
      "export GIT_DIR=../dirty/.git; git reset --hard",
      "git -c core.worktree=../dirty checkout .",
      "cd $X && git reset --hard",
      'git -C "$X" reset --hard',
      `ssh host 'cd ${clean} && git reset --hard'`,
      "for d in . ../dirty; do cd $d; git reset --hard; done",
    ];
    expect(await decisions(clean, unknown)).toEqual(all(unknown, "deny"));
  });
  test("denies if an earlier command may have changed the repository", async () => {
    const lines = [
      "ln -sfn ../dirty ../link && cd ../untracked && git reset --hard",
      "cd ../untracked && git stash pop && git reset --hard",
      "cd ../untracked && echo x > a.txt && git reset --hard",
      "rm -rf ../untracked/x; git -C ../untracked reset --hard",
    ];
    expect(await decisions(clean, lines)).toEqual(all(lines, "deny"));
    const same = ["npm ci; git reset --hard", `cd ${clean} && npm test; git checkout .`];
    expect(await decisions(clean, same)).toEqual(all(same));
  });
});

describe("block-destructive's options", () => {
  const decision = async (command: string, options: object) => (await askLine(command, options))?.decision;

  test("deny only the enabled categories", async () => {
    const of = {
      filesystem: "rm -rf /",
      git: "git push -f",
      database: "dropdb x",
      cloud: "terraform destroy",
      disks: "mkfs /dev/sda",
      system: "reboot",
    };
    for (const on of Object.keys(of))
      for (const [category, command] of Object.entries(of))
        expect([on, category, await decision(command, { categories: [on] })]).toEqual([
          on,
          category,
          on === category ? "deny" : undefined,
        ]);
    expect(await decision("> /dev/sda", { categories: ["filesystem"] })).toBeUndefined();
    expect(await decision("> /etc/passwd", { categories: ["disks"] })).toBeUndefined();
    expect(await decision(":(){ :|:& };:", { categories: ["git"] })).toBeUndefined();
    expect(await decision("rm -rf /", { categories: [] })).toBeUndefined();
  });
  test("allow a command, but not another command in the same command line", async () => {
    const options = { allow: ["git push --force origin wip*", "terraform destroy *"] };
    expect(await decision("git push --force origin wip/x", options)).toBeUndefined();
    expect(await decision("cd infra && sudo terraform destroy -auto-approve", options)).toBeUndefined();
    expect(await decision("git push --force origin main", options)).toBe("deny");
    expect(await decision("terraform destroy && rm -rf /", options)).toBe("deny");
  });
  test("deny more than the rules, and override allow", async () => {
    const options = { deny: ["terraform apply*", "npm publish"], allow: ["terraform *"] };
    expect(await askLine("cd x && terraform apply -auto-approve", options)).toEqual({
      decision: "deny",
      reason:
        'Blocked "terraform apply -auto-approve": the block-destructive settings forbid this command. If this is intended, ask the user to run it. [bridge-hooks block-destructive/deny]',
    });
    expect(await decision("npm publish", options)).toBe("deny");
    expect(await decision("npm publish --dry-run", options)).toBeUndefined();
    expect(await decision("echo npm publish", options)).toBeUndefined();
  });
  test("protect a directory with its content and its parent directories", async () => {
    const options = { protect: ["migrations", "~/vault", "/srv/data/", "keep.db"] };
    const denied = [
      "rm migrations/001.sql",
      "rm -rf migrations",
      "rm -rf ./migrations/*",
      "rm -r ~/vault/x/y",
      "rm -rf /srv/data/x",
      "mv migrations /tmp/x",
      "echo > migrations/001.sql",
      "truncate -s 0 keep.db",
      "> keep.db",
      "find migrations -delete",
      "chmod 600 x && rm -f keep.db",
    ];
    const allowed = [
      "rm other/001.sql",
      "rm -rf migrations-old",
      "cat migrations/001.sql",
      "echo >> migrations/001.sql",
      "cp keep.db /tmp/x",
    ];
    for (const command of denied) expect([command, await decision(command, options)]).toEqual([command, "deny"]);
    for (const command of allowed) expect([command, await decision(command, options)]).toEqual([command, undefined]);
    for (const command of denied.slice(6, 9))
      expect([command, await decision(command, {})]).toEqual([command, undefined]);
  });
  test(`ask instead of denying with decision "ask"`, async () => {
    expect(await askLine("git push -f", { decision: "ask" })).toEqual({
      decision: "ask",
      reason:
        'Run "git push -f"? It overwrites remote commits that others may have pulled; push with --force-with-lease. [bridge-hooks git/push-force]',
    });
  });
  test("that are invalid are an error", async () => {
    for (const wrong of [
      { categories: ["files"] },
      { allow: "x" },
      { allow: [""] },
      { decision: "allow" },
      { block: [] },
    ])
      await expect(askLine("ls", wrong)).rejects.toThrow("hooks.hook.");
  });
});

describe("block-destructive's message", () => {
  const cases: [command: string, reason: string, rule: string][] = [
    [
      "cd src && rm -rf ../*",
      'Blocked "rm -rf ../*": it deletes ../* and everything in it.',
      "filesystem/rm-recursive",
    ],
    [
      'rm -rf "$X"/*',
      'Blocked "rm -rf $X/*": it deletes $X/* (which is /* if X is empty: write ${X:?}) and everything in it.',
      "filesystem/rm-recursive",
    ],
    [
      'psql -c "SELECT 1; drop   table users"',
      `Blocked "psql -c 'SELECT 1; drop   table users'": it runs "drop table users".`,
      "database/sql",
    ],
    ["sudo dd of=/dev/sda", 'Blocked "sudo dd of=/dev/sda": it overwrites the disk /dev/sda.', "disks/dd"],
    ["cat x > /dev/sda", 'Blocked "cat x > /dev/sda": it overwrites the disk /dev/sda.', "disks/overwrite-disk"],
    [
      "terraform destroy",
      'Blocked "terraform destroy": it tears down running resources; preview the result with "terraform plan -destroy".',
      "cloud/terraform-destroy",
    ],
    [":(){ :|:& };:", 'Blocked ":(){ :|:& };:": it starts processes endlessly.', "system/fork-bomb"],
  ];
  for (const [command, reason, rule] of cases)
    test(`names the command, the effect and the rule: ${command}`, async () =>
      expect(await askLine(command)).toEqual({
        decision: "deny",
        reason: `${reason} If this is intended, ask the user to run it. [bridge-hooks ${rule}]`,
      }));
  test("contains only the beginning of a long command", async () => {
    const { reason = "" } = (await askLine(`rm -rf / ${"x".repeat(1000)}`)) ?? {};
    expect(reason).toStartWith(`Blocked "rm -rf / ${"x".repeat(191)}…": it`);
    expect(reason.length).toBeLessThan(400);
  });
});

describe("block-destructive", () => {
  const entries = [createHookEntry(hook, "block-destructive")];
  const payloads: Readonly<Record<string, (command: string) => Payload>> = {
    claude: (command) => getPayload("claude", "PreToolUse-Bash", { cwd: CWD, tool_input: { command } }),
    cursor: (command) => getPayload("cursor", "beforeShellExecution", { cwd: CWD, command }),
    codex: (command) => getPayload("codex", "PreToolUse-Bash", { cwd: CWD, tool_input: { command } }),
  };
  const call = async (host: string, command: string) => {
    const payload = JSON.stringify(payloads[host]?.(command));
    const args = ["--host", host, "--timeout-ms", String(scaleMs(4_000))];
    const { stdout, stderr, exit_code } = await answerCall(entries, {}, args, {
      env: {},
      read: () => payload,
    });
    return { answer: stdout && JSON.parse(stdout), stderr, exit_code };
  };
  const reason =
    'Blocked "git push -f": it overwrites remote commits that others may have pulled; push with --force-with-lease. If this is intended, ask the user to run it. [bridge-hooks git/push-force]';
  const denied: Readonly<Record<string, object>> = {
    claude: {
      hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: reason },
    },
    cursor: { permission: "deny", user_message: reason, agent_message: reason },
    codex: {
      hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: reason },
    },
  };
  for (const host of Object.keys(payloads)) {
    test(`denies a forced push on ${host}`, async () => {
      const { answer, stderr } = await call(host, "cd sub && git push -f");
      expect([answer, stderr]).toEqual([denied[host], reason]);
    });
    test(`allows an ordinary push on ${host}`, async () => {
      const { answer, stderr, exit_code } = await call(host, 'git commit -m "no push -f" && git push');
      expect([answer, stderr, exit_code]).toEqual([host === "cursor" ? {} : "", "", 0]);
    });
    test(`denies a command that is too long on ${host}, and suggests what to do`, async () => {
      const { answer } = await call(host, `rm -rf ${"x ".repeat(100_000)}`);
      expect(JSON.stringify(answer)).toContain(
        'The hook \\"block-destructive\\" failed (the command line is too long to parse (200007 characters; at most 131072); move it to a script file)',
      );
      expect(JSON.stringify(answer)).toContain("deny");
    });
  }
});

describe("block-destructive takes less than 500 ms", () => {
  const big: Readonly<Record<string, string>> = {
    letters: "x".repeat(100_000),
    words: Array.from({ length: 20_000 }, (_, at) => `w${at}`).join(" "),
    slashes: `rm -rf ${"/".repeat(100_000)}x`,
    stars: `rm -rf a${"*".repeat(100_000)}`,
    pipes: `|${"a".repeat(100_000)}`,
    comments: `psql -c '${"/*".repeat(45_000)} drop'`,
    quotes: `psql -c "${"'".repeat(99_999)} drop"`,
    folders: `rm -rf ${"a/ ".repeat(30_000)}`,
    variables: `for A in x; do rm -rf ${"$A/* ".repeat(10_000)}; done`,
    searches: `find a ${"-exec ls ".repeat(10_000)}`,
    shells: `find a -exec sh -c ${"rm".repeat(45_000)}`,
    withs: `psql -c "with ${") ".repeat(40_000)} delete"`,
    heads: `git ${"push ".repeat(20_000)}`,
  };
  const downloads: Readonly<Record<string, string>> = {
    shells: `curl x ${"| sh ".repeat(500)}`,
    groups: `curl x | ${"{ ".repeat(100)}sh${"; } | sh".repeat(100)}`,
    files: `curl -o a x; ${"sh b; ".repeat(500)}`,
    sockets: `exec 5<>/dev/tcp/h; ${"cat <&5;".repeat(200)} ${"sh <&6;".repeat(200)}`,
    substitutions: `sh -c "$(curl ${"$(curl ".repeat(9)}${")".repeat(9)})"`,
    arguments: `eval ${"$(curl x) ".repeat(20)}`,
    code: `python3 -c '${"os.system ".repeat(10_000)}'`,
    ticks: `ruby -e '${"system ".repeat(14_000)}'`,
  };
  for (const [name, command] of Object.entries(downloads))
    test(`to search for downloads in ${name}`, async () => {
      const options = { categories: ["downloads"] };
      await askLine("sh x", options);
      expect(await measureCpuTime(() => askLine(command, options))).toBeLessThan(500);
    });
  for (const [name, command] of Object.entries(big))
    test(`for a command line of 100 kB of ${name}`, async () => {
      await askLine("rm -rf x");
      const read = () => askLine(command).catch((error: Error) => expect(error.name).toBe("ShellError"));
      expect(await measureCpuTime(read)).toBeLessThan(500);
    });
});
