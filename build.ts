import { main } from "./src/cli/main.ts";

// npm runs this in the project's folder, wherever it was called: paths are the caller's.
process.chdir(process.env.INIT_CWD ?? ".");
process.exit(await main(["build", "--home", import.meta.dir, ...process.argv.slice(2)]));
