import type { HookEntry } from "../core/hook.ts";
import { finish, guardStdout, readStdin } from "./io.ts";
import type { AnyOptions } from "./options.ts";
import { respond } from "./run.ts";

/** One hook call of this process, from its stdin to its end. */
export async function call(entries: readonly HookEntry[], options: AnyOptions, argv: readonly string[], stdin?: string): Promise<never> {
  const world = {
    // Made when somebody asks: most calls need no variable.
    get env() {
      return process.env;
    },
    read: stdin === undefined ? readStdin : () => stdin,
  };
  guardStdout();
  return finish(await respond(entries, options, argv, world));
}
