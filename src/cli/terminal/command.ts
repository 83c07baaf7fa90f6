import { Command } from "clipanion";
import type { ZodType } from "zod";
import type { HookSet } from "../find-hooks.ts";
import { showInPager } from "./pager.ts";
import { wrapForTerminal, printWarning, runWithHookIsolation, type TerminalOutput } from "./terminal.ts";

/**
 * A command's effect on the hooks in force: it changes them as `changes` describes, writes files to paths from its
 * arguments, or has no effect. The `protect-hooks` hook stops agents from running commands that change hooks. It stops
 * commands that write files only if those files affect hooks.
 */
export type PolicyEffect = { readonly changes: string } | "writes" | "none";

/** A command whose errors are user errors, printed without a stack trace. */
export abstract class UserCommand extends Command {
  /** The --schema option, if the command supports it. */
  declare schema?: boolean;
  /** Loads the schema of the --json output. */
  declare loadSchema?: () => Promise<ZodType>;

  async execute(): Promise<number> {
    try {
      if (!this.schema || !this.loadSchema) return await this.work();
      const { formatSchema } = await import("./schema.ts");
      this.write(formatSchema(await this.loadSchema()));
      return 0;
    } catch (error) {
      const message = `bridge-hooks: ${error instanceof Error ? error.message : String(error)}\n`;
      this.context.stderr.write(wrapForTerminal(message, process.stderr));
      return 1;
    }
  }

  /** Runs the command. @returns The exit code. */
  abstract work(): Promise<number>;

  /** Prints data for programs, unchanged. */
  write(text: string): void {
    this.context.stdout.write(`${text}\n`);
  }

  /** Prints text for people, wrapped to the terminal's width. */
  say(text = ""): void {
    this.write(wrapForTerminal(text, process.stdout));
  }

  /** Prints a human-readable document. Uses the pager if the document is longer than the screen. */
  showText(text: string): void {
    const fitted = wrapForTerminal(text, process.stdout);
    if (!showInPager(`${fitted}\n`)) this.write(fitted);
  }
}

type WorkWithHooks = (hooks: HookSet, output: TerminalOutput) => Promise<number>;

/** A command that works with hooks: the compiled-in hooks, or the hooks in the --hooks directory. */
export abstract class HooksCommand extends UserCommand {
  abstract hooks: string | undefined;
  /** The --config and --scope options, if the command supports them. */
  declare config?: string | undefined;
  declare configScope?: string | undefined;
  /** The --json option, if the command supports it. */
  declare json?: boolean;

  /** Loads the hooks, runs `work`, and ends the process with the returned exit code. */
  async runWithHooks(work: WorkWithHooks): Promise<number> {
    if (this.config === undefined && this.configScope !== undefined) throw new Error("--scope needs --config");
    const { findHooks } = await import("../find-hooks.ts");
    return runWithHookIsolation(async (output) => {
      const hooks = await findHooks(this.hooks);
      printWarning(hooks.unloaded);
      return this.config === undefined ? work(hooks, output) : this.runWithConfig(this.config, hooks, output, work);
    });
  }

  /** Runs `work` with a proposed config file in effect. */
  private async runWithConfig(
    file: string,
    hooks: HookSet,
    output: TerminalOutput,
    work: WorkWithHooks,
  ): Promise<number> {
    const { formatProposedFile: formatProposed, runWithProposedFile: runWithProposed } =
      await import("../config/proposed.ts");
    const { parseConfigScope } = await import("./options.ts");
    const scope = this.configScope === undefined ? undefined : parseConfigScope(this.configScope);
    return runWithProposed({ file, scope }, hooks, (source, name) => {
      const { write, say, show } = output;
      const outputWithNote: TerminalOutput = {
        ...output,
        write: (text) => write(name(text)),
        say: (text) => say(name(text)),
        show: (text) => show(name(text)),
      };
      if (!this.json) outputWithNote.say(formatProposed(source));
      return work(hooks, outputWithNote);
    });
  }
}
