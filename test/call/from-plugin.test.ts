import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { callExecutable, folder, starterBuild } from "./executable-support.ts";
import { buildCallPayload } from "../support/fixtures.ts";
import { hosts } from "../../src/hosts/index.ts";
import type { Payload } from "../../src/protocol/host/host.ts";

/** The path to the user's settings on each host that `mdm --plugin` supports. */
const SETTINGS = { claude: ".claude/settings.json", codex: ".codex/hooks.json" };
const EVENT = "PreToolUse";
const FORCED = "git push --force origin main";

/** Creates a home directory whose settings optionally contain entries. */
function createHome(id: keyof typeof SETTINGS, more?: string): string {
  const home = mkdtempSync(join(folder, "plugin-"));
  const command = `'${starterBuild.outfile}' --host ${id} --on-error deny --event ${EVENT}${more ?? ""}`;
  const file = join(home, SETTINGS[id]);
  mkdirSync(join(file, ".."), { recursive: true });
  const hooks = more === undefined ? {} : { [EVENT]: [{ hooks: [{ type: "command", command }] }] };
  writeFileSync(file, JSON.stringify({ hooks }));
  return home;
}

const call = (home: string, id: string, payload: Payload, ...more: string[]) =>
  callExecutable(["--host", id, "--on-error", "deny", "--event", EVENT, ...more], JSON.stringify(payload), {
    executable: starterBuild.outfile,
    cwd: home,
    env: { HOME: home, XDG_STATE_HOME: join(home, "state") },
  });
const FROM = ["--from", "plugin"];

const readLog = (home: string): { id: string; decision: string; shared?: boolean; part?: string }[] => {
  const file = join(home, "state/bridge-hooks/decisions.jsonl");
  return existsSync(file)
    ? readFileSync(file, "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line))
    : [];
};
const listLines = (home: string) => readLog(home).filter(({ part }) => part === undefined);

for (const id of Object.keys(SETTINGS) as (keyof typeof SETTINGS)[]) {
  const host = hosts.find((one) => one.id === id) ?? expect.unreachable(id);
  const payload = (command: string, call_id: string) => ({
    ...buildCallPayload(id, "Bash", { command }),
    tool_use_id: call_id,
  });

  describe(`an entry of a plugin of ${host.name}`, () => {
    test("denies and logs if there is no other entry", async () => {
      const home = createHome(id);
      const { code, stdout, stderr } = await call(home, id, payload(FORCED, "one"), ...FROM);
      expect([code, `${stdout}${stderr}`]).toEqual([expect.any(Number), expect.stringContaining("--force-with-lease")]);
      expect(listLines(home).map(({ decision, shared }) => [decision, shared])).toEqual([["deny", undefined]]);
    });

    test("denies next to another plugin's entry, and each entry logs a record, if the settings have no entry", async () => {
      const home = createHome(id);
      const one = payload(FORCED, "two");
      const answers = await Promise.all([call(home, id, one, ...FROM), call(home, id, one, ...FROM)]);
      for (const { stdout, stderr } of answers) expect(`${stdout}${stderr}`).toContain("--force-with-lease");
      expect(listLines(home).map(({ decision, shared }) => [decision, shared])).toEqual([
        ["deny", undefined],
        ["deny", undefined],
      ]);
    });

    test("denies together with an entry in the settings, and both messages name the call's only log record", async () => {
      const home = createHome(id, "");
      for (const at of [0, 1, 2, 3]) {
        const one = payload(FORCED, `call-${at}`);
        const answers = await Promise.all([call(home, id, one, ...FROM), call(home, id, one)]);
        expect(answers[0]?.code).toBe(answers[1]?.code as number);
        expect(answers[0]?.stderr).toBe(answers[1]?.stderr as string);
        expect(`${answers[0]?.stdout}${answers[0]?.stderr}`).toContain("--force-with-lease");
      }
      expect(listLines(home).map(({ decision, shared }) => [decision, shared])).toEqual(
        Array.from({ length: 4 }, () => ["deny", undefined]),
      );
      expect(new Set(readLog(home).map((line) => line.id)).size).toBe(4);
    });

    test("denies and logs itself if the entry in the settings does not run", async () => {
      const home = createHome(id, "");
      const { stdout, stderr } = await call(home, id, payload(FORCED, "alone"), ...FROM);
      expect(`${stdout}${stderr}`).toContain("--force-with-lease");
      expect(listLines(home).map(({ decision, shared }) => [decision, shared])).toEqual([["deny", true]]);
    });

    test("does not treat its own command line in the settings as another entry", async () => {
      const home = createHome(id, " --from plugin");
      await call(home, id, payload(FORCED, "own"), ...FROM);
      expect(listLines(home).map(({ shared }) => shared)).toEqual([undefined]);
    });
  });
}
