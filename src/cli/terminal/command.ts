import { Command } from "clipanion";
import type { ZodType } from "zod";
import type { HookSet } from "../find-hooks.ts";
import type { TerminalOutput } from "./terminal.ts";

/**
 * What a command does to what keeps hooks in force: it changes that, in these words that follow "it"; it writes files
 * where its arguments say; or nothing. `protect-hooks` denies agents the first, and the second where hooks would suffer.
 */
export type PolicyEffect = { readonly changes: string } | "writes" | "none";

/** A command whose errors are the user's: printed without a stack trace. */
export abstract class UserCommand extends Command {
  /** The option --schema, of commands that have it. */
  declare schema?: boolean;
  /** Loads the schema of what --json prints. */
  declare loadSchema?: () => Promise<ZodType>;

  async execute(): Promise<number> {
    try {
      if (!this.schema || !this.loadSchema) return await this.work();
      const { formatSchema } = await import("./schema.ts");
      this.say(formatSchema(await this.loadSchema()));
      return 0;
    } catch (error) {
      this.context.stderr.write(`bridge-hooks: ${error instanceof Error ? error.message : String(error)}\n`);
      return 1;
    }
  }

  /** @returns the exit code. */
  abstract work(): Promise<number>;

  say(text = ""): void {
    this.context.stdout.write(`${text}\n`);
  }
}

/** A command that works with hooks: those in this executable, or those of the folder that --hooks names. */
export abstract class HooksCommand extends UserCommand {
  abstract hooks: string | undefined;

  /** Loads the hooks, and ends the process with the exit code that `work` returns. */
  async runWithHooks(work: (hooks: HookSet, output: TerminalOutput) => Promise<number>): Promise<number> {
    const { runWithHookIsolation, printWarning } = await import("./terminal.ts");
    const { findHooks } = await import("../find-hooks.ts");
    return runWithHookIsolation(async (output) => {
      const hooks = await findHooks(this.hooks);
      printWarning(hooks.unloaded);
      return work(hooks, output);
    });
  }
}
