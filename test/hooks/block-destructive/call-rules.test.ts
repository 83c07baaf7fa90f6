import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import hook from "../../../hooks/block-destructive.ts";
import { interpretConfig } from "../../../src/policy/files.ts";
import { createRulePolicy } from "../../../src/policy/rules.ts";
import type { IHookResponse } from "../../../src/protocol/response.ts";

const project = realpathSync(mkdtempSync(join(tmpdir(), "call-rules-")));
afterAll(() => rmSync(project, { recursive: true, force: true }));
for (const folder of ["migrations/old", "db/gen", "docs", "my-migrations"])
  mkdirSync(join(project, folder), { recursive: true });
for (const file of ["migrations/1.sql", "db/gen/a.ts", "x.sql", "my-migrations/1.sql", "a.key"])
  writeFileSync(join(project, file), "x\n");
symlinkSync("migrations", join(project, "m"));

const OPTIONS = { categories: ["git", "filesystem"], allow: [], deny: [], protect: [], outside: [], decision: "deny" };

/** Returns the hook's response to a call, given rules in a managed config file. */
async function askCall(rules: object, call: object, more: object = {}): Promise<IHookResponse | undefined> {
  const managed = interpretConfig({ scope: "managed", path: "/etc/x.json" }, { rules, ...more } as never);
  const policy = createRulePolicy("block-destructive", { managed }, project, hook.ruleTerms);
  const event = { event: "PreToolUse", host: "x", session_id: "", cwd: project, _native: {}, ...call };
  const context = { options: OPTIONS, rules: policy, log: () => {}, signal: new AbortController().signal };
  return (await hook.handler(event as never, context as never)) as IHookResponse | undefined;
}

const line = (command: string, shell?: string) => ({
  ...{ tool: "Bash", tool_name: "Bash", input: { command, ...(shell !== undefined && { shell }) } },
});
const because = { reason: "released ones never change" };

describe("a rule about files", () => {
  const rules = {
    "acme/change": { path: "migrations/**", access: ["edit", "delete"], ...because },
    "acme/gen": { path: "db/gen/**", access: "delete", ...because },
    "acme/keys": { path: "**/*.key", access: "read", ...because },
    "acme/home": { path: "~/vault/**", access: ["read", "edit", "delete"], ...because },
  };
  const denied: [rule: string, command: string, shell?: string][] = [
    ...[
      "sed -i s/a/b/ migrations/1.sql",
      "perl -pi -e s/a/b/ migrations/1.sql",
      "echo x > migrations/1.sql",
      "echo x >> ./migrations/2.sql",
      "echo x | tee -a migrations/1.sql",
      "cp x.sql migrations/1.sql",
      "cp x.sql migrations",
      "cp -t migrations x.sql",
      "mv x.sql migrations/2.sql",
      "mv migrations/1.sql /tmp/1.sql",
      "mv migrations old",
      "rm migrations/1.sql",
      "rm -rf migrations",
      "rm -rf migrations/*",
      "rm -r ./migrations/old/",
      "git rm migrations/1.sql",
      "git mv migrations/1.sql migrations/3.sql",
      "git checkout -- migrations/1.sql",
      "git checkout main migrations/1.sql",
      "git restore --source main migrations/1.sql",
      "cd migrations && rm 1.sql",
      "(cd migrations; sed -i d 1.sql)",
      "git -C migrations rm 1.sql",
      "rm m/1.sql",
      "echo x > m/2.sql",
      "ln -s migrations z && echo x > z/1.sql",
      "rm Migrations/1.sql",
      "truncate -s 0 migrations/1.sql",
      "dd if=/dev/null of=migrations/1.sql",
      "curl -o migrations/1.sql https://x.example",
      "tar xf a.tar -C migrations",
      "rsync -a x/ migrations/",
      "find migrations -delete",
      "find migrations -name '*.sql' -exec rm {} +",
      "find migrations -name '*.sql' | xargs rm",
      "prettier --write migrations/1.sql",
      "python3 -c \"open('migrations/1.sql', 'w')\"",
      "python3 -c \"import os; os.remove('migrations/1.sql')\"",
      "apply_patch <<'E'\n*** Begin Patch\n*** Delete File: migrations/1.sql\n*** End Patch\nE",
      "bash -c 'rm migrations/1.sql'",
      "sudo rm migrations/1.sql",
      `rm ${project}/migrations/1.sql`,
    ].map((command): [string, string] => ["acme/change", command]),
    ["acme/change", "Set-Content migrations\\1.sql x", "powershell"],
    ["acme/change", "Remove-Item -Recurse migrations", "powershell"],
    ["acme/change", "'x' > migrations/1.sql", "powershell"],
    ["acme/change", "del migrations\\1.sql", "cmd"],
    ["acme/change", "rd /s /q migrations", "cmd"],
    ["acme/change", "copy x.sql migrations\\1.sql", "cmd"],
    ["acme/gen", "rm -rf db"],
    ["acme/gen", "mv db other"],
    ["acme/gen", "rm db/gen/a.ts"],
    ["acme/keys", "cat a.key"],
    ["acme/keys", "cp docs/b.key /tmp/x"],
    ["acme/keys", "openssl rsa < docs/b.key"],
    ["acme/home", "cat ~/vault/x"],
    ["acme/home", 'rm "$HOME/vault/x"'],
  ];
  for (const [rule, command, shell] of denied)
    test(`stops ${command}${shell === undefined ? "" : ` (${shell})`}`, async () => {
      const answer = await askCall(rules, line(command, shell));
      expect([answer?.decision, answer?.rule]).toEqual(["deny", rule]);
    });

  const allowed = [
    ...[
      "cat migrations/1.sql",
      "psql -f migrations/1.sql",
      "wc -l migrations/*",
      "ls migrations",
      "grep -r x migrations",
    ],
    ...["cp migrations/1.sql /tmp/x", "git add migrations/1.sql", "git diff -- migrations", "mkdir -p migrations"],
    ...["sed s/a/b/ migrations/1.sql", "node migrations/1.js", "eslint migrations", "chmod 644 migrations/1.sql"],
    ...["rm my-migrations/1.sql", "rm migrations2/1.sql", "echo x > migrations.md", "rm other/migrations/1.sql"],
    ...[
      "echo migrations/1.sql",
      "echo 'rm migrations/1.sql'",
      "git commit -m 'rm migrations/1.sql'",
      "rm -rf node_modules",
    ],
    ...["find . -name '*.tmp' -delete", "rm x.sql", "git stash", "npm test", "cd migrations && cat 1.sql"],
    ...["echo x > db/gen/b.ts", "sed -i d db/gen/a.ts", "rm db/x.ts", "rm -rf database", "rm a.key", "touch a.key"],
    ...[
      "ls *.key",
      "cat key.txt",
      "ssh host rm migrations/1.sql",
      "python3 -c \"print(open('migrations/1.sql').read())\"",
    ],
  ];
  for (const command of allowed)
    test(`allows ${command}`, async () => expect(await askCall(rules, line(command))).toBeUndefined());

  const file = (name: string) => join(project, name);
  const update = { operation: "update", edits: [{ old_string: "a", new_string: "b" }] };
  const tools: [title: string, call: object, rule: string | undefined][] = [
    ["a new file", { tool: "Write", input: { file_path: file("migrations/9.sql"), content: "x" } }, "acme/change"],
    ["a relative path", { tool: "Write", input: { file_path: "migrations/9.sql", content: "x" } }, "acme/change"],
    ["a link", { tool: "Write", input: { file_path: file("m/9.sql"), content: "x" } }, "acme/change"],
    [
      "an edit",
      { tool: "Edit", input: { files: [{ file_path: file("migrations/1.sql"), ...update }] } },
      "acme/change",
    ],
    [
      "the second file of a patch",
      {
        tool: "Edit",
        input: {
          files: [
            { file_path: "docs/a.md", ...update },
            { file_path: "x.sql", operation: "move", moved_to: "migrations/2.sql", edits: [] },
          ],
        },
      },
      "acme/change",
    ],
    [
      "a removed directory",
      { tool: "Edit", input: { files: [{ file_path: "db", operation: "delete", edits: [] }] } },
      "acme/gen",
    ],
    ["a file that is read", { tool: "Read", input: { file_path: file("a.key") } }, "acme/keys"],
    [
      "one of several files that are read",
      { tool: "Read", input: { file_path: "x a.key", file_paths: ["x", "a.key"] } },
      "acme/keys",
    ],
    ["a search in a file", { tool: "Grep", input: { pattern: "x", path: "a.key" } }, "acme/keys"],
    [
      "an MCP tool",
      {
        tool: "MCP",
        tool_name: "mcp__fs__write_file",
        input: { tool: "write_file", arguments: { path: "migrations/1.sql" } },
      },
      "acme/change",
    ],
    [
      "a read of a file that must not be changed",
      { tool: "Read", input: { file_path: file("migrations/1.sql") } },
      undefined,
    ],
    [
      "another directory",
      { tool: "Write", input: { file_path: file("my-migrations/1.sql"), content: "x" } },
      undefined,
    ],
    [
      "a write to a file that must not be read",
      { tool: "Write", input: { file_path: file("b.key"), content: "x" } },
      undefined,
    ],
  ];
  for (const [title, call, rule] of tools)
    test(`covers file tools: ${title}`, async () =>
      expect((await askCall(rules, { tool_name: "x", ...call }))?.rule).toBe(rule as string));

  test("gives the effect, the reason and a safer alternative", async () => {
    const advised = { "acme/x": { path: "migrations/**", access: "edit", ...because, advice: "add a new one" } };
    expect((await askCall(advised, line("echo x > m/1.sql")))?.reason).toBe(
      'Blocked "edit m/1.sql": released ones never change; add a new one. If this is intended, ask the user to run it.',
    );
  });
  test("has exceptions by file name", async () => {
    const except = (match: string) => ({ exceptions: [{ rule: "acme/*", match, reason: "r" }] });
    expect(await askCall(rules, line("rm migrations/1.sql"), except("migrations/1.sql"))).toBeUndefined();
    expect(await askCall(rules, line("rm migrations/1.sql"), except("delete migrations/*"))).toBeUndefined();
    expect((await askCall(rules, line("rm migrations/1.sql"), except("migrations/2.sql")))?.rule).toBe("acme/change");
  });
  test("is relative to the project whose file adds it", async () => {
    const config = interpretConfig({ scope: "project", path: join(project, "db/.bridge-hooks.json") }, {
      rules: { "acme/own": { path: "gen/**", access: "edit", ...because } },
    } as never);
    const policy = createRulePolicy("block-destructive", { project: config }, project, hook.ruleTerms);
    const ask = async (command: string) => {
      const event = { event: "PreToolUse", host: "x", session_id: "", cwd: project, _native: {}, ...line(command) };
      const context = { options: OPTIONS, rules: policy, log() {}, signal: new AbortController().signal };
      return ((await hook.handler(event as never, context as never)) as IHookResponse | undefined)?.rule;
    };
    expect([await ask("echo x > db/gen/a.ts"), await ask("echo x > gen/a.ts")]).toEqual(["acme/own", undefined]);
  });
});

describe("a rule about tools", () => {
  const rules = {
    "acme/branch": { mcp: "github", tool: "delete_*", arguments: { branch: "main|release/*" }, ...because },
    "acme/server": { mcp: "prod-*", ...because },
    "acme/search": { tool: "WebSearch", ...because },
    "acme/nested": { tool: "deploy", arguments: { "options.force": "true" }, ...because },
  };
  const call = (tool_name: string, tool: string, given: object = { branch: "main" }, server?: string) => ({
    ...{ tool: "MCP", tool_name, input: { ...(server !== undefined && { server }), tool, arguments: given } },
  });
  const cases: [title: string, call: object, rule: string | undefined][] = [
    ["server and tool", call("mcp__github__delete_branch", "delete_branch", undefined, "github"), "acme/branch"],
    ["only the joined name", call("mcp__github__delete_branch", "delete_branch"), "acme/branch"],
    ["names joined with a dash", call("github-delete_branch", "github-delete_branch"), "acme/branch"],
    ["names joined with _", call("mcp_github_delete_branch", "github_delete_branch"), "acme/branch"],
    ["different punctuation and letter case", call("x", "Delete-Branch", undefined, "GitHub"), "acme/branch"],
    ["a wildcard in a value", call("x", "delete_branch", { branch: "release/1.2" }, "github"), "acme/branch"],
    ["one value of an array", call("x", "delete_branch", { branch: ["mine", "main"] }, "github"), "acme/branch"],
    ["an unknown server", call("delete_branch", "delete_branch"), "acme/branch"],
    ["another value", call("x", "delete_branch", { branch: "main2" }, "github"), undefined],
    ["a missing argument", call("x", "delete_branch", {}, "github"), undefined],
    ["another server", call("x", "delete_branch", undefined, "gitlab"), undefined],
    ["another tool", call("x", "undelete_branch", undefined, "github"), undefined],
    ["all tools of MCP servers", call("x", "list", {}, "prod-eu"), "acme/server"],
    ["a host's own tool", { tool: "WebSearch", tool_name: "search_web", input: { query: "x" } }, "acme/search"],
    [
      "the host's name for the tool",
      { tool: "Other", tool_name: "deploy", input: { options: { force: true } } },
      "acme/nested",
    ],
    ["another nested value", { tool: "Other", tool_name: "deploy", input: { options: { force: false } } }, undefined],
  ];
  for (const [title, given, rule] of cases)
    test(title, async () => expect((await askCall(rules, given))?.rule).toBe(rule as string));
});

describe("a rule about URLs", () => {
  const rules = {
    "acme/change": { url: "*.corp.example/**", method: "DELETE|put|POST", ...because },
    "acme/admin": { url: ["https://corp.example:8443/admin/**", "10.0.0.1"], ...because },
  };
  const denied: [rule: string, command: string, shell?: string][] = [
    ...[
      "curl -X DELETE https://api.corp.example/x",
      "curl -sXDELETE https://api.corp.example/x",
      "curl --request DELETE api.corp.example",
      "curl --request=PUT https://api.corp.example:8443/x",
      "curl -X delete https://API.CORP.EXAMPLE./x",
      "curl -d a=b https://api.corp.example",
      "curl --json '{}' https://api.corp.example",
      "curl -F a=@b https://api.corp.example",
      "curl -T file https://api.corp.example/x",
      "curl https://user:pw@api.corp.example/x -X PUT",
      "curl -X PUT 'https://{api,db}.corp.example/x'",
      "curl -X PUT --url https://a.b.corp.example",
      "wget --method=DELETE https://api.corp.example",
      "wget --post-data a https://api.corp.example",
      "http DELETE api.corp.example/x",
      "https PUT api.corp.example a=b",
      "http api.corp.example/x a=b",
      "xh post api.corp.example",
      "sudo curl -X DELETE https://api.corp.example/x",
      "x=$(curl -X DELETE https://api.corp.example/x)",
      "ssh host curl -X DELETE https://api.corp.example/x",
    ].map((command): [string, string] => ["acme/change", command]),
    ["acme/change", "Invoke-WebRequest -Method Delete -Uri https://api.corp.example/x", "powershell"],
    ["acme/change", "irm https://api.corp.example/x -Method Put -Body x", "powershell"],
    ["acme/admin", "curl https://corp.example:8443/admin/users"],
    ["acme/admin", "curl https://corp.example:8443/x/../admin"],
    ["acme/admin", "curl https://corp.example:8443//%61dmin/users"],
    ["acme/admin", "wget 10.0.0.1/x"],
  ];
  for (const [rule, command, shell] of denied)
    test(`stops ${command}`, async () => expect((await askCall(rules, line(command, shell)))?.rule).toBe(rule));
  const allowed = [
    ...[
      "curl https://api.corp.example/x",
      "curl -G -d a=b https://api.corp.example",
      "curl -I https://api.corp.example",
    ],
    ...["curl -X DELETE https://api.corp.example@evil.example/x", "curl -X DELETE https://corp.example/x"],
    ...["curl -X DELETE https://api.corp.example.evil.example", "curl -X DELETE https://xcorp.example"],
    ...[
      "curl -X DELETE 'https://evil.example/#@api.corp.example'",
      "curl -X PUT 'https://x.example/?u=https://api.corp.example'",
    ],
    ...[
      "echo curl -X DELETE https://api.corp.example",
      "curl https://corp.example/admin/x",
      "curl https://corp.example:8443/",
    ],
    ...["git clone https://api.corp.example/x.git", "curl -H 'X: DELETE' https://api.corp.example", "wget 10.0.0.11"],
    ...["http api.corp.example/x q==1 H:v", "curl -o DELETE https://api.corp.example/x"],
  ];
  for (const command of allowed)
    test(`allows ${command}`, async () => expect(await askCall(rules, line(command))).toBeUndefined());
  const tools: [call: object, rule: string | undefined][] = [
    [{ tool: "WebFetch", tool_name: "WebFetch", input: { url: "https://corp.example:8443/admin/x" } }, "acme/admin"],
    [{ tool: "WebFetch", tool_name: "WebFetch", input: { url: "https://api.corp.example/x" } }, undefined],
    [{ tool: "Other", tool_name: "http", input: { url: "https://api.corp.example", method: "put" } }, "acme/change"],
    [{ tool: "MCP", tool_name: "x", input: { tool: "go", arguments: { url: "http://10.0.0.1/" } } }, "acme/admin"],
  ];
  for (const [call, rule] of tools)
    test(`covers ${JSON.stringify(call)}`, async () => expect((await askCall(rules, call))?.rule).toBe(rule as string));
  test("does not repeat a password", async () =>
    expect((await askCall(rules, line("curl -X PUT https://u:secret@a.corp.example")))?.reason).not.toContain(
      "secret",
    ));
});

describe("the action of a rule", () => {
  const rule = (action: string) => ({ "acme/x": { path: "x.sql", access: "delete", ...because, action } });
  test("warn informs and allows, unless another rule denies the call", async () => {
    const rules = { ...rule("warn"), "acme/y": { program: "deploy", reason: "it is live" } };
    expect(await askCall(rules, line("rm x.sql"))).toMatchObject({ decision: "deny", mode: "warn", rule: "acme/x" });
    expect(await askCall(rules, line("rm x.sql && deploy"))).toMatchObject({ decision: "deny", rule: "acme/y" });
    expect(await askCall(rules, line("rm x.sql && deploy"))).not.toHaveProperty("mode");
    expect((await askCall({ "git/push-force": { action: "warn" } }, line("git push -f")))?.mode).toBe("warn");
  });
  test("ask prompts, and a denial overrides it", async () => {
    const rules = { ...rule("ask"), "acme/y": { url: "x.example", reason: "it is live" } };
    expect((await askCall(rules, line("rm x.sql")))?.decision).toBe("ask");
    expect((await askCall(rules, line("rm x.sql; curl x.example")))?.rule).toBe("acme/y");
  });
  test("can be made stricter by another file, but not looser", async () => {
    const config = (scope: "managed" | "user", action: string) =>
      interpretConfig({ scope, path: `/${scope}.json` }, { rules: { "acme/x": { action } } } as never);
    const resolve = (managed: string, user: string) =>
      createRulePolicy(
        "h",
        { managed: config("managed", managed), user: config("user", user) },
        "/",
        undefined,
      ).resolveAction("acme/x");
    expect([resolve("warn", "ask"), resolve("ask", "warn"), resolve("warn", "deny")]).toEqual(["ask", "ask", "deny"]);
  });
});
