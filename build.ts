import { BuildCommand } from "./src/cli/build/command.ts";
import { main } from "./src/cli/main.ts";

BuildCommand.home = import.meta.dir;
// npm always runs this in the package directory; paths are relative to the directory that npm was called from.
process.chdir(process.env.INIT_CWD ?? ".");
process.exit(await main(["build", ...process.argv.slice(2)]));
