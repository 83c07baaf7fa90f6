import { BuildCommand } from "./src/cli/build/command.ts";
import { main } from "./src/cli/main.ts";

BuildCommand.home = import.meta.dir;
// npm runs this script in the package directory; resolve paths against the directory npm was called from.
process.chdir(process.env.INIT_CWD ?? ".");
process.exit(await main(["build", ...process.argv.slice(2)]));
