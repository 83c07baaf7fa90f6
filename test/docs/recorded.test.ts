import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { placeExecutable } from "../support/executables.ts";
import { getPayload } from "../support/fixtures.ts";
import { RECORDING_PAGE } from "../../tools/docs/generate.ts";
import { removeMeasurements, recordLines, extractRecording, extractTypedLines } from "../../tools/docs/recording.ts";

const GUIDE = readFileSync(RECORDING_PAGE, "utf8");
const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-readme-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the recorded session in the guide to a first hook", () => {
  test("matches the output of its commands with only the executable, and its result denies on three hosts", async () => {
    const executable = join(folder, "bridge-hooks");
    await placeExecutable("hooks", executable);
    const lines = extractTypedLines(GUIDE);
    expect(lines.map((line) => line.split(" ")[1]).slice(0, 4)).toEqual(["init", "try", "test", "build"]);
    // The built executable denies on three hosts. Stderr is open here; if it were closed, Codex would read the denial
    // from the document, and the exit code would be 0.
    const calls = ["claude", "cursor", "codex"].map((host) => {
      const file = { claude: "PreToolUse-Bash", cursor: "beforeShellExecution", codex: "PreToolUse-Bash" }[
        host
      ] as string;
      const command = { command: "cd dist && sudo npm publish" };
      const payload = getPayload(host, file, host === "cursor" ? command : { tool_input: command });
      return `echo '${JSON.stringify(payload).replaceAll("'", "'\\''")}' | ./guard --host ${host}; echo "exit code $?"`;
    });
    const recording = recordLines(executable, [...lines, ...calls]);
    const [shown, denied] = [
      recording.slice(0, recording.indexOf(`\n$ ${calls[0]}`)),
      recording.slice(recording.indexOf(`\n$ ${calls[0]}`)),
    ];
    expect(removeMeasurements(shown).trim()).toBe(removeMeasurements(extractRecording(GUIDE)).trim());
    expect(denied.match(/^exit code .*$/gm)).toEqual(["exit code 2", "exit code 0", "exit code 2"]);
    expect(denied).toContain('{"permission":"deny"');
  });
});
