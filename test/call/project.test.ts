import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { EXECUTABLE } from "../support/fixtures.ts";

const home = realpathSync(mkdtempSync(join(tmpdir(), "bridge-hooks-roots-")));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const [shop, other, outside] = ["shop", "other", "outside"].map((name) => join(home, "code", name)) as [
  string,
  string,
  string,
];
for (const folder of [shop, other, outside]) mkdirSync(join(folder, "src"), { recursive: true });
const user = join(home, process.platform === "win32" ? "AppData/Roaming" : ".config", "bridge-hooks/config.json");
mkdirSync(dirname(user), { recursive: true });
writeFileSync(user, JSON.stringify({ trusted: [shop] }));
const RULE = { program: "acme-deploy", pattern: "prod", reason: "it deploys to production" };
writeFileSync(join(shop, ".bridge-hooks.json"), JSON.stringify({ rules: { "acme/deploy-prod": RULE } }));

interface Session {
  cwd: string;
  roots: readonly string[];
}

/**
 * Sends a shell command the way two kinds of hosts do: one puts its roots in the environment, the other in the payload.
 */
const SENDERS: Record<string, (session: Session, command: string) => { exitCode: number; stdout: string }> = {
  claude: ({ cwd, roots }, command) =>
    call(
      "claude",
      { CLAUDE_PROJECT_DIR: roots[0] ?? "" },
      {
        session_id: "s",
        transcript_path: "/t",
        cwd,
        permission_mode: "default",
        hook_event_name: "PreToolUse",
        tool_name: "Bash",
        tool_input: { command },
        tool_use_id: "u",
      },
    ),
  cursor: ({ cwd, roots }, command) =>
    call(
      "cursor",
      {},
      {
        conversation_id: "c",
        generation_id: "g",
        model: "m",
        session_id: "s",
        hook_event_name: "beforeShellExecution",
        cursor_version: "1.0",
        workspace_roots: roots,
        user_email: null,
        transcript_path: null,
        command,
        cwd,
        sandbox: false,
      },
    ),
};

function call(host: string, variables: Record<string, string>, payload: object) {
  const { exitCode, stdout } = Bun.spawnSync([EXECUTABLE, "--host", host, "--on-error", "deny"], {
    cwd: outside,
    env: { PATH: "/usr/bin:/bin", HOME: home, USERPROFILE: home, XDG_STATE_HOME: join(home, "state"), ...variables },
    stdin: Buffer.from(JSON.stringify(payload)),
  });
  return { exitCode, stdout: `${stdout}` };
}

describe.each(Object.keys(SENDERS))("with the roots that %s names", (host) => {
  const isDenied = (session: Session, command: string) => {
    const { exitCode, stdout } = (SENDERS[host] as (typeof SENDERS)["claude"])(session, command);
    return exitCode === 2 || /"(?:permission|permissionDecision|decision)":"(?:deny|block)"/.test(stdout);
  };

  test("the project's trusted config applies in every directory that the agent enters", () => {
    for (const cwd of [shop, join(shop, "src"), other, outside, "/"])
      expect([cwd, isDenied({ cwd, roots: [shop] }, "acme-deploy prod")]).toEqual([cwd, true]);
    expect(isDenied({ cwd: other, roots: [other] }, "acme-deploy prod")).toBe(false);
    expect(isDenied({ cwd: shop, roots: [shop] }, "acme-deploy staging")).toBe(false);
  });

  test("no root may be deleted, moved or emptied from another directory", () => {
    for (const cwd of [other, outside, join(shop, "src")])
      for (const line of [
        `rm -rf ${shop}`,
        `rm -rf ${dirname(shop)}`,
        `mv ${shop} /tmp/x`,
        `find ${shop} -delete`,
        `rm -rf ${shop}/*`,
      ])
        expect([cwd, line, isDenied({ cwd, roots: [shop] }, line)]).toEqual([cwd, line, true]);
    expect(isDenied({ cwd: other, roots: [shop] }, `rm -rf ${shop}/dist`)).toBe(false);
    expect(isDenied({ cwd: other, roots: [shop] }, `rm -rf ${outside}`)).toBe(true);
    expect(isDenied({ cwd: other, roots: [shop] }, `rm -rf ${outside}/node_modules`)).toBe(false);
  });
});

test("every root that a payload names is a project", () => {
  const send = (line: string) => SENDERS.cursor?.({ cwd: other, roots: [other, shop] }, line).stdout ?? "";
  expect(send("acme-deploy prod")).toContain("deny");
  expect(send(`rm -rf ${shop}`)).toContain("deny");
  expect(send(`rm -rf ${outside}`)).toContain("outside the project");
  expect(send(`rm -rf ${shop}/dist`)).not.toContain("deny");
});
