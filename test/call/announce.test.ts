import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { completeEvent } from "../../src/author/testing/event.ts";
import { getUserConfigSteps } from "../../src/policy/config-paths.ts";
import { hosts } from "../../src/hosts/index.ts";
import { getCells, pickCell } from "../../src/protocol/capability.ts";
import { getCapabilityRow, type Host } from "../../src/protocol/host/host.ts";
import type { NativePayload } from "../../src/protocol/host/scripts.ts";
import { createMachine, hasMachine } from "../cli/allow/machine.ts";
import { buildShared } from "../support/executables.ts";

const home = realpathSync(mkdtempSync(join(tmpdir(), "bridge-hooks-announce-")));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const work = join(home, "app");
const config = join(home, ...getUserConfigSteps());
for (const folder of [work, dirname(config)]) mkdirSync(folder, { recursive: true });

/** None of its hooks subscribes to the start of a session. */
const guard = await buildShared("test/support/trace-hooks", { policy: { name: "acme-guard", version: "1.4.0" } });
const LINE = /^bridge-hooks: policy acme-guard 1\.4\.0 \(hash [0-9a-f]{12}\) applies to this session, mode enforce$/;

const configure = (document: unknown, path = config) => writeFileSync(path, JSON.stringify(document));

async function findStart(host: Host, source = "startup"): Promise<NativePayload | undefined> {
  const event = completeEvent({ event: "SessionStart", source }, { host: host.id, session_id: "s", cwd: work });
  return (await host.loadScriptCodec()).buildPayloads(event)[0];
}

/** Returns what the host receives for an event: the field with the announcement, and the remaining fields. */
async function call(host: Host, sent: NativePayload) {
  const { stdout, stderr, exitCode } = Bun.spawnSync(
    [guard.outfile, "--host", host.id, "--event", sent.native_event, "--on-error", "deny"],
    {
      cwd: work,
      env: { PATH: "/usr/bin:/bin", HOME: home, USERPROFILE: home, XDG_STATE_HOME: join(home, "state") },
      stdin: Buffer.from(JSON.stringify(sent.payload)),
    },
  );
  return { stdout: `${stdout}`.trim(), stderr: `${stderr}`.trim(), exitCode };
}

const claude = hosts[0] as Host;
async function readLine(document: unknown, source?: string): Promise<string | undefined> {
  configure(document);
  const { stdout } = await call(claude, (await findStart(claude, source)) as NativePayload);
  return stdout === "" ? undefined : (JSON.parse(stdout) as { systemMessage?: string }).systemMessage;
}

describe.each(hosts)("at the start of a session of $id", (host) => {
  test.each(["user", "model", "both"] as const)(
    "announce %p sends the fields that the table lists",
    async (audience) => {
      configure({ announce: audience });
      const sent = await findStart(host);
      if (!sent) return expect(Object.keys(host.capabilities)).not.toContain("SessionStart");
      const { stdout, stderr, exitCode } = await call(host, sent);
      const row = getCapabilityRow(host, sent.native_event, sent.payload);
      const { host_version } = host.decodePayload(sent.payload, sent.native_event, row).event;
      const reaches = (field: "user_message" | "additional_context") =>
        pickCell(getCells(row, field), host_version).support !== "drop";
      const wanted = {
        user: ["user_message"],
        model: ["additional_context"],
        both: ["user_message", "additional_context"],
      };
      const fields = (["user_message", "additional_context"] as const).filter(
        (field) => wanted[audience].includes(field) && reaches(field),
      );
      // If the host lacks the field or receives the text another way, the hook has made no mistake, so nothing is
      // reported.
      expect([stderr, exitCode]).toEqual(["", 0]);
      if (fields.length === 0) return expect(stdout).toBe(host.neutralOutput);
      const answer = (await host.loadScriptCodec()).parseAnswer(sent, { stdout, stderr, exit_code: exitCode });
      const told = Object.entries(answer).filter(
        ([field]) => field === "user_message" || field === "additional_context",
      );
      expect(told.map(([field]) => field).toSorted()).toEqual(fields.toSorted());
      for (const [, text] of told) expect(text).toMatch(LINE);
    },
  );

  test("nothing is announced if no config file enables it", async () => {
    for (const document of [{}, { announce: "off" }, { mode: "observe" }]) {
      configure(document);
      const sent = await findStart(host);
      if (!sent) continue;
      expect(await call(host, sent)).toEqual({ stdout: host.neutralOutput, stderr: "", exitCode: 0 });
    }
  });
});

test("a project's config file can't enable the announcement", async () => {
  const project = join(work, ".bridge-hooks.json");
  configure({ announce: "both" }, project);
  expect(await readLine({})).toBeUndefined();
  rmSync(project);
});

test("after a compaction, the announcement is repeated only to the model", async () => {
  expect(await readLine({ announce: "both" }, "resume")).toMatch(LINE);
  expect(await readLine({ announce: "both" }, "compact")).toBeUndefined();
  const { stdout } = await call(claude, (await findStart(claude, "compact")) as NativePayload);
  expect(stdout).toContain("applies to this session");
});

describe("the announcement shows", () => {
  const REST = " applies to this session, ";
  const getRest = (line: string | undefined) => line?.slice(line.indexOf(REST) + REST.length);

  test("the mode, its last day, and how many hooks or rules have a different mode", async () => {
    const mode = { mode: "observe", until: "2999-12-31", rules: { "git/*": "warn" }, hooks: { trace: "enforce" } };
    expect(getRest(await readLine({ announce: "user", mode }))).toBe(
      "mode observe until 2999-12-31 (denials are withheld; 2 hooks or rules in another mode)",
    );
    expect(getRest(await readLine({ announce: "user", mode: { rules: { "git/*": "warn" } } }))).toBe(
      "mode enforce (1 hook or rule in another mode)",
    );
  });

  test("which parts of a file are invalid", async () => {
    const file = config.replace(`${home}/`, "~/");
    const wrong = {
      announce: "users",
      log: { level: "some" },
      rules: { "a/b": 1, c: { action: "deny" } },
      exceptions: [{ rule: "a/*" }],
    };
    expect(getRest(await readLine(wrong))).toBe(
      `mode enforce; not in force: announce, log.level, rules.a/b and 1 more (invalid in ${file})`,
    );
  });

  test("which parts of a project's file are ignored, until the project is trusted", async () => {
    const project = join(work, ".bridge-hooks.json");
    configure({ rules: { "git/push-force": { action: "ask" } } }, project);
    expect(getRest(await readLine({ announce: "user" }))).toBe(
      "mode enforce; not in force: rules (this project is not trusted)",
    );
    expect(getRest(await readLine({ announce: "user", trusted: [work] }))).toBe("mode enforce");
    writeFileSync(project, "{");
    expect(getRest(await readLine({ announce: "user" }))).toContain("not in force: ~/app/.bridge-hooks.json:1:");
    rmSync(project);
  });

  test.skipIf(!hasMachine)("that a user has paused the hooks or allowed something", () => {
    const start = `printf '{"session_id":"s","transcript_path":"/t","cwd":"%s","hook_event_name":"SessionStart","source":"startup"}' "$PROJECT" | "$BRIDGE" --host claude --event SessionStart`;
    const [paused, excepted] = [
      `person confirm "$BRIDGE" pause 10m --reason outage >/dev/null`,
      `call 'git push --force' >/dev/null; person confirm "$BRIDGE" allow $(id) --reason agreed >/dev/null`,
    ].map((change) => createMachine({ announce: "user" }).run(`${change}\n${start}`).join("\n"));
    expect(paused).toMatch(/not in force: all hooks that can be paused, for 10 more min"/);
    expect(excepted).toMatch(/not in force: calls that exceptions allow: [a-z0-9]{4,16}"/);
  });
});
