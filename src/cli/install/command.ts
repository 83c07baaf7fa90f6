import { formatCount, formatJson } from "../../operate/text.ts";
import { dirname } from "node:path";
import { Command, Option } from "clipanion";
import { ENFORCED, type Mode, type ModePolicy, readModes } from "../../policy/modes.ts";
import { MODES } from "../../policy/vocabulary.ts";
import { listModeSources } from "../../policy/sources.ts";
import { type InstallOptions, type InstallPlan, planInstall } from "./install.ts";
import { applyInstall } from "./apply.ts";
import {
  copyExecutable,
  type ExecutableCopy,
  findProgramsFolder,
  isInPackageFolder,
  planCopy,
} from "./copy-executable.ts";
import { resolveProgram } from "../../operate/machine/entry-command.ts";
import { formatOwnCommand, type InstallContext } from "../../operate/machine/install-context.ts";
import { hasFileChange, formatDiff } from "../../operate/machine/plan.ts";
import { type PolicyEffect } from "../terminal/command.ts";
import {
  declareDryRun,
  declareHostOptions,
  declareYes,
  parseFailurePolicy,
  parseScope,
  readHostOptions,
} from "../terminal/options.ts";
import { replanAndApply, formatPlan, formatPlanDiff, ChangeCommand } from "../terminal/setup-command.ts";
import { confirmWithUser } from "../terminal/confirm.ts";

/** What is reported once an installation is planned, and unless it is a trial, done. */
interface InstallOutcome {
  plan: InstallPlan;
  copy: ExecutableCopy | undefined;
  mode: Mode | undefined;
  /** Whether the user saw the plan and confirmed it. */
  wasShown: boolean;
}

export class InstallCommand extends ChangeCommand {
  static override paths = [["install"]];
  static policyEffect: PolicyEffect = { changes: "changes how bridge-hooks is installed" };
  static override usage = Command.Usage({
    category: "install",
    description: "Add this executable to the hosts' configs.",
    details: `
      Writes an entry for each event that the compiled-in hooks subscribe to, and leaves everything else in the files as it is. Run again, it changes
      nothing; with a newer or moved executable it changes its own entries. A file that can't be written is reported, and the other hosts' files are written; the exit code is 1 then.

      An executable in a node_modules folder is copied first, to your folder for programs, since another npm install may remove it; --copy-to names the folder.

      With --on-error deny (the default) a call is blocked when a hook, this executable or the start of it fails, where the host can do that.

      With --mode observe nothing is denied yet: the config file says so (\`mode\`), and failures let calls pass. Install again with --mode enforce to turn denials on.
    `,
    examples: [
      ["For every host on this machine, for you", "bridge-hooks install"],
      ["See what would be written", "bridge-hooks install --dry-run"],
      ["See for a while what would be denied", "bridge-hooks install --mode observe"],
      ["From npx, with the executable in ~/bin", "bridge-hooks install --copy-to ~/bin"],
      ["For everybody who works on a project", "bridge-hooks install --scope project --bin bridge-hooks"],
    ],
  });

  scope = Option.String("--scope", "user", {
    description: "user (default), project, local (this checkout), or managed (the whole machine)",
  });
  event = Option.Array("--event", [], {
    description: "Only this event, in its unified or its host's name, or all; may be repeated",
  });
  bin = Option.String("--bin", { description: "The executable that entries name (default: this one)" });
  copyTo = Option.String("--copy-to", {
    description: "Copy the executable to this folder first, and name the copy in entries",
  });
  onError = Option.String("--on-error", {
    description: "deny (default) or allow: when a hook or the call of it fails",
  });
  mode = Option.String("--mode", {
    description: "observe, warn or enforce: what becomes of denials (default: as the config files say)",
  });
  dryRun = declareDryRun();
  yes = declareYes();

  async work(): Promise<number> {
    const { options, mode } = this.parseOptions();
    const { scope } = options;
    if (mode !== undefined && scope !== "managed") await refuseManagedMode(mode);
    const current = this.createInstallContext(scope);
    const copy = this.planCopy(current, scope);
    const context = copy ? { ...current, self: copy.to } : current;
    const planAgain = () => planInstall(options, context);
    const draft = await planAgain();
    const asks = this.mustConfirm(draft);
    if (asks && !this.confirm(draft, copy)) return this.reportNothingWritten();
    if (copy && !this.dryRun && draft.files.length > 0) copyExecutable(copy);
    const write = (plan: InstallPlan) => applyInstall(plan, options, context);
    const plan = this.dryRun ? draft : await replanAndApply(context, planAgain, write, asks ? draft : undefined);
    if (this.json) this.say(formatJson(this.formatData(plan, copy)));
    const code = this.reportProblems(plan);
    if (plan.files.length === 0 && code !== 0) return code;
    if (mode !== undefined && !this.dryRun) await setMode(mode, scope === "managed" ? "managed" : "user");
    if (!this.json) this.report({ plan, copy, mode, wasShown: asks }, context);
    return code;
  }

  constructor() {
    super();
    Object.assign(this, declareHostOptions());
  }

  private report({ plan, copy, mode, wasShown }: InstallOutcome, context: InstallContext): void {
    if (!wasShown || copy?.there === false) this.sayCopy(copy, this.dryRun ? "would be copied" : "was copied");
    if (this.dryRun) this.printPlan(formatPlanDiff(plan), formatAdvice(plan));
    else {
      if (!wasShown) this.printPlan(formatPlan(plan.files), formatAdvice(plan));
      const hint = this.root === undefined ? formatDoctorHint(plan, context) : "";
      this.say(`\n${formatSummary(plan)}${hint}`);
    }
    if (mode !== undefined) this.sayMode(mode);
  }

  /** @throws Error for values that contradict each other or do not exist. */
  private parseOptions(): { options: InstallOptions; mode: Mode | undefined } {
    const mode = parseMode(this.mode);
    const { onError = mode === undefined || mode === "enforce" ? "deny" : "allow" } = this;
    const scope = parseScope(this.scope);
    if (mode !== undefined && this.root !== undefined)
      throw new Error("--mode is set in this machine's config file, so it can't be given with --root");
    return {
      options: {
        hosts: this.hostIds,
        scope,
        events: this.event,
        bin: this.bin,
        on_error: parseFailurePolicy(onError),
        settings: readHostOptions(this),
      },
      mode,
    };
  }

  private confirm(plan: InstallPlan, copy: ExecutableCopy | undefined): boolean {
    this.sayCopy(copy, "is copied");
    this.printPlan(formatPlan(plan.files), formatAdvice(plan));
    return confirmWithUser("Write this?");
  }

  private sayMode(mode: Mode): void {
    if (this.dryRun) this.say(`The mode would be ${mode}.`);
    else this.say(`Mode: ${mode}.${mode === "enforce" ? "" : " Nothing is denied."}`);
  }

  /** The copy that entries will name: where --copy-to says, or out of a folder that a package manager empties. */
  planCopy({ machine, self }: InstallContext, scope: InstallOptions["scope"]): ExecutableCopy | undefined {
    const { copyTo } = this;
    if (copyTo !== undefined && this.bin !== undefined)
      throw new Error("--bin and --copy-to contradict each other; pass one of them");
    const asked = copyTo !== undefined || this.bin !== undefined || this.root !== undefined;
    if (copyTo === undefined && (asked || self === undefined || !isInPackageFolder(self))) return undefined;
    if (self === undefined) throw new Error("this runs from source; build the executable, and let it copy itself");
    return planCopy(self, copyTo ?? findProgramsFolder(machine, scope), machine);
  }

  sayCopy(copy: ExecutableCopy | undefined, what: string): void {
    if (!copy || this.json) return;
    const path = copy.onPath ? "" : `; put ${dirname(copy.to)} on your PATH to type its name`;
    this.say(copy.there ? `The executable is ${copy.to}${path}.\n` : `The executable ${what} to ${copy.to}${path}.\n`);
  }

  printPlan(what: string, advice: string): void {
    this.say(advice === "" ? what : `${what}\n${advice}`);
  }

  formatData({ files, problems, notes, by_hand }: InstallPlan, copy: ExecutableCopy | undefined) {
    return {
      ...(copy && { copied: { from: copy.from, to: copy.to, there: copy.there } }),
      written: !this.dryRun && files.some(hasFileChange),
      files: files.map((plan) => ({
        host: plan.host.id,
        scope: plan.file.scope,
        file: plan.file.path,
        changed: hasFileChange(plan),
        entries: plan.changes,
        ...(this.dryRun && { diff: hasFileChange(plan) ? formatDiff(plan) : "" }),
      })),
      problems,
      notes,
      by_hand,
    };
  }
}

function parseMode(text: string | undefined): Mode | undefined {
  if (text === undefined) return undefined;
  const mode = MODES.find((one) => one === text);
  if (mode === undefined) throw new Error(`--mode takes ${MODES.join(", ")}, not "${text}"`);
  return mode;
}

/** @throws Error where the administrators' file decides the mode, and says another one. */
async function refuseManagedMode(mode: Mode): Promise<void> {
  const sources = listModeSources();
  const managed = sources.find(({ scope }) => scope === "managed");
  // A mode that users may set is whatever their file says.
  const asked: ModePolicy = managed ? await readModes([managed]) : ENFORCED;
  if (!managed || asked.users || asked.whole.mode === mode) return;
  throw new Error(
    `${managed.path} decides the mode here (${asked.whole.mode}); whoever owns it can let you set it: "mode": { "users": true }`,
  );
}

/** Writes the mode into a config file, unless it is in force already. */
async function setMode(mode: Mode, scope: "managed" | "user"): Promise<void> {
  const { whole } = await readModes();
  if (whole.mode === mode && whole.until === undefined) return;
  const { COMPILED_HOOKS } = await import("../find-hooks.ts");
  const { changeConfig } = await import("../config/change.ts");
  await changeConfig({ key: "mode", value: mode, scope }, COMPILED_HOOKS, process.cwd());
}

/** Formats what people should know about a plan before they confirm it. */
function formatAdvice({ notes, by_hand }: InstallPlan): string {
  const list = (title: string, lines: readonly string[]) =>
    lines.length > 0 ? ["", title, ...lines.map((line) => `  - ${line}`)] : [];
  return [...list("Good to know:", notes), ...list("Left to do (nothing was trusted on your behalf):", by_hand)].join(
    "\n",
  );
}

const countWritten = ({ files }: InstallPlan): number => files.filter(hasFileChange).length;

function formatSummary(plan: InstallPlan): string {
  const written = countWritten(plan);
  if (written === 0) return "Nothing to write: everything is in place.";
  return `${formatCount(written, "file was", "files were")} written.`;
}

/** For configs of this machine: how to see whether they work. */
function formatDoctorHint(plan: InstallPlan, context: InstallContext): string {
  if (countWritten(plan) === 0) return "";
  const command = formatOwnCommand({ ...context, self: resolveProgram(plan.program, context.machine) ?? context.self });
  return ` ${command} doctor shows whether a denial holds now.`;
}
