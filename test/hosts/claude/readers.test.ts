import { describe, expect, test } from "bun:test";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import {
  createFolder,
  createMachine,
  expectSoundFindings,
  summarizeFindings,
  writeTestFile,
} from "../check-support.ts";

/** Creates a machine with our entry in the user's settings. */
function plant(options = {}) {
  const made = createMachine("claude", options);
  writeTestFile(made.pathOf("user"), { hooks: { PreToolUse: [{ hooks: [made.ours("PreToolUse")] }] } });
  return made;
}

describe("doctor for claude, on a machine with a program documented to read the same settings", () => {
  const note = ["note documented-reader"];
  const withDevin = (config: object | undefined, options = {}) => {
    const made = plant(options);
    if (config) writeTestFile(join(made.pathOf("user"), "../../.config/devin/config.json"), config);
    return made;
  };
  test("names it by its directory", async () => {
    const findings = await withDevin({ agent: {} }).examine({ version: "2.1.332" });
    expect(summarizeFindings(findings)).toEqual(note);
    expect(findings[0]?.what).toMatch(/^Devin CLI is installed here, .* the entries in .*settings\.json$/);
    expect(findings[0]?.impact).toContain("this combination is untested");
    expectSoundFindings(findings);
  });
  test("names it by its program", async () => {
    const folder = createFolder();
    writeTestFile(join(folder, "devin"), "#!/bin/sh\n");
    chmodSync(join(folder, "devin"), 0o755);
    const made = withDevin(undefined, { env: { PATH: folder } });
    expect(summarizeFindings(await made.examine({ version: "2.1.332" }))).toEqual(note);
  });
  test("does not name it if its config keeps it from these settings", async () => {
    for (const [claude, expected] of [
      [false, []],
      [true, note],
      [null, note],
    ] as const) {
      const made = withDevin({ read_config_from: { claude } });
      expect(summarizeFindings(await made.examine({ version: "2.1.332" }))).toEqual([...expected]);
    }
  });
  test("does not name it without an entry of ours", async () => {
    const made = createMachine("claude", {});
    writeTestFile(made.pathOf("user"), {});
    writeTestFile(join(made.pathOf("user"), "../../.config/devin/config.json"), {});
    expect(summarizeFindings(await made.examine({ version: "2.1.332" }))).toEqual([]);
  });
});
