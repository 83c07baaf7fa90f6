import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runProgram } from "../../src/hosts/run-program.ts";
import { hosts } from "../../src/hosts/index.ts";
import { EXECUTABLE, getGateEvent } from "../support/fixtures.ts";

// Tests the built executable on any system with a recorded tool call from each host.

const home = mkdtempSync(join(tmpdir(), "bridge-hooks-hosts-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Environment of a user without a config, including the variables Windows needs. */
const env = {
  ...{ PATH: process.env.PATH, SystemRoot: process.env.SystemRoot, TEMP: home, TMPDIR: home },
  ...{ HOME: home, USERPROFILE: home, APPDATA: home, LOCALAPPDATA: home, ProgramData: home },
};

const LINES = [
  ["git push --force origin main", "denied"],
  ["git status", "passed"],
] as const;

for (const host of hosts)
  describe(`a recorded shell call of ${host.name}`, () =>
    test.each(LINES)("%s is %s", async (command, kind) => {
      const { getProbePayload, judgeAnswer } = await host.loadDoctor();
      const event = getGateEvent(host.id);
      const stdin = JSON.stringify(getProbePayload(event, command));
      expect(stdin).toContain(command);
      const argv = [EXECUTABLE, "--host", host.id, "--event", event];
      const result = await runProgram({ argv, cwd: home, env, stdin });
      expect(judgeAnswer(event, result, {})).toEqual({ kind });
      if (kind === "denied") expect(result.stdout + result.stderr).toContain("git/push-force");
      else expect(result.stderr).toBe("");
    }));
