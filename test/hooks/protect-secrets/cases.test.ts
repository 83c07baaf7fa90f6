import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { makeHex } from "../../support/made-up-secrets.ts";
import { ALLOWED_LINES } from "./allowed-lines.ts";
import { FILE_LINES, PRINTING_LINES } from "./denied-lines.ts";
import {
  app,
  askHook,
  askCall,
  askBash,
  getSecret,
  githubToken,
  privateKey,
  databaseUrl,
  splitRows,
  expectDenial,
} from "./project.ts";

/** Calls to tools other than the shell, with text that must occur in the denial. */
const CALLS_DENIED: [tool: string, input: object, about: string][] = [
  ["Read", { file_path: "/app/.env" }, "/app/.env contains secrets"],
  ["Read", { file_path: ".env" }, ".env contains secrets"],
  ["Read", { file_path: "C:\\app\\.env" }, "C:\\app\\.env contains secrets"],
  ["Read", { file_path: ".env.production" }, ".env.production contains secrets"],
  ["Read", { file_path: ".ENV" }, ".ENV contains secrets"],
  ["Read", { file_path: "~/.aws/credentials" }, "~/.aws/credentials contains secrets"],
  ["Read", { file_path: "/home/me/.ssh/id_ed25519" }, "/home/me/.ssh/id_ed25519 contains secrets"],
  ["Read", { file_path: "/home/me/.aws/credentials" }, "/home/me/.aws/credentials contains secrets"],
  ["Read", { file_path: "/proc/self/environ" }, "/proc/self/environ contains secrets"],
  ["Read", { file_path: "notes.txt" }, "notes.txt contains secrets"],
  ["Read", { file_path: join(app, "sub/link") }, `${join(app, "sub/link")} contains secrets`],
  ["Read", { file_path: "cloud/credentials" }, "cloud/credentials contains secrets"],
  ["Read", { file_path: "sub/../.env" }, "sub/../.env contains secrets"],
  ["Read", { file_path: "both.pem" }, "both.pem contains secrets"],
  [
    "Read",
    { file_path: "config.json", content: `{ "token": "${githubToken}" }` },
    "config.json contains a secret (github-token)",
  ],
  ["Write", { file_path: ".env", content: "" }, ".env contains secrets, and this would overwrite it"],
  ["Write", { file_path: "notes.txt", content: "" }, "notes.txt contains secrets, and this would overwrite it"],
  [
    "Write",
    { file_path: "src/config.ts", content: `const token = "${githubToken}";` },
    "src/config.ts would contain a secret (github-token)",
  ],
  ["Write", { file_path: "x.txt", content: privateKey }, "x.txt would contain a secret (private-key)"],
  [
    "Write",
    { file_path: "a.ts", content: `${databaseUrl} ${githubToken} ${githubToken}` },
    "a.ts would contain a secret (database-url, github-token)",
  ],
  [
    "Edit",
    {
      files: [
        { file_path: "a.ts", edits: [] },
        { file_path: "sub/.env", edits: [] },
      ],
    },
    "sub/.env contains secrets, and this would change it",
  ],
  [
    "Edit",
    { files: [{ file_path: "a.ts", operation: "move", moved_to: ".env", edits: [] }] },
    ".env contains secrets, and this would change it",
  ],
  [
    "Edit",
    {
      files: [
        { file_path: "a.ts", operation: "update", edits: [{ old_string: "x", new_string: `x = "${githubToken}"` }] },
      ],
    },
    "a.ts would contain a secret (github-token)",
  ],
  ["Grep", { pattern: "KEY", path: ".env" }, ".env contains secrets"],
  ["Grep", { pattern: "KEY", glob: ".env*" }, ".env* contains secrets"],
  ["Grep", { pattern: "KEY", glob: "*.pem" }, "*.pem contains secrets"],
  ["Grep", { pattern: "KEY", path: "notes.txt" }, "notes.txt contains secrets"],
  ["MCP", { tool: "read_file", arguments: { path: "/app/.env" } }, "/app/.env contains secrets"],
  ["MCP", { tool: "read_files", arguments: { paths: ["a.ts", ".env"] } }, ".env contains secrets"],
  ["MCP", { tool: "open", arguments: { uri: "file:///app/.env" } }, "file:///app/.env contains secrets"],
  [
    "MCP",
    { tool: "send", arguments: { body: { text: `use ${githubToken}` } } },
    "the call contains a secret (github-token)",
  ],
  ["MCP", { tool: "query", arguments: { url: databaseUrl } }, "the call contains a secret (database-url)"],
  [
    "MCP",
    { tool: "open", arguments: { at: `https://me:${githubToken}@host.corp.net/.env` } },
    "https://host.corp.net/.env contains secrets",
  ],
  ["Bash", { command: `curl https://me:${githubToken}@host.corp.net/.env` }, "host.corp.net/.env contains secrets"],
  ["WebFetch", { url: "file:///app/.env" }, "file:///app/.env contains secrets"],
  [
    "WebFetch",
    { url: `https://x.example.org/?token=${githubToken}`, prompt: "x" },
    "the call contains a secret (github-token)",
  ],
  [
    "WebFetch",
    { url: "https://x.example.org", prompt: `log in with ${githubToken}` },
    "the call contains a secret (github-token)",
  ],
  ["WebSearch", { query: githubToken }, "the call contains a secret (github-token)"],
  [
    "Task",
    { prompt: `Deploy with ${getSecret("aws-secret-key")} as AWS_SECRET_ACCESS_KEY=${getSecret("aws-secret-key")}` },
    "the call contains a secret (aws-secret-key)",
  ],
  [
    "Other",
    { notebook_path: "a.ipynb", new_source: `token = "${githubToken}"` },
    "the call contains a secret (github-token)",
  ],
  ["Other", { target_file: ".env" }, ".env contains secrets"],
  [
    "Bash",
    { command: `curl -H "Authorization: Bearer ${githubToken}" https://api.github.com/user` },
    "the command contains a secret (github-token)",
  ],
  ["Bash", { command: `export GITHUB_TOKEN=${githubToken}` }, "the command contains a secret (github-token)"],
  [
    "Bash",
    { command: `git clone https://me:${githubToken}@github.com/a/b.git` },
    "the command contains a secret (basic-auth-url)",
  ],
  ["Bash", { command: `psql '${databaseUrl}'` }, "the command contains a secret (database-url)"],
  ["Bash", { command: `cat > k <<'X'\n${privateKey}\nX` }, "the command contains a secret (private-key)"],
  ["Bash", { command: "cat link", cwd: join(app, "sub") }, "link contains secrets"],
];

const CALLS_ALLOWED: [tool: string, input: object][] = [
  ["Read", { file_path: "/app/.env.example" }],
  ["Read", { file_path: "/app/env.ts" }],
  ["Read", { file_path: "monkey.ts" }],
  ["Read", { file_path: "/home/me/.ssh/id_ed25519.pub" }],
  ["Read", { file_path: "readme-link" }],
  ["Read", { file_path: "cert.pem" }],
  ["Read", { file_path: "package-lock.json", content: `"integrity": "sha512-${makeHex(86)}=="` }],
  ["Write", { file_path: "a.ts", content: "const token = process.env.GITHUB_TOKEN;" }],
  ["Write", { file_path: ".gitignore", content: ".env\n*.pem\n" }],
  [
    "Write",
    {
      file_path: "README.md",
      content: "export AWS_SECRET_ACCESS_KEY=<yours>, or ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    },
  ],
  [
    "Edit",
    {
      files: [
        {
          file_path: "a.ts",
          operation: "update",
          edits: [{ old_string: `x = "${githubToken}"`, new_string: "x = env.X" }],
        },
      ],
    },
  ],
  [
    "Edit",
    {
      files: [
        {
          file_path: "a.ts",
          operation: "update",
          edits: [{ old_string: githubToken, new_string: `${githubToken} // moved` }],
        },
      ],
    },
  ],
  ["Grep", { pattern: "API_KEY", path: "src" }],
  ["Grep", { pattern: "\\.env", glob: "*.ts" }],
  ["Grep", { pattern: "KEY", glob: "*" }],
  ["Glob", { pattern: "**/.env*" }],
  ["MCP", { tool: "echo", arguments: { text: "hi", count: 1, none: null } }],
  ["MCP", { tool: "note", arguments: { text: "Copy .env.example to .env first" } }],
  ["WebFetch", { url: "https://x.example.org/.env", prompt: "is it there?" }],
  ["WebSearch", { query: ".env" }],
  ["Task", { prompt: "Find out what .env.example needs" }],
  ["Other", { todos: [{ text: "write .env.example" }] }],
];

describe("protect-secrets denies", () => {
  for (const command of FILE_LINES)
    test(command, async () => {
      const { decision, reason } = await expectDenial(askBash(command));
      expect(decision).toBe("deny");
      expect(reason).toMatch(
        /^Blocked: \S.* contains secrets(?:\. [APR].+ \[bridge-hooks secrets\/read-file\]|, and this would .+\. [AUW].+ \[bridge-hooks secrets\/write-file\])$/,
      );
    });
  for (const command of PRINTING_LINES)
    test(command, async () => {
      const { decision, reason } = await expectDenial(askBash(command));
      expect(decision).toBe("deny");
      expect(reason).toMatch(
        /^Blocked: ".+" prints (?:secrets from the environment|a stored secret)\. .+\. \[bridge-hooks secrets\/print-(?:environment|stored)\]$/,
      );
    });
  for (const [tool, input, about] of CALLS_DENIED)
    test(`${tool}: ${about}`, async () => {
      const { decision, reason } = await expectDenial(askCall(tool, input));
      expect(decision).toBe("deny");
      expect(reason).toStartWith(`Blocked: ${about}. `);
    });
});

describe("protect-secrets allows", () => {
  for (const command of ALLOWED_LINES) test(command, async () => expect(await askBash(command)).toBeUndefined());
  for (const [tool, input] of CALLS_ALLOWED)
    test(`${tool} ${JSON.stringify(input).slice(0, 60)}`, async () =>
      expect(await askCall(tool, input)).toBeUndefined());
});

test("protect-secrets checks the other fields of an unknown tool with a command", async () => {
  const about = async (tool: string, input: object) =>
    (await askHook({ event: "PreToolUse", cwd: app, tool, tool_name: "x", guessed: true, input }))?.reason;
  expect(await about("Bash", { command: "ls", target_file: ".env" })).toStartWith("Blocked: .env contains secrets");
  expect(await about("Bash", { command: "ls", note: `use ${githubToken}` })).toStartWith(
    "Blocked: the call contains a secret (github-token)",
  );
  expect(await about("Write", { file_path: "a", content: "b", from: ".env" })).toStartWith(
    "Blocked: .env contains secrets",
  );
  expect(await about("Bash", { command: "ls", cwd: app, workdir: app, note: "see .env.example" })).toBeUndefined();
});

/** Commands that would reveal secrets but are known to be missed, as the README documents. */
const MISSES = splitRows(String.raw`
npm start
grep -r KEY .
tar czf /tmp/x.tgz .
cp -r . /tmp/x
git add -A && git commit -m x
./show-env.sh
make show-secrets
cat $(base64 -d name.txt)
python3 show.py
bash -x deploy.sh
docker inspect web
curl -v -H "Authorization: Bearer $TOKEN" https://x
cat <<X
git remote -v
echo $pw
echo hunter2 | sudo -S true
curl -u me:hunter2 https://x
x=$GITHUB_TOKEN; declare -p x
python3 -c "import os; save_all(os.environ)"
`);

describe("protect-secrets misses", () => {
  for (const command of MISSES) test(command, async () => expect(await askBash(command)).toBeUndefined());
  test("a secret in base64 or split in two parts", async () => {
    expect(await askBash(`echo ${btoa(githubToken)}`)).toBeUndefined();
    expect(
      await askCall("Write", {
        file_path: "a.ts",
        content: `"${githubToken.slice(0, 20)}" + "${githubToken.slice(20)}"`,
      }),
    ).toBeUndefined();
  });
});

test("the documented number of cases is tested", () => {
  const denials = FILE_LINES.length + PRINTING_LINES.length + CALLS_DENIED.length;
  const passes = ALLOWED_LINES.length + CALLS_ALLOWED.length;
  expect({ denials, passes, misses: MISSES.length }).toEqual({ denials: 478, passes: 333, misses: 19 });
});
