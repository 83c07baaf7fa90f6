import { BuildCommand } from "./src/cli/build/command.ts";
import { main } from "./src/cli/main.ts";

BuildCommand.home = import.meta.dir;
// npm runs this in the project's folder, wherever it was called: paths are the caller's.
process.chdir(process.env.INIT_CWD ?? ".");
process.exit(await main(["build", ...process.argv.slice(2)]));
