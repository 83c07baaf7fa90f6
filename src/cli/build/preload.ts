import { resolve } from "node:path";
import { resolveProvidedModules } from "./provided.ts";

/** Preloaded before the tests of hook modules, so that their imports resolve as they do in an executable. */
Bun.plugin({
  name: "bridge-hooks",
  setup(builder) {
    for (const [specifier, file] of resolveProvidedModules(process.cwd(), resolve(import.meta.dir, "../../..")))
      builder.module(specifier, async () => ({
        exports: (await import(file)) as Record<string, unknown>,
        loader: "object",
      }));
  },
});
// Without this variable, what the tests start runs as bridge-hooks, not as Bun.
delete process.env.BUN_BE_BUN;
