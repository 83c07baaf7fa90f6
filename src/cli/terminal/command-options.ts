import { isDeepStrictEqual } from "node:util";
import { Command, Option } from "clipanion";
import type { Host } from "../../protocol/host/host.ts";
import { suggestName } from "../../protocol/name-suggestions.ts";
import { INSTALL_SCOPES, type InstallScope } from "../../protocol/host/install.ts";
import { hosts } from "../../hosts/index.ts";
import { entries } from "../../call/built/hooks.ts";
import { readOptions } from "../../call/options.ts";
import { CONFIG_SCOPES, type ConfigScope } from "../../policy/sources.ts";
import { resolveMachineContext, type InstallContext } from "../../operate/machine/install-context.ts";
import type { FilePlan, PlanProblem } from "../../operate/machine/plan.ts";
import { withInstallLock } from "../../operate/machine/receipts.ts";

/** This executable; undefined in a run from source. */
export const ownExecutable = /^(\/\$bunfs\/|[A-Z]:[\\/]~BUN[\\/])/i.test(Bun.main) ? process.execPath : undefined;

/**
 * What a command does to what keeps hooks in force: it changes that, in these words that follow "it"; it writes files
 * where its arguments say; or nothing. `protect-hooks` denies agents the first, and the second where hooks would suffer.
 */
export type PolicyEffect = { readonly changes: string } | "writes" | "none";

/** A command whose errors are the user's: printed without a stack trace. */
export abstract class UserCommand extends Command {
  async execute(): Promise<number> {
    try {
      return await this.work();
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

/**
 * Looks up hosts by their ids; one text may name several.
 * @throws Error for an unknown id.
 */
export function requireHosts(ids: readonly string[]): Host[] {
  const all = hosts.map(({ id }) => id);
  const named = new Set(ids.flatMap((id) => id.split(",")).filter(Boolean));
  return [...named].map((id) => {
    const host = hosts.find((one) => one.id === id);
    if (!host) throw new Error(`unknown host "${id}"${suggestName(id, all) || `; known: ${all.join(", ")}`}`);
    return host;
  });
}

/**
 * Formats the flags of a hook call that were typed.
 * @throws Error if a hook call would not accept them.
 */
export function formatCallFlags({ onError, timeoutMs }: { onError?: string; timeoutMs?: string }): string[] {
  const flags = [
    ...(onError === undefined ? [] : ["--on-error", onError]),
    ...(timeoutMs === undefined ? [] : ["--timeout-ms", timeoutMs]),
  ];
  const { problem } = readOptions(flags, {}, []);
  if (problem) throw new Error(problem.replace(/; see .*$/, ""));
  return flags;
}

/** The options that the commands about installations share. */
export abstract class SetupCommand extends UserCommand {
  host = Option.Array("--host", [], {
    description: `A host: ${hosts.map(({ id }) => id).join(", ")} or auto (those on this machine); may be repeated`,
  });
  root = Option.String("--root", {
    description: "Instead of the home folder (user), the project (project, local) or / (managed)",
  });
  json = Option.Boolean("--json", false, { description: "As JSON" });

  reportNothingWritten(): number {
    this.say("Nothing was written.");
    return 1;
  }

  get hostIds(): string[] {
    return this.host.flatMap((ids) => ids.split(",")).filter(Boolean);
  }

  createInstallContext(scope: InstallScope | undefined): InstallContext {
    return { machine: resolveMachineContext(this.root, scope), entries, self: ownExecutable };
  }
}

export function parseScope(text: string): InstallScope {
  if (!(INSTALL_SCOPES as readonly string[]).includes(text))
    throw new Error(
      `unknown scope "${text}"${suggestName(text, INSTALL_SCOPES) || `; known: ${INSTALL_SCOPES.join(", ")}`}`,
    );
  return text as InstallScope;
}

export function parseConfigScope(text: string): ConfigScope {
  if (!(CONFIG_SCOPES as readonly string[]).includes(text))
    throw new Error(
      `unknown scope "${text}" of config files${suggestName(text, CONFIG_SCOPES) || `; known: ${CONFIG_SCOPES.join(", ")}`}`,
    );
  return text as ConfigScope;
}

const CHANGE_SIGNS = { add: "+", change: "~", remove: "-", keep: "=" } as const;

/** Formats a plan for people. */
export const formatPlan = (files: readonly FilePlan[]): string =>
  files
    .map(({ host, file, changes, found, after }) => {
      const what =
        found.text === after
          ? "nothing to do"
          : after === undefined
            ? "the file is deleted: nothing else is in it"
            : found.text === undefined
              ? "a new file"
              : "";
      const lines = changes.flatMap(({ change, native_event, matcher, was }) => [
        `  ${CHANGE_SIGNS[change]} ${native_event}${matcher && matcher !== "*" ? ` (${matcher})` : ""}`,
        ...(was === undefined ? [] : [`      was: ${was}`]),
      ]);
      return [`${host.name}, ${file.scope}: ${file.path}${what && ` (${what})`}`, ...lines].join("\n");
    })
    .join("\n");

export const formatPlanProblems = (problems: readonly PlanProblem[]): string =>
  problems.map(({ host, message }) => `bridge-hooks: ${host}: ${message}\n`).join("");

/** Asks the user; anything but yes counts as no. */
export const confirmWithUser = (question: string): boolean =>
  /^\s*y(es)?\s*$/i.test(prompt(`\n${question} [y/N]`) ?? "");

/** Whether a person is there to answer a question. */
export const isInteractive = (): boolean => process.stdin.isTTY === true && process.stdout.isTTY === true;

interface ChangePlan {
  files: readonly FilePlan[];
  problems: readonly PlanProblem[];
}

/**
 * Plans again while no other installation of this user runs, and applies that plan.
 * @param shown the plan that a person confirmed: if the new plan differs, nothing is written.
 */
export const replanAndApply = <P extends ChangePlan>(
  context: InstallContext,
  plan: () => Promise<P>,
  write: (plan: P) => void,
  shown?: P,
): Promise<P> =>
  withInstallLock(context.machine.env, async () => {
    const now = await plan();
    const texts = ({ files }: ChangePlan) => files.map(({ file, found, after }) => [file.path, found.text, after]);
    if (shown && !isDeepStrictEqual(texts(now), texts(shown)))
      throw new Error("a config changed while the question was open, so nothing was written; run it again");
    if (now.problems.length === 0) write(now);
    return now;
  });
