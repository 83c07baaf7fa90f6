import { resolve } from "node:path";
import { resolveProvidedModules } from "./provided.ts";

/** Goes before the tests of hook modules: their imports lead where they do in an executable. */
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
// What the tests start is itself again.
delete process.env.BUN_BE_BUN;
