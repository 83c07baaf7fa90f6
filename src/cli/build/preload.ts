import { resolve } from "node:path";
import { provideModules } from "./provided.ts";

/** Preloaded before the tests of hook modules, so that their imports resolve as they do in an executable. */
provideModules(process.cwd(), resolve(import.meta.dir, "../../.."));
// Without this variable, what the tests start runs as bridge-hooks, not as Bun.
delete process.env.BUN_BE_BUN;
