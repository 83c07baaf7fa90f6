import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import protectSecrets from "../../../hooks/protect-secrets.ts";
import { simulate } from "../../../src/author/testing/index.ts";
import { ROOT } from "../../support/fixtures.ts";
import { measureCpuTime } from "../../support/machine.ts";
import { MADE_UP_SECRETS, makeHex } from "../../support/made-up-secrets.ts";
import {
  folder,
  app,
  validateOptions,
  askHook,
  askCall,
  askBash,
  getSecret,
  githubToken,
  privateKey,
} from "./project.ts";

describe("with settings, protect-secrets", () => {
  const cases: [name: string, options: object, tool: string, input: object, decision: string | undefined][] = [
    ["files: ask", { files: "ask" }, "Bash", { command: "cat .env" }, "ask"],
    ["files: ask, for other tools", { files: "ask" }, "Read", { file_path: ".env" }, "ask"],
    ["files: off", { files: "off" }, "Bash", { command: "cat .env" }, undefined],
    ["files: off, for other tools", { files: "off" }, "Read", { file_path: ".env" }, undefined],
    ["files: off keeps all other checks", { files: "off" }, "Bash", { command: "env" }, "deny"],
    ["printing: ask", { printing: "ask" }, "Bash", { command: "env" }, "ask"],
    ["printing: off", { printing: "off" }, "Bash", { command: "env" }, undefined],
    ["content: ask", { content: "ask" }, "Bash", { command: `echo ${githubToken}` }, "ask"],
    ["content: off", { content: "off" }, "Write", { file_path: "a.ts", content: githubToken }, undefined],
    ["the stricter of two decisions", { files: "ask" }, "Bash", { command: `cat .env; echo ${githubToken}` }, "deny"],
    ["ignore", { ignore: ["github-token"] }, "Bash", { command: `echo ${githubToken}` }, undefined],
    ["ignore one rule", { ignore: ["gitlab-token"] }, "Bash", { command: `echo ${githubToken}` }, "deny"],
    ["allow a name", { allow: [".env.test"] }, "Bash", { command: "cat .env.test sub/.env.test" }, undefined],
    ["allow no other", { allow: [".env.test"] }, "Bash", { command: "cat .env.test .env" }, "deny"],
    ["allow a path", { allow: ["test/**"] }, "Read", { file_path: "test/keys/server.key" }, undefined],
    ["allow an absolute path", { allow: [`${app}/sub/*`] }, "Bash", { command: "cd sub && cat .env" }, undefined],
    [
      "allow files below the home directory",
      { allow: ["~/.kube/*"] },
      "Bash",
      { command: "cat ~/.kube/config" },
      undefined,
    ],
    ["allow files that wildcards match", { allow: ["*.pem"] }, "Bash", { command: "ls; cat fixture.pem" }, undefined],
    [
      "allowing a directory does not allow its links' targets",
      { allow: ["sub/link"] },
      "Bash",
      { command: "cat sub/link" },
      "deny",
    ],
    [
      "allow writing a secret file",
      { allow: ["test/**"] },
      "Write",
      { file_path: "test/a.ts", content: githubToken },
      undefined,
    ],
    ["not outside that path", { allow: ["test/**"] }, "Write", { file_path: "src/a.ts", content: githubToken }, "deny"],
    ["deny a name", { deny: ["*.tfstate"] }, "Bash", { command: "cat prod.tfstate" }, "deny"],
    ["deny a name for other tools", { deny: ["*.tfstate"] }, "Read", { file_path: "a/prod.tfstate" }, "deny"],
    ["deny a path", { deny: ["config/private/**"] }, "Bash", { command: "cd config && cat private/x" }, "deny"],
    ["deny overrides allow", { allow: ["a.txt"], deny: ["*.txt"] }, "Read", { file_path: "a.txt" }, "deny"],
    [
      "deny a path in another folder's words",
      { deny: ["sub/deep/*"] },
      "Bash",
      { command: "cd sub && cd deep && cat x" },
      "deny",
    ],
    [
      "deny a path that the command line does not contain",
      { deny: [`${app}/sub/*`] },
      "Bash",
      { command: "cat x", cwd: join(app, "sub") },
      "deny",
    ],
    ["deny by a list", { deny: ["*.{tfstate,tfvars}"] }, "Bash", { command: "cat a.tfvars" }, "deny"],
    [
      "the stricter of two decisions in one command line",
      { files: "ask" },
      "Bash",
      { command: "cat .env; env" },
      "deny",
    ],
    ["deny nothing else", { deny: ["*.tfstate"] }, "Bash", { command: "cat main.tf" }, undefined],
  ];
  for (const [name, options, tool, input, decision] of cases)
    test(`${decision === "ask" ? "asks" : decision ? "denies" : "allows"}: ${name}`, async () =>
      expect((await askCall(tool, input, options))?.decision).toBe(decision as never));
  test("is tested in 30 cases", () => expect(cases.length).toBe(30));

  test("fails on an unknown setting", () => {
    expect(() => validateOptions({ alow: [] })).toThrow("alow");
    expect(() => validateOptions({ files: "warn" })).toThrow('"warn"');
    expect(validateOptions({})).toEqual({
      allow: [],
      deny: [],
      files: "deny",
      printing: "deny",
      content: "deny",
      prompts: "deny",
      ignore: [],
    });
  });
});

describe("protect-secrets on prompts", () => {
  const prompt = (text: string, options?: object, more: object = {}) =>
    askHook({ event: "UserPromptSubmit", prompt: text, ...more }, options);
  const sent =
    "Replace the secret with a reference to an environment variable, or to a file that the agent can't read.";

  test("denies a prompt with secrets, and does not repeat them", async () => {
    expect(await prompt(`Deploy with ${githubToken}\n${privateKey}\nand ${githubToken}`)).toEqual({
      decision: "deny",
      reason: "Blocked: This prompt contains a secret (github-token, private-key). [bridge-hooks secrets/in-prompt]",
      user_message: `This prompt contains a secret (github-token, private-key), so it was not sent. ${sent} [bridge-hooks secrets/in-prompt]`,
    });
  });
  for (const [kind, , text] of MADE_UP_SECRETS.filter(([, secret, text = secret], at) => at % 7 === 0 && text))
    test(`denies a prompt with ${kind}`, async () =>
      expect((await prompt(`use ${text ?? getSecret(kind)} please`))?.decision).toBe("deny"));
  test("denies a prompt with an attached secret file", async () => {
    expect(await prompt("look", {}, { attachments: ["README.md", join(app, "notes.txt")] })).toEqual({
      decision: "deny",
      reason: `Blocked: The attached file ${join(app, "notes.txt")} contains secrets. [bridge-hooks secrets/attach-file]`,
      user_message: `The attached file ${join(app, "notes.txt")} contains secrets, so it was not sent. ${sent} [bridge-hooks secrets/attach-file]`,
    });
  });
  test("warns with prompts: warn", async () => {
    expect(await prompt(`use ${githubToken}`, { prompts: "warn" })).toEqual({
      user_message:
        "This prompt contains a secret (github-token), and it was sent to the model. If that wasn't intended, replace the secret with a new one.",
    });
  });
  const fine = [
    "fix the .env loading",
    "why does `env` print GITHUB_TOKEN?",
    `what is ${makeHex(40)}?`,
    "read ~/.ssh/config",
    "",
  ];
  for (const text of fine) test(`allows ${text}`, async () => expect(await prompt(text)).toBeUndefined());
  test("allows secrets with prompts: off", async () =>
    expect(await prompt(githubToken, { prompts: "off" })).toBeUndefined());
});

describe("protect-secrets on a commit", () => {
  const root = join(folder, "repository");
  mkdirSync(join(root, "sub"), { recursive: true });
  const git = (...args: string[]) => {
    const { exitCode, stderr } = Bun.spawnSync([
      "git",
      "-C",
      root,
      "-c",
      "user.name=t",
      "-c",
      "user.email=t@example.org",
      ...args,
    ]);
    if (exitCode !== 0) throw new Error(stderr.toString());
  };
  const commit = async (command = "git commit -m x", options: object = {}, cwd = root) =>
    askHook({ event: "PreToolUse", tool: "Bash", tool_name: "Bash", cwd, input: { command } }, options);
  git("init", "-q");

  test("allows an empty index or harmless files", async () => {
    expect(await commit()).toBeUndefined();
    writeFileSync(join(root, "a.ts"), "fine\n");
    git("add", ".");
    expect(await commit()).toBeUndefined();
  });
  test("denies a staged secret file", async () => {
    writeFileSync(join(root, "sub/.env"), "KEY=1\n");
    git("add", ".");
    const reason = `Blocked: sub/.env is staged and contains secrets. Unstage the file with "git restore --staged", and add it to .gitignore. [bridge-hooks secrets/stage-file]`;
    expect(await commit()).toEqual({ decision: "deny", reason });
    expect(await commit("cd sub && git commit -am x")).toEqual({ decision: "deny", reason });
    expect(await commit(`git -C ${root} commit -m x`, {}, folder)).toEqual({ decision: "deny", reason });
    expect(await commit("git commit --dry-run")).toBeUndefined();
    expect(await commit("git commit -m x", { allow: ["sub/.env"] })).toBeUndefined();
    expect(await commit("git commit -m x", { files: "off" })).toBeUndefined();
    git("rm", "-q", "--cached", "sub/.env");
    expect(await commit()).toBeUndefined();
  });
  test("denies an added secret, but not a removed one", async () => {
    writeFileSync(join(root, "a.ts"), `fine\nconst token = "${githubToken}";\n`);
    expect(await commit()).toBeUndefined();
    git("add", "a.ts");
    expect(await commit()).toEqual({
      decision: "deny",
      reason:
        "Blocked: the staged changes contain a secret (github-token). Remove the secret before committing. [bridge-hooks secrets/stage-text]",
    });
    expect(await commit("git commit -m x", { content: "ask" })).toEqual({
      decision: "ask",
      reason:
        "This needs a review: the staged changes contain a secret (github-token). Remove the secret before committing. [bridge-hooks secrets/stage-text]",
    });
    git("commit", "-qm", "x");
    writeFileSync(join(root, "a.ts"), "fine\n");
    git("add", "a.ts");
    expect(await commit()).toBeUndefined();
  });
  test("runs no program that the repository's config names", async () => {
    const foreign = `touch ${join(root, "foreign-code-ran")}; cat`;
    for (const name of [
      "core.fsmonitor",
      "diff.external",
      "diff.x.textconv",
      "diff.x.command",
      "filter.x.clean",
      "core.pager",
      "pager.diff",
    ])
      git("config", name, foreign);
    writeFileSync(join(root, ".gitattributes"), "* diff=x filter=x\n");
    writeFileSync(join(root, "b.ts"), `${githubToken}\n`);
    Bun.spawnSync(["git", "-C", root, "-c", "filter.x.clean=cat", "-c", "core.fsmonitor=false", "add", "b.ts"]);
    expect((await commit())?.decision).toBe("deny");
    expect(existsSync(join(root, "foreign-code-ran"))).toBe(false);
  });
});

describe("protect-secrets in a host's format", () => {
  const files = { ".env": "KEY=1\n" };
  const reason =
    "Blocked: .env contains secrets. Ask the user for the part that you need, or use a template such as .env.example. [bridge-hooks secrets/read-file]";
  const prompted = "Blocked: This prompt contains a secret (github-token). [bridge-hooks secrets/in-prompt]";
  const message =
    "This prompt contains a secret (github-token), so it was not sent. Replace the secret with a reference to an environment variable, or to a file that the agent can't read. [bridge-hooks secrets/in-prompt]";
  const bashed = { event: "PreToolUse", tool: "Bash", input: { command: "cat .env" } };
  const asked = { event: "UserPromptSubmit", prompt: `deploy with ${githubToken}` };
  const inClaudesWords = {
    hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: reason },
  };
  const expected: [host: string, event: object, stdout: object, stderr: string][] = [
    ["claude", bashed, inClaudesWords, reason],
    ["claude", asked, { decision: "block", reason: prompted, systemMessage: message }, prompted],
    ["codex", bashed, inClaudesWords, reason],
    ["codex", asked, { decision: "block", reason: prompted, systemMessage: message }, prompted],
    ["cursor", bashed, { permission: "deny", user_message: reason, agent_message: reason }, reason],
    [
      "cursor",
      asked,
      { continue: false, user_message: message },
      [
        prompted,
        'bridge-hooks: cursor beforeSubmitPrompt: decision "deny" was sent in a different form; continue false; the SDK runtime (version 1.0.0) ignores the denial for prompts that it submits itself',
        "bridge-hooks: cursor beforeSubmitPrompt: reason was sent in a different form; shown to the user unless the hook set a user_message, because Cursor doesn't pass messages to the agent on this event",
      ].join("\n"),
    ],
  ];
  for (const [host, event, stdout, stderr] of expected)
    test(`denies on ${host} ${(event as { event: string }).event}`, async () => {
      const { answer: given, failure } = await simulate(protectSecrets, event as never, { host, files });
      expect({ ...given, stdout: JSON.parse(given?.stdout ?? ""), failure }).toEqual({
        exit_code: host === "cursor" ? 0 : 2,
        stdout,
        stderr,
        failure: undefined,
      });
    });
  test("prints nothing for a harmless call", async () => {
    for (const host of ["claude", "codex", "cursor"]) {
      const fine = { event: "PreToolUse", tool: "Bash", input: { command: "npm test" } };
      const { answer: given } = await simulate(protectSecrets, fine as never, { host, files });
      expect(given?.exit_code).toBe(0);
      expect(given?.stderr).toBe("");
    }
  });
  test("denies if the hook fails", async () => {
    const options = { files: "perhaps" };
    const { answer: given, failure } = await simulate(protectSecrets, bashed as never, {
      host: "claude",
      options,
      onError: "allow",
    });
    expect(failure).toContain("files");
    expect(given?.exit_code).toBe(2);
  });
});

describe("protect-secrets on large or invalid commands", () => {
  test("takes less than 100 ms for a here-document of 100 kB", async () => {
    const command = `cat > README.md <<'X'\n${"copy .env.example to .env\n".repeat(4_000)}X\n`;
    // The first call warms up the code.
    expect(await askBash(command)).toBeUndefined();
    expect(await measureCpuTime(() => askBash(command))).toBeLessThan(100);
  });
  test("denies an unparsable command if it may involve secrets", async () => {
    const asked = (command: string) =>
      simulate(protectSecrets, { event: "PreToolUse", tool: "Bash", input: { command } } as never, {
        host: "claude",
        onError: "allow",
      });
    const { answer: given, failure } = await asked(`cat .env; ${"true;".repeat(30_000)}`);
    expect(failure).toContain("the command line");
    expect(given?.exit_code).toBe(2);
    const fine = await asked("a;".repeat(60));
    expect(fine.answer?.exit_code).toBe(0);
  });
  test("judges a command with a syntax error by its words", async () => {
    expect((await askBash("cat .env )"))?.decision).toBe("deny");
    expect((await askBash("case x in cat .env"))?.decision).toBe("deny");
    expect(await askBash("echo 'it )")).toBeUndefined();
  });
});

describe("protect-secrets loads", () => {
  /** Makes calls in a separate process and lists what was loaded: the parser, the rules, or both. */
  const loadedBy = (...calls: [tool: string, input: object][]) => {
    const script = `
      const { default: hook } = await import(${JSON.stringify(join(ROOT, "hooks/protect-secrets.ts"))});
      const { DEFAULT_RULE_POLICY: rules } = await import(${JSON.stringify(join(ROOT, "src/protocol/rule.ts"))});
      const options = hook.options["~standard"].validate({}).value;
      for (const [tool, input] of ${JSON.stringify(calls)})
        await hook.handler({ event: "PreToolUse", tool, cwd: ${JSON.stringify(app)}, input }, { options, rules });
      const files = Object.keys(require.cache);
      console.log(JSON.stringify(["unbash", "secrets/find"].filter((name) => files.some((file) => file.includes(name)))));`;
    const { stdout, stderr } = Bun.spawnSync([process.execPath, "-e", script], { cwd: ROOT });
    return JSON.parse(stdout.toString() || JSON.stringify(stderr.toString()));
  };
  test("neither the parser nor the rules for most calls", () => {
    const command = "cd sub && npm run build -- --watch=false 2>&1 | tail -20; git status && git push origin main";
    expect(
      loadedBy(
        ["Bash", { command }],
        ["Write", { file_path: "a.ts", content: "const a = 1;\n".repeat(1_000) }],
        ["Read", { file_path: "a.ts" }],
      ),
    ).toEqual([]);
  });
  test("the parser for a secret's name in a complex line, and the rules for a secret's hint", () => {
    expect(loadedBy(["Bash", { command: "cat .env" }])).toEqual([]);
    expect(loadedBy(["Bash", { command: 'cat "$(ls .env)"' }])).toEqual(["unbash"]);
    expect(loadedBy(["Write", { file_path: "a.ts", content: githubToken }])).toEqual(["secrets/find"]);
  });
});
