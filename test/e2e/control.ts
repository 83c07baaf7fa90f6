/** A guard compiled without hardening, which denies every call. */
import { readFileSync, writeSync } from "node:fs";
import { createInterface } from "node:readline";

const NO = "no, says the guard";

if (process.argv[2] === "serve") {
  for await (const line of createInterface({ input: process.stdin })) {
    writeSync(1, `${JSON.stringify({ id: JSON.parse(line).id, exit_code: 2, stderr: NO, answer: null })}\n`);
  }
  process.exit(0);
}
// Cline ignores the exit code and reads only the JSON answer.
if (readFileSync(0, "utf8").includes('"clineVersion"'))
  writeSync(1, JSON.stringify({ cancel: true, errorMessage: NO }));
writeSync(2, `${NO}\n`);
process.exit(2);
