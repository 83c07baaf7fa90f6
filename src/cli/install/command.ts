import { formatCount, formatJson } from "../../operate/text.ts";
import { dirname } from "node:path";
import { Command, Option } from "clipanion";
import { ENFORCED_MODE_POLICY, type Mode, readModes } from "../../policy/modes.ts";
import { joinChoices } from "../../protocol/choices.ts";
import { MODES } from "../../policy/vocabulary.ts";
import { formatMode, formatModeDiff, type ModePlan, planModeChange, toModeData } from "./plan-mode.ts";
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
import { formatSetup } from "../completion/scripts.ts";
import { type PolicyEffect } from "../terminal/command.ts";
import {
  declareDryRun,
  declareEvents,
  declareHostOptions,
  declareYes,
  chooseFailurePolicy,
  explainFailurePolicy,
  parseScope,
  readHostOptions,
} from "../terminal/options.ts";
import { replanAndApply, formatPlan, formatPlanDiff, ChangeCommand } from "../terminal/setup-command.ts";
import { formatDetails } from "../terminal/details.ts";

/** The planned installation, and the result of carrying it out. A dry run has no result. */
interface InstallOutcome {
  plan: InstallPlan;
  copy: ExecutableCopy | undefined;
  mode: ModePlan | undefined;
  /** Whether the user saw and confirmed the plan. */
  wasConfirmed: boolean;
}

export class InstallCommand extends ChangeCommand {
  static override paths = [["install"]];
  static policyEffect: PolicyEffect = { changes: "changes how bridge-hooks is installed" };
  static override usage = Command.Usage({
    category: "install",
    description: "Add this executable to the hosts' configs.",
    details: formatDetails(
      [
        "Writes an entry for each event that the compiled-in hooks subscribe to, and leaves everything else in the files unchanged.",
        "A second run changes nothing; a newer or moved executable updates its own entries.",
        "If a file can't be written, install still writes the other hosts' files and exits with 1.",
      ],
      [
        "An executable inside node_modules is first copied to your programs directory, because npm may remove or replace it.",
        "--copy-to sets another directory.",
      ],
      "With --on-error deny (the default), hosts that support it block a call if a hook or this executable fails or can't start.",
      [
        "With --mode observe, nothing is denied yet: the config file stores the mode, and a call is allowed if a hook fails.",
        "To turn denials on, run install again with --mode enforce.",
        "Hooks and rules that set their own mode keep it. A mode's end date also stays if it is in the future, unless you switch to enforce.",
      ],
    ),
    examples: [
      ["Install for the current user, for every host on this machine", "bridge-hooks install"],
      ["Only log what would be denied", "bridge-hooks install --mode observe"],
      ["Copy the executable to ~/bin first (for npx)", "bridge-hooks install --copy-to ~/bin"],
      ["Install for everyone who works on a project", "bridge-hooks install --scope project --bin bridge-hooks"],
    ],
  });

  scope = Option.String("--scope", "user", {
    description: "Scope: user (default), project, local (this checkout) or managed (the whole machine)",
  });
  event = declareEvents();
  bin = Option.String("--bin", { description: "Executable to use in entries (default: this executable)" });
  copyTo = Option.String("--copy-to", {
    description: "Copy the executable to this directory first, and use the copy in entries",
  });
  onError = Option.String("--on-error", {
    description: "What to answer if a hook or the call fails: deny (default) or allow",
  });
  mode = Option.String("--mode", {
    description: "What happens to denials: observe, warn or enforce (default: from the config files)",
  });
  dryRun = declareDryRun();
  yes = declareYes();

  async work(): Promise<number> {
    const { options, mode } = await this.parseOptions();
    const { scope } = options;
    const current = await this.createInstallContext(scope);
    const copy = this.planCopy(current, scope);
    const context = copy ? { ...current, self: copy.to } : current;
    const planAgain = () => planInstall(options, context);
    const draft = await planAgain().catch((error: unknown) => this.copyWithoutHosts(copy, error));
    const mustAsk = this.mustConfirm(draft, copy?.exists === false, mode?.change !== undefined);
    if (mustAsk && !this.confirm(draft, copy, mode)) return this.reportNothingWritten();
    if (copy && !this.dryRun && draft.files.length > 0) copyExecutable(copy, process.env);
    const write = (plan: InstallPlan) => applyInstall(plan, options, context);
    const plan = this.dryRun ? draft : await replanAndApply(context, planAgain, write, mustAsk ? draft : undefined);
    const isRefused = plan.files.length === 0 && plan.problems.length > 0;
    if (mode?.change && !this.dryRun && !isRefused)
      (await import("../config/change.ts")).writePlannedChange(mode.change);
    if (this.json) this.write(formatJson(this.formatData({ plan, copy, mode }, this.dryRun ? "planned" : "done")));
    const code = this.reportProblems(plan);
    if (isRefused) return code;
    if (!this.json) this.report({ plan, copy, mode, wasConfirmed: mustAsk }, context);
    return code;
  }

  constructor() {
    super();
    Object.assign(this, declareHostOptions());
  }

  private report({ plan, copy, mode, wasConfirmed }: InstallOutcome, context: InstallContext): void {
    if (!wasConfirmed || copy?.exists === false) this.printCopy(copy, this.dryRun ? "would be copied" : "was copied");
    if (this.dryRun) {
      const diff = mode ? formatModeDiff(mode) : "";
      if (diff === "" || plan.files.some(hasFileChange)) this.write(formatPlanDiff(plan));
      if (diff !== "") this.write(diff);
      this.printAdvice(plan);
    } else {
      if (!wasConfirmed) this.printPlan(plan, mode);
      const hint = this.root === undefined ? formatDoctorHint(plan, context) : "";
      this.say(`\n${formatSummary(countChangedFiles(plan) + (mode?.change ? 1 : 0))}${hint}`);
      if (countChangedFiles(plan) > 0 && this.root === undefined) this.say(RESTART_HINT);
      if (hint !== "" && process.stdout.isTTY) this.printCompletionHint(plan, context);
    }
    if (mode) this.say(formatMode(mode, this.dryRun ? "planned" : "done"));
  }

  /** @throws Error for invalid or contradictory option values. */
  private async parseOptions(): Promise<{ options: InstallOptions; mode: ModePlan | undefined }> {
    const requestedMode = parseMode(this.mode);
    // This machine's config files don't apply to another root.
    const { general } = this.root === undefined ? await readModes() : ENFORCED_MODE_POLICY;
    const scope = parseScope(this.scope);
    if (requestedMode !== undefined && this.root !== undefined)
      throw new Error("--mode changes this machine's config file and can't be used with --root");
    const mode = requestedMode && (await planModeChange(requestedMode, scope === "managed" ? "managed" : "user"));
    return {
      options: {
        hosts: this.hostIds,
        scope,
        events: this.event,
        bin: this.bin,
        on_error: chooseFailurePolicy(this.onError, mode?.whole ?? general),
        on_error_reason: explainFailurePolicy(this.onError, mode?.whole ?? general),
        settings: readHostOptions(this),
      },
      mode,
    };
  }

  private confirm(plan: InstallPlan, copy: ExecutableCopy | undefined, mode: ModePlan | undefined): boolean {
    this.printCopy(copy, "would be copied");
    if (this.json) this.write(formatJson(this.formatData({ plan, copy, mode }, "planned")));
    else this.printPlan(plan, mode);
    if (mode && !this.json) this.say(formatMode(mode, "planned"));
    return this.confirmChange("Write this?");
  }

  /**
   * Plans the copy that entries will call, in the --copy-to directory. Without that option, a copy is made only if a
   * package manager manages the executable's directory.
   */
  planCopy({ machine, self }: InstallContext, scope: InstallOptions["scope"]): ExecutableCopy | undefined {
    const { copyTo } = this;
    if (copyTo !== undefined && this.bin !== undefined)
      throw new Error("--bin and --copy-to can't be combined; pass one of them");
    const isRequested = copyTo !== undefined || this.bin !== undefined || this.root !== undefined;
    if (copyTo === undefined && (isRequested || self === undefined || !isInPackageFolder(self))) return undefined;
    if (self === undefined)
      throw new Error(
        "--copy-to needs a built executable, but this one runs from source; build an executable and run that one",
      );
    return planCopy(self, copyTo ?? findProgramsFolder(machine, scope), machine);
  }

  /** Copies the executable as requested, even if no host is present yet. */
  private copyWithoutHosts(copy: ExecutableCopy | undefined, error: unknown): never {
    if (copy && this.copyTo !== undefined && this.yes && !this.dryRun && this.hostIds.length === 0) {
      copyExecutable(copy, process.env);
      this.printCopy(copy, "was copied");
    }
    throw error;
  }

  printCopy(copy: ExecutableCopy | undefined, message: string): void {
    if (!copy || this.json) return;
    const path = copy.onPath ? "" : `; to run it by name, add ${dirname(copy.to)} to your PATH`;
    this.say(
      copy.exists ? `The executable is ${copy.to}${path}.\n` : `The executable ${message} to ${copy.to}${path}.\n`,
    );
  }

  private printPlan(plan: InstallPlan, mode: ModePlan | undefined): void {
    this.say(formatPlan(plan.files));
    if (mode?.change) this.write(`\n${formatModeDiff(mode)}`);
    this.printAdvice(plan);
  }

  /** Suggests enabling completion if the user's shell supports it. */
  private printCompletionHint({ program }: InstallPlan, context: InstallContext): void {
    const self = resolveProgram(program, context.machine) ?? context.self;
    const setup = formatSetup(formatOwnCommand({ ...context, self }), process.env);
    if (setup !== undefined) this.say(`To enable completion in your shell:\n  ${setup}`);
  }

  private printAdvice(plan: InstallPlan): void {
    const advice = formatAdvice(plan);
    if (advice !== "") this.say(advice);
  }

  formatData({ plan, copy, mode }: Omit<InstallOutcome, "wasConfirmed">, state: "planned" | "done") {
    const { files, problems, notes, by_hand } = plan;
    return {
      ...(copy && { copied: { from: copy.from, to: copy.to, there: copy.exists } }),
      written: state === "done" && (files.some(hasFileChange) || mode?.change !== undefined),
      files: files.map((plan) => ({
        host: plan.host.id,
        scope: plan.file.scope,
        file: plan.file.path,
        changed: hasFileChange(plan),
        entries: plan.changes,
        ...(this.dryRun && { diff: hasFileChange(plan) ? formatDiff(plan) : "" }),
      })),
      ...(mode && { mode: toModeData(mode) }),
      problems,
      notes,
      by_hand,
    };
  }
}

/** Some hosts watch their config, but most read their hooks only once. */
const RESTART_HINT = "Restart the hosts that are running: most read their hooks only when a session starts.";

function parseMode(text: string | undefined): Mode | undefined {
  if (text === undefined) return undefined;
  const mode = MODES.find((candidate) => candidate === text);
  if (mode === undefined) throw new Error(`--mode must be ${joinChoices(MODES)}, not "${text}"`);
  return mode;
}

/** Formats notes and manual steps, shown before the user confirms a plan. */
function formatAdvice({ notes, by_hand }: InstallPlan): string {
  const list = (title: string, lines: readonly string[]) =>
    lines.length > 0 ? ["", title, ...lines.map((line) => `  - ${line}`)] : [];
  return [...list("Notes:", notes), ...list("Remaining steps (nothing was trusted on your behalf):", by_hand)].join(
    "\n",
  );
}

const countChangedFiles = ({ files }: InstallPlan): number => files.filter(hasFileChange).length;

function formatSummary(writtenCount: number): string {
  if (writtenCount === 0) return "No changes needed.";
  return `${formatCount(writtenCount, "file was", "files were")} written.`;
}

/** Formats advice on how to check whether the installed entries work. */
function formatDoctorHint(plan: InstallPlan, context: InstallContext): string {
  if (countChangedFiles(plan) === 0) return "";
  const command = formatOwnCommand({ ...context, self: resolveProgram(plan.program, context.machine) ?? context.self });
  return ` To check that denials take effect: ${command} doctor`;
}
