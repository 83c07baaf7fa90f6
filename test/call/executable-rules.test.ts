import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { completeEvent } from "../../src/author/testing/event.ts";
import { hosts } from "../../src/hosts/index.ts";
import type { Host } from "../../src/protocol/host/host.ts";
import type { IHookResponse } from "../../src/protocol/response.ts";
import { EXECUTABLE } from "../support/fixtures.ts";

const home = realpathSync(mkdtempSync(join(tmpdir(), "bridge-hooks-rules-")));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const work = join(home, "work");
const user = join(home, process.platform === "win32" ? "AppData/Roaming" : ".config", "bridge-hooks/config.json");
for (const folder of [work, dirname(user)]) mkdirSync(folder, { recursive: true });

const RULE = {
  program: "acme-deploy",
  pattern: "prod",
  reason: "it deploys to production",
  advice: "open a release request",
};
const configure = (document: object) => writeFileSync(user, JSON.stringify(document));

/** Runs the built executable for a shell command and returns how the host interprets its answer. */
async function askExecutable(host: Host, command: string): Promise<IHookResponse> {
  const event = completeEvent(
    { event: "PreToolUse", tool: "Bash", input: { command } },
    { host: host.id, session_id: "s", cwd: work },
  );
  const codec = await host.loadScriptCodec();
  const [sent] = codec.buildPayloads(event);
  if (!sent) throw new Error(`${host.id} sends nothing for a shell line`);
  const { stdout, stderr, exitCode } = Bun.spawnSync(
    [EXECUTABLE, "--host", host.id, "--event", sent.native_event, "--on-error", "deny"],
    {
      cwd: work,
      env: { PATH: "/usr/bin:/bin", HOME: home, USERPROFILE: home, XDG_STATE_HOME: join(home, "state") },
      stdin: Buffer.from(JSON.stringify(sent.payload)),
    },
  );
  return codec.parseAnswer(sent, { stdout: `${stdout}`, stderr: `${stderr}`, exit_code: exitCode });
}

describe("without a build, rules of the user's config file", () => {
  for (const host of hosts)
    test(`are enforced on ${host.id}`, async () => {
      configure({ rules: { "acme/deploy-prod": RULE, "git/push-force": { enabled: false } } });
      expect(await askExecutable(host, "cd x && acme-deploy prod --now")).toMatchObject({
        decision: "deny",
        reason: expect.stringContaining(
          'Blocked "acme-deploy prod --now": it deploys to production; open a release request. If this is intended, ask the user to run it. [bridge-hooks acme/deploy-prod]',
        ),
      });
      expect((await askExecutable(host, "acme-deploy staging")).decision).not.toBe("deny");
      expect((await askExecutable(host, "git push --force")).decision).not.toBe("deny");
      configure({
        rules: { "acme/deploy-prod": RULE },
        exceptions: [{ rule: "acme/*", match: "acme-deploy prod --dry-run*", reason: "it only shows" }],
      });
      expect((await askExecutable(host, "acme-deploy prod --dry-run")).decision).not.toBe("deny");
      expect((await askExecutable(host, "acme-deploy prod")).decision).toBe("deny");
      expect((await askExecutable(host, "git push --force")).decision).toBe("deny");
    });
});
