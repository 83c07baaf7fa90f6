import { TEMPLATES } from "../init/templates.ts";
import type { Definition } from "clipanion";
import { toFlagName } from "../../call/options.ts";
import { hosts } from "../../hosts/index.ts";
import { TARGETS } from "../../operate/executable/image.ts";
import { DENIED_CALLS, selectLines } from "../../operate/log/select-lines.ts";
import { CONFIG_SCOPES } from "../../policy/sources.ts";
import { MODES } from "../../policy/vocabulary.ts";
import { EVENTS } from "../../protocol/event.ts";
import { INSTALL_SCOPES } from "../../protocol/host/install.ts";
import { TOOLS } from "../../protocol/tool.ts";
import { COMPILED_HOOKS } from "../find-hooks.ts";
import { getCommandName } from "../help/command-page.ts";
import { COLOR_CHOICES } from "../terminal/colors.ts";
import { SHELLS } from "./scripts.ts";

/** A completion and its description. */
export interface Candidate {
  value: string;
  meaning?: string;
}

/** Requests the shell's own path completion. */
export const FILE_COMPLETION: readonly Candidate[] = [{ value: ":files" }];
const FOLDER_COMPLETION: readonly Candidate[] = [{ value: ":folders" }];

const toCandidates = (values: readonly string[]): Candidate[] => values.map((value) => ({ value }));
const hostCandidates = hosts.map(({ id, name }) => ({ value: id, meaning: name }));

/** Option values, keyed by option name. Some values depend on the command. */
const OPTION_VALUES: Readonly<
  Record<string, (command: Definition) => readonly Candidate[] | Promise<readonly Candidate[]>>
> = {
  "--host": ({ category }) =>
    category?.trim() === "install"
      ? [...hostCandidates, { value: "auto", meaning: "every host on this machine" }]
      : hostCandidates,
  "--from": () => hostCandidates,
  "--event": () => toCandidates(EVENTS),
  "--tool": () => toCandidates(TOOLS),
  "--mode": () => toCandidates(MODES),
  "--template": () => Object.entries(TEMPLATES).map(([value, { purpose }]) => ({ value, meaning: purpose })),
  "--on-error": () => toCandidates(["deny", "allow"]),
  "--scope": (command) => toCandidates(getCommandName(command).startsWith("config") ? CONFIG_SCOPES : INSTALL_SCOPES),
  "--color": () => toCandidates(COLOR_CHOICES),
  "--target": () => toCandidates(["all", ...TARGETS]),
  "--since": () => toCandidates(["30m", "24h", "7d"]),
  "--for": () => toCandidates(["10m", "1h", "1d"]),
  "--hook": () => toCandidates(COMPILED_HOOKS.entries.map(({ name }) => name)),
  "--rule": listRules,
  "--category": listCategories,
  "--with": async () => {
    const { readStarterHooks } = await import("../build/sources.ts");
    const { deriveHookName } = await import("../build/hook-module.ts");
    const modules = (await readStarterHooks()).filter(([path]) => /^hooks\/[^_/][^/]*\.ts$/.test(path));
    const names = modules.map(([path]) => deriveHookName(path)).filter((name) => !name.endsWith(".test"));
    return [{ value: "starter", meaning: "all of them" }, ...toCandidates(names)];
  },
};

/** Lists an option's values. If the value's placeholder is a path, lists paths. */
export async function listOptionValues(
  name: string,
  command: Definition | undefined,
  placeholder: string | undefined,
): Promise<readonly Candidate[]> {
  const hostOption = hosts
    .flatMap(({ options }) => Object.entries(options))
    .find(([option]) => toFlagName(option) === name);
  if (hostOption) return toCandidates(hostOption[1].values);
  const list = OPTION_VALUES[name];
  if (list && command) return list(command);
  if (placeholder === "DIR") return FOLDER_COMPLETION;
  return placeholder === undefined || ["FILE", "PATH", "NAME=PATH", "PROGRAM"].includes(placeholder)
    ? FILE_COMPLETION
    : [];
}

async function listRules(): Promise<Candidate[]> {
  const { collectRules } = await import("../rules/rules.ts");
  const { rules } = await collectRules(COMPILED_HOOKS, process.cwd());
  return rules.map(({ id, reason }) => ({ value: id, meaning: reason }));
}

async function listCategories(): Promise<Candidate[]> {
  return toCandidates([...new Set((await listRules()).map(({ value }) => value.split("/", 1)[0] as string))]);
}

const MAX_LINES = 20;

/** Lists the newest logged calls with a decision. */
async function listCalls(): Promise<Candidate[]> {
  const { describeLine } = await import("../../operate/log/describe.ts");
  const lines = selectLines(process.env, DENIED_CALLS, { skipped: 0 }).take(MAX_LINES);
  return [...lines].map((line) => ({ value: line.id, meaning: describeLine(line) }));
}

async function listTopics(): Promise<Candidate[]> {
  const { readDocs } = await import("../build/sources.ts");
  const { listPages } = await import("../docs/pages.ts");
  return listPages(await readDocs()).map(({ topic, answers }) => ({ value: topic, meaning: answers }));
}

/** Completions for each command's first operand. All other operands are completed as paths. */
const OPERAND_COMPLETIONS: Readonly<Record<string, () => readonly Candidate[] | Promise<readonly Candidate[]>>> = {
  rules: async () => [...(await listCategories()), ...(await listRules())],
  explain: listCalls,
  allow: listCalls,
  docs: listTopics,
  matrix: () => hostCandidates,
  completion: () => toCandidates(SHELLS),
  try: () => [],
};

/** Lists completions for an operand. `at` is the operand's index. */
export async function listOperands(command: Definition, at: number): Promise<readonly Candidate[]> {
  const list = OPERAND_COMPLETIONS[getCommandName(command)];
  if (list) return at === 0 ? list() : [];
  return / (?:\[?<?\w|\.\.\.)/.test(command.usage.slice(command.path.length)) ? FILE_COMPLETION : [];
}
