import { Command } from "clipanion";
import type { ZodType } from "zod";
import type { HookSet } from "../find-hooks.ts";
import { pageText } from "./pager.ts";
import { fitToTerminal, printWarning, runWithHookIsolation, type TerminalOutput } from "./terminal.ts";

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
      this.write(formatSchema(await this.loadSchema()));
      return 0;
    } catch (error) {
      const message = `bridge-hooks: ${error instanceof Error ? error.message : String(error)}\n`;
      this.context.stderr.write(fitToTerminal(message, process.stderr));
      return 1;
    }
  }

  /** @returns the exit code. */
  abstract work(): Promise<number>;

  /** Prints data for programs, unchanged. */
  write(text: string): void {
    this.context.stdout.write(`${text}\n`);
  }

  /** Prints lines for people: none is wider than the terminal. */
  say(text = ""): void {
    this.write(fitToTerminal(text, process.stdout));
  }

  /** Prints a whole text for people, through a pager where it is longer than the screen. */
  showText(text: string): void {
    const fitted = fitToTerminal(text, process.stdout);
    if (!pageText(`${fitted}\n`)) this.write(fitted);
  }
}

type HooksWork = (hooks: HookSet, output: TerminalOutput) => Promise<number>;

/** A command that works with hooks: those in this executable, or those of the folder that --hooks names. */
export abstract class HooksCommand extends UserCommand {
  abstract hooks: string | undefined;
  /** The option --config, of commands that have it, and whose file that is. */
  declare config?: string | undefined;
  declare configScope?: string | undefined;
  /** The option --json, of commands that have it. */
  declare json?: boolean;

  /** Loads the hooks, and ends the process with the exit code that `work` returns. */
  async runWithHooks(work: HooksWork): Promise<number> {
    if (this.config === undefined && this.configScope !== undefined) throw new Error("--scope needs --config");
    const { findHooks } = await import("../find-hooks.ts");
    return runWithHookIsolation(async (output) => {
      const hooks = await findHooks(this.hooks);
      printWarning(hooks.unloaded);
      return this.config === undefined ? work(hooks, output) : this.runWithConfig(this.config, hooks, output, work);
    });
  }

  /** Runs the work as if a config file were in place. */
  private async runWithConfig(file: string, hooks: HookSet, output: TerminalOutput, work: HooksWork): Promise<number> {
    const { formatProposed, runWithProposed } = await import("../config/proposed.ts");
    const { parseConfigScope } = await import("./options.ts");
    const scope = this.configScope === undefined ? undefined : parseConfigScope(this.configScope);
    return runWithProposed({ file, scope }, hooks, (source, name) => {
      const { write, say, show } = output;
      const named: TerminalOutput = {
        ...output,
        write: (text) => write(name(text)),
        say: (text) => say(name(text)),
        show: (text) => show(name(text)),
      };
      if (!this.json) named.say(formatProposed(source));
      return work(hooks, named);
    });
  }
}
