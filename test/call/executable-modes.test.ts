import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { completeEvent } from "../../src/author/testing/event.ts";
import { hosts } from "../../src/hosts/index.ts";
import { pickCell } from "../../src/protocol/capability.ts";
import { getCapabilityRow, type Host } from "../../src/protocol/host/host.ts";
import { EXECUTABLE, getGateEvent } from "../support/fixtures.ts";

const home = realpathSync(mkdtempSync(join(tmpdir(), "bridge-hooks-modes-")));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const work = join(home, "work");
const user = join(home, process.platform === "win32" ? "AppData/Roaming" : ".config", "bridge-hooks/config.json");
for (const folder of [work, dirname(user)]) mkdirSync(folder, { recursive: true });
const project = join(work, ".bridge-hooks.json");

const setMode = (mode: unknown) => writeFileSync(user, JSON.stringify({ mode }));

interface ToldHost {
  decision: string | undefined;
  /** Everything the host received. */
  told: string;
  exit_code: number;
}

/** Runs the built executable for a shell command and returns how the host interprets its answer. */
async function askExecutable(host: Host, command: string, payload?: string): Promise<ToldHost> {
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
      stdin: Buffer.from(payload ?? JSON.stringify(sent.payload)),
    },
  );
  const told = { told: `${stdout}${stderr}`, exit_code: exitCode };
  try {
    const { decision } = codec.parseAnswer(sent, { stdout: `${stdout}`, stderr: `${stderr}`, exit_code: exitCode });
    return { decision, ...told };
  } catch {
    // The call fails but is allowed.
    return { decision: undefined, ...told };
  }
}

const RESTRICTS = ["deny", "ask"];
const isRestricted = ({ decision = "", exit_code }: ToldHost) => RESTRICTS.includes(decision) || exit_code === 2;

const DENIED = "git push --force";
/** A command that turns off the host's hooks, denied by `protect-hooks`. */
const GUARDED = "bridge-hooks uninstall";
const UNREADABLE = "{ this is not a payload";

describe.each(hosts)("as a hook of $id,", (host) => {
  test("mode observe withholds denials and failures without a message", async () => {
    setMode("observe");
    const seen = await askExecutable(host, DENIED);
    expect([isRestricted(seen), seen.told.trim()]).toEqual([false, host.neutralOutput]);
    expect(isRestricted(await askExecutable(host, DENIED, UNREADABLE))).toBe(false);
    // An unparsable command makes the hook fail, and this hook's own failure policy is "deny".
    expect(isRestricted(await askExecutable(host, `git push 'unclosed --force`))).toBe(false);
  });

  test("every mode enforces the protection of the policy itself", async () => {
    for (const mode of [
      "observe",
      { mode: "warn", hooks: { "protect-hooks": "observe" }, rules: { "*": "observe" } },
    ]) {
      setMode(mode);
      expect(isRestricted(await askExecutable(host, GUARDED))).toBe(true);
    }
  });

  test("mode warn allows a denied call and names the rule", async () => {
    setMode("warn");
    const seen = await askExecutable(host, DENIED);
    // If the host shows no message before a call, the rule is named only in the log.
    const { support } = pickCell(getCapabilityRow(host, getGateEvent(host.id)).user_message, undefined);
    expect([isRestricted(seen), support === "drop" || seen.told.includes("git/push-force")]).toEqual([false, true]);
  });

  test("a rule whose action is warn allows its calls and names itself; mode observe silences it", async () => {
    const rules = {
      "git/push-force": { action: "warn" },
      "acme/files": { path: "vault/**", access: "edit", reason: "it is kept", action: "warn" },
    };
    const { support } = pickCell(getCapabilityRow(host, getGateEvent(host.id)).user_message, undefined);
    for (const [command, rule] of [
      [DENIED, "git/push-force"],
      ["echo x > vault/a", "acme/files"],
    ] as const) {
      writeFileSync(user, JSON.stringify({ rules }));
      const seen = await askExecutable(host, command);
      expect([isRestricted(seen), support === "drop" || seen.told.includes(rule)]).toEqual([false, true]);
      writeFileSync(user, JSON.stringify({ rules, mode: "observe" }));
      const silenced = await askExecutable(host, command);
      expect([isRestricted(silenced), silenced.told.trim()]).toEqual([false, host.neutralOutput]);
    }
  });

  test("mode enforce, no mode or an invalid mode denies", async () => {
    const VOID = [
      "enforce",
      "observ",
      5,
      { mode: "observe", until: "soon" },
      { mode: "observe", until: "2026-01-01" },
      {},
    ];
    for (const mode of VOID) {
      setMode(mode);
      expect([mode, isRestricted(await askExecutable(host, DENIED))]).toEqual([mode, true]);
    }
    expect(isRestricted(await askExecutable(host, DENIED, UNREADABLE))).toBe(true);
  });

  test("a mode applies to one hook or one rule if it names that hook or rule", async () => {
    setMode({ hooks: { "block-destructive": { mode: "observe", until: "2999-01-01" } } });
    expect(isRestricted(await askExecutable(host, DENIED))).toBe(false);
    setMode({ mode: "observe", rules: { "git/*": "enforce" } });
    expect(isRestricted(await askExecutable(host, DENIED))).toBe(true);
    expect(isRestricted(await askExecutable(host, "terraform destroy"))).toBe(false);
    setMode({ rules: { "git/push-force": "observe" } });
    expect(isRestricted(await askExecutable(host, DENIED))).toBe(false);
    expect(isRestricted(await askExecutable(host, "git reset --hard"))).toBe(true);
  });

  test("a mode in a project's config has no effect", async () => {
    setMode("enforce");
    writeFileSync(project, JSON.stringify({ mode: "observe" }));
    expect(isRestricted(await askExecutable(host, DENIED))).toBe(true);
    rmSync(project);
  });
});

test("in mode observe, the log contains the withheld denial", async () => {
  const [host] = hosts;
  if (!host) throw new Error("there is no host");
  const file = join(home, "state/bridge-hooks/decisions.jsonl");
  const readLast = () => JSON.parse(readFileSync(file, "utf8").trimEnd().split("\n").at(-1) ?? "");
  setMode("observe");
  await askExecutable(host, DENIED);
  expect(readLast()).toMatchObject({ decision: "none", wanted: "deny", mode: "observe", rule: "git/push-force" });
  setMode("enforce");
  await askExecutable(host, DENIED);
  expect(readLast()).toMatchObject({ decision: "deny", mode: "enforce", rule: "git/push-force" });
  expect(readLast().wanted).toBeUndefined();
});
