import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createCallIndex } from "../../../src/run/quick/call-index.ts";
import { openQuickSystem } from "../../../src/run/quick/system.ts";
import { buildOrdinaryPaths, buildOrdinaryTexts } from "../../score/ordinary/files.ts";
import { buildOrdinaryLines } from "../../score/ordinary/lines.ts";
import { createProject } from "../../score/project.ts";
import { buildCallPayload, fixtures, ROOT } from "../../support/fixtures.ts";
import { answerQuickly, loadStarterHooks } from "./differential.ts";

const PAGE = join(ROOT, "docs/contributing/performance.md");
const system = openQuickSystem();

test.skipIf(!system)(
  "the quick look ends as many recorded and ordinary calls as the documentation says",
  async () => {
    if (!system) return;
    const project = createProject();
    try {
      const index = createCallIndex(await loadStarterHooks());
      const createCall = (tool: string, input: object) => ({
        host: "claude",
        payload: { ...buildCallPayload("claude", tool, input), cwd: project.cwd },
      });
      const groups = {
        "recorded payloads": fixtures.map(({ host, payload }) => ({ host: host.id, payload })),
        "shell lines": [...buildOrdinaryLines()].flatMap(([, lines]) =>
          lines.map((command) => createCall("Bash", { command })),
        ),
        reads: buildOrdinaryPaths().map((path) => createCall("Read", { file_path: path.replace(/^~/, project.home) })),
        writes: buildOrdinaryTexts().map(({ path, text }) => createCall("Write", { file_path: path, content: text })),
      };
      const page = readFileSync(PAGE, "utf8");
      for (const [name, calls] of Object.entries(groups)) {
        const answers = await Promise.all(
          calls.map(({ host, payload }) => answerQuickly(["--host", host], JSON.stringify(payload), index, system)),
        );
        const percent = Math.round((answers.filter((answer) => answer !== undefined).length / calls.length) * 100);
        expect(page).toContain(`${percent} % of ${calls.length.toLocaleString("en")} ${name}`);
      }
    } finally {
      project.remove();
    }
  },
  60_000,
);
