import type { Host } from "../../protocol/host/host.ts";
import type { ToolNames } from "../../protocol/host/install.ts";
import type { CallConditions, FileAccessName } from "../../protocol/rule.ts";
import { type Tool, TOOLS } from "../../protocol/tool.ts";
import { openConfigFiles } from "../../policy/files.ts";
import { listAddedRules } from "../../policy/rules.ts";
import { listRuleFilesInForce, readRuleFiles } from "../../policy/statements.ts";

/** The tools whose calls a rule covers, and a description of those calls. */
interface NeededTools {
  tools: readonly Tool[];
  calls: string;
}

const NEEDED_TOOLS_BY_ACCESS: Readonly<Record<FileAccessName, NeededTools>> = {
  read: { tools: ["Read"], calls: "tools that read files" },
  edit: { tools: ["Write", "Edit"], calls: "tools that change files" },
  delete: { tools: ["Write", "Edit"], calls: "tools that change files" },
};

/** Lists the calls that a rule covers, except shell commands. */
function listNeededTools(conditions: Readonly<Record<string, unknown>>): NeededTools[] {
  const { access } = conditions as Partial<CallConditions["path"]>;
  if (access !== undefined) return [...new Set([access].flat().map((one) => NEEDED_TOOLS_BY_ACCESS[one]))];
  const { mcp, tool, url } = conditions as CallConditions["tool"] & Partial<CallConditions["url"]>;
  if (url !== undefined) return [{ tools: ["WebFetch"], calls: "tools that fetch web pages" }];
  if (mcp !== undefined) return [{ tools: ["MCP"], calls: "MCP server tools" }];
  return TOOLS.filter((name) => name === tool).map((name) => ({ tools: [name], calls: `the tool ${name}` }));
}

/** Finds calls that a rule covers but a host doesn't report to hooks. */
export function findRuleGaps(conditions: Readonly<Record<string, unknown>>, tools: ToolNames): string[] {
  const gaps = listNeededTools(conditions).filter(
    (neededTools) => !neededTools.tools.some((tool) => tools[tool]?.length),
  );
  return [...new Set(gaps.map(({ calls }) => calls))];
}

/** A host, and the calls there that a rule can't check. */
export interface RuleGap {
  host: string;
  calls: string[];
}

/** Lists, for each host, the calls that a rule can't check. */
export async function listRuleGaps(
  conditions: Readonly<Record<string, unknown>>,
  hosts: readonly Pick<Host, "id" | "setup">[],
): Promise<RuleGap[]> {
  if (listNeededTools(conditions).length === 0) return [];
  const gaps: RuleGap[] = [];
  for (const { id, setup } of hosts) {
    const calls = findRuleGaps(conditions, (await setup()).tools);
    if (calls.length > 0) gaps.push({ host: id, calls });
  }
  return gaps;
}

/** Lists the rules in a directory's config files that can't check all of the calls they cover on a host. */
export async function listGapsOfHost(cwd: string, tools: ToolNames): Promise<{ calls: string; rules: string[] }[]> {
  const rulesByCalls = new Map<string, string[]>();
  for (const config of listRuleFilesInForce(await readRuleFiles(openConfigFiles(cwd))))
    for (const [id, rule] of listAddedRules(config))
      for (const calls of findRuleGaps(rule as unknown as Record<string, unknown>, tools))
        rulesByCalls.set(calls, [...(rulesByCalls.get(calls) ?? []), id]);
  return [...rulesByCalls].map(([calls, rules]) => ({ calls, rules }));
}
