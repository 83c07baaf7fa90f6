import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Hook } from "../../src/protocol/hook.ts";
import type { IHookResponse } from "../../src/protocol/response.ts";
import { ROOT } from "../support/fixtures.ts";
import { buildHarmfulLines } from "./harmful/lines.ts";
import { buildSecretPaths } from "./harmful/paths.ts";
import { buildOrdinaryPaths, buildOrdinaryTexts } from "./ordinary/files.ts";
import { buildOrdinaryLines } from "./ordinary/lines.ts";
import { createProject, type ScoreProject } from "./project.ts";
import { buildSecretTexts } from "./secret-forms.ts";

const GUARDS = ["block-destructive", "protect-secrets", "protect-hooks"];
const BASELINE_FILE = join(import.meta.dir, "baseline.json");
/** A sample takes one in this many calls. */
const SAMPLE_STEP = 11;

/** A call, and how it's shown in the report. */
interface ScoredCall {
  shown: string;
  tool: string;
  input: object;
}

interface Category {
  name: string;
  /** Whether the category's calls should be denied. */
  harmful: boolean;
  calls: readonly ScoredCall[];
}

/** Results for the calls in a category. */
export interface CategoryScore {
  lines: number;
  denied: number;
}

interface Mistake {
  category: string;
  harmful: boolean;
  shown: string;
  /** Why the call was denied. */
  reason?: string;
}

/** Scores, keyed by category. A denial is a false alarm on an ordinary call, and correct on a harmful one. */
export interface Score {
  ordinary: Record<string, CategoryScore>;
  harmful: Record<string, CategoryScore>;
}

const toShellCall = (command: string): ScoredCall => ({ shown: command, tool: "Bash", input: { command } });
const toWriteCall = (path: string, text: string, shown = path): ScoredCall => ({
  shown,
  tool: "Write",
  input: { file_path: path, content: text },
});

async function buildCategories({ home }: ScoreProject): Promise<Category[]> {
  const toReadCall = (path: string): ScoredCall => ({
    shown: path,
    tool: "Read",
    input: { file_path: path.replace(/^~/, home) },
  });
  const categories: Category[] = [];
  for (const [name, lines] of buildOrdinaryLines())
    categories.push({ name, harmful: false, calls: lines.map(toShellCall) });
  categories.push({
    name: "paths",
    harmful: false,
    calls: buildOrdinaryPaths().map(toReadCall),
  });
  categories.push({
    name: "texts",
    harmful: false,
    calls: buildOrdinaryTexts().map(({ path, text }) => toWriteCall(path, text, `${path}, ${text.length} characters`)),
  });
  for (const [name, lines] of buildHarmfulLines())
    categories.push({ name, harmful: true, calls: lines.map(toShellCall) });
  categories.push({ name: "secret-paths", harmful: true, calls: buildSecretPaths().map(toReadCall) });
  categories.push({
    name: "secret-texts",
    harmful: true,
    // Show the issuer instead of the secret, which is of no use to a reader and must not appear in a log.
    calls: (await buildSecretTexts()).map(({ issuer, text }) => toWriteCall("src/settings.ts", text, issuer)),
  });
  return categories;
}

/** Loads the built-in hooks that deny calls. Must be called after the home directory has been set to the project's. */
async function loadGuards(): Promise<(call: ScoredCall, cwd: string) => Promise<IHookResponse | undefined>> {
  const { askHook, validateOptions } = await import("../support/ask-hook.ts");
  const hooks = await Promise.all(
    GUARDS.map(async (name) => ((await import(`${ROOT}/hooks/${name}.ts`)) as { default: Hook }).default),
  );
  for (const hook of hooks) await validateOptions(hook);
  return async ({ tool, input }, cwd) => {
    for (const hook of hooks) {
      if (hook.tool !== undefined && ![hook.tool].flat().includes(tool as never)) continue;
      const event = { event: "PreToolUse", tool, tool_name: tool, cwd, input };
      // If a hook fails, the call is denied.
      const answer = await askHook(hook, event).catch((error: Error): IHookResponse => ({
        decision: "deny",
        reason: `the hook failed: ${error.message}`,
      }));
      if (answer?.decision === "deny" || answer?.decision === "ask") return answer;
    }
    return undefined;
  };
}

/** Runs the corpora through the hooks. A sample takes every eleventh call in each category. */
export async function computeScore(isSample: boolean): Promise<{ score: Score; mistakes: Mistake[] }> {
  const project = createProject();
  try {
    const ask = await loadGuards();
    const score: Score = { ordinary: {}, harmful: {} };
    const mistakes: Mistake[] = [];
    for (const { name, harmful, calls } of await buildCategories(project)) {
      const tried = isSample ? calls.filter((_, at) => at % SAMPLE_STEP === 0) : calls;
      let denied = 0;
      for (const call of tried) {
        const answer = await ask(call, project.cwd);
        if (answer) denied++;
        if ((answer !== undefined) !== harmful)
          mistakes.push({
            category: name,
            harmful,
            shown: call.shown,
            ...(answer?.reason && { reason: answer.reason }),
          });
      }
      score[harmful ? "harmful" : "ordinary"][name] = { lines: tried.length, denied };
    }
    return { score, mistakes };
  } finally {
    project.remove();
  }
}

export interface Baseline {
  full: Score;
  sample: Score;
}

export const readBaseline = () => JSON.parse(readFileSync(BASELINE_FILE, "utf8")) as Baseline;

/** Lists the categories that have become worse than the baseline, one per line. */
export function findDrops({ ordinary, harmful }: Score, baseline: Score): string[] {
  const rate = (one: CategoryScore | undefined) => (one ? one.denied / one.lines : 0);
  const drops: string[] = [];
  for (const [name, before] of Object.entries(baseline.ordinary))
    if (ordinary[name] === undefined) drops.push(`${name}: the category is gone`);
    else if (rate(ordinary[name]) > rate(before))
      drops.push(`${name}: ${formatShare(ordinary[name])} false alarms, in the baseline ${formatShare(before)}`);
  for (const [name, before] of Object.entries(baseline.harmful))
    if (harmful[name] === undefined) drops.push(`${name}: the category is gone`);
    else if (rate(harmful[name]) < rate(before))
      drops.push(`${name}: ${formatShare(harmful[name])} found, in the baseline ${formatShare(before)}`);
  return drops;
}

const formatShare = ({ denied, lines }: CategoryScore) => `${denied} of ${lines}`;

function sumScores(scores: Record<string, CategoryScore>): CategoryScore {
  const all = Object.values(scores);
  return {
    lines: all.reduce((sum, { lines }) => sum + lines, 0),
    denied: all.reduce((sum, { denied }) => sum + denied, 0),
  };
}

function formatTable(title: string, column: string, scores: Record<string, CategoryScore>, digits: number): string {
  const rows = [...Object.entries(scores), ["all", sumScores(scores)] as const].map(([name, { lines, denied }]) => [
    name,
    String(lines),
    String(denied),
    `${((denied / lines) * 100).toFixed(digits)}%`,
  ]);
  const table = [[title, "lines", "denied", column], ...rows];
  const widths = [0, 1, 2, 3].map((at) => Math.max(...table.map((row) => (row[at] as string).length)));
  return table
    .map((row) =>
      row
        .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] as number) : cell.padStart(widths[at] as number)))
        .join("  "),
    )
    .join("\n");
}

const formatMistake = ({ category, shown, reason }: Mistake) =>
  `${category}: ${shown.replaceAll("\n", "⏎")}${reason ? `\n    ${reason}` : ""}`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      json: { type: "boolean", default: false },
      sample: { type: "boolean", default: false },
      show: { type: "string" },
      baseline: { type: "boolean", default: false },
    },
  });
  if (values.show !== undefined && !["false-alarms", "missed"].includes(values.show))
    throw new Error(`--show takes "false-alarms" or "missed", not "${values.show}"`);
  const { score, mistakes } = await computeScore(values.sample);
  if (values.baseline) {
    const baseline: Baseline = { full: score, sample: (await computeScore(true)).score };
    await Bun.write(BASELINE_FILE, `${JSON.stringify(baseline, undefined, 2)}\n`);
  }
  const shown = mistakes.filter(({ harmful }) => harmful === (values.show === "missed"));
  if (values.json) {
    console.log(JSON.stringify(values.show === undefined ? score : { ...score, mistakes: shown }));
    return;
  }
  if (values.show !== undefined) console.log(`${shown.map(formatMistake).join("\n")}\n`);
  console.log(formatTable("ordinary", "false alarms", score.ordinary, 2));
  console.log(`\n${formatTable("harmful", "recall", score.harmful, 1)}`);
}

if (import.meta.main) await main();
