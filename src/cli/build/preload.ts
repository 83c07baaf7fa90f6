import { resolve } from "node:path";
import { provideModules } from "./provided.ts";

/** Preloaded before hook tests, so that imports resolve as in an executable. */
provideModules(process.cwd(), resolve(import.meta.dir, "../../.."));
// Unset the variable, so that executables started by the tests run as bridge-hooks, not as Bun.
delete process.env.BUN_BE_BUN;
