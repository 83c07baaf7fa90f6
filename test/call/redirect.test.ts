import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-redirect-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("if stdout can't be moved, hook output goes to stderr and the answer to stdout", () => {
  writeFileSync(
    join(folder, "hook.ts"),
    `import fs from "node:fs";
export async function print() {
  console.log("1");
  process.stdout.write("2\\n");
  fs.writeSync(1, "3\\n");
  require("node:fs").writeSync(1, "4\\n");
  fs.writeFileSync(1, "5\\n");
  await Bun.write(Bun.stdout, "6\\n");
  const writer = Bun.stdout.writer();
  writer.write("7\\n");
  await writer.end();
  await new Promise((done) => fs.write(1, "8\\n", done));
}
`,
  );
  const script = join(folder, "main.ts");
  writeFileSync(
    script,
    `Object.defineProperty(process, "platform", { value: "win32" });
const { guardStdout, writeAnswerAndExit } = await import(${JSON.stringify(join(import.meta.dir, "../../src/call/process/io.ts"))});
guardStdout();
await (await import("./hook.ts")).print();
writeAnswerAndExit({ stdout: "{}", stderr: "", exit_code: 0 });
`,
  );
  const { stdout, stderr, exitCode } = Bun.spawnSync([process.execPath, script]);
  expect([stdout.toString(), stderr.toString().split("\n").sort().join(""), exitCode]).toEqual(["{}\n", "12345678", 0]);
});
