import { UnavailableError } from "../../release/debian-packages.ts";
import { fetchProgram, findProgram, PROGRAM_NAMES, PROGRAMS_VARIABLE } from "./programs.ts";

// Downloads what the tests in this directory need, and runs them: npm run programs.
for (const name of PROGRAM_NAMES) {
  if (findProgram(name)) continue;
  try {
    await fetchProgram(name);
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    console.error(`programs: ${name} can't be downloaded, so its tests are skipped: ${error.message}`);
  }
}
const argv = [process.execPath, "test", import.meta.dir, "--timeout", "600000"];
const env = { ...process.env, [PROGRAMS_VARIABLE]: "1" };
process.exit(await Bun.spawn(argv, { env, stdio: ["ignore", "inherit", "inherit"] }).exited);
