import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createCallIndex } from "../../../src/call/screen/call-index.ts";
import { openModuleSystem } from "../../../src/system/module-system.ts";
import { openQuickSystem } from "../../../src/system/quick-system.ts";
import type { QuickSystem } from "../../../src/system/quick-types.ts";
import { buildOrdinaryPaths, buildOrdinaryTexts } from "../../score/ordinary/files.ts";
import { buildOrdinaryLines } from "../../score/ordinary/lines.ts";
import { omitNulls } from "../../../src/protocol/object.ts";
import { createProject } from "../../score/project.ts";
import { changeRecordedCall, fixtures, ROOT } from "../../support/fixtures.ts";
import { answerQuickly, loadStarterHooks } from "./differential.ts";

/** One in this many calls is compared. */
const SHARE = 10;
const PAGE = join(ROOT, "docs/contributing/lab.md");
const system = openQuickSystem();

test.skipIf(!system)(
  "the quick path answers as many recorded and ordinary calls as the documentation states",
  async () => {
    const project = createProject();
    try {
      const index = createCallIndex(await loadStarterHooks());
      const isTaken = async (host: string, payload: object, by = system as QuickSystem, event?: string) => {
        const text = JSON.stringify(payload);
        // The test runner's own environment variables could affect a hook.
        const env = { HOME: project.home };
        return (
          (await answerQuickly(["--host", host, ...(event ? ["--event", event] : [])], text, index, by, env)) !==
          undefined
        );
      };
      const createCall = (tool: string, input: object) => ({
        host: "claude",
        payload: { ...changeRecordedCall("claude", tool, input), cwd: project.cwd },
      });
      const groups: Record<string, { host: string; payload: object; event?: string | undefined }[]> = {
        "recorded payloads": fixtures.map(({ host, payload }) => ({
          host: host.id,
          payload,
          // If the payload doesn't name the event, the entries that `install` writes do.
          event: "hook_event_name" in payload || "event" in payload ? undefined : host.getEventName(omitNulls(payload)),
        })),
        "shell commands": [...buildOrdinaryLines()].flatMap(([, lines]) =>
          lines.map((command) => createCall("Bash", { command })),
        ),
        reads: buildOrdinaryPaths().map((path) => createCall("Read", { file_path: path.replace(/^~/, project.home) })),
        writes: buildOrdinaryTexts().map(({ path, text }) => createCall("Write", { file_path: path, content: text })),
      };
      const other = openModuleSystem() as QuickSystem;
      const page = readFileSync(PAGE, "utf8");
      for (const [name, calls] of Object.entries(groups)) {
        const taken = await Promise.all(
          calls.map(({ host, payload, event }) => isTaken(host, payload, undefined, event)),
        );
        // With `node:fs`, which is used on macOS, the quick path answers the same calls.
        const some = calls.flatMap((call, at) => (at % SHARE === 0 ? [{ ...call, at }] : []));
        const again = await Promise.all(some.map(({ host, payload, event }) => isTaken(host, payload, other, event)));
        expect(again).toEqual(some.map(({ at }) => taken[at] as boolean));
        const percent = Math.round((taken.filter(Boolean).length / calls.length) * 100);
        expect(page).toContain(`${percent}% of ${calls.length.toLocaleString("en")} ${name}`);
      }
    } finally {
      project.remove();
    }
  },
);
