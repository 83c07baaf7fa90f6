import { isObject } from "../../protocol/object.ts";
import { readConfigDocument } from "../../policy/read.ts";
import { listConfigSources } from "../../policy/sources.ts";
import type { HookSet } from "../find-hooks.ts";
import { findHookRule, loadRuleCatalog } from "../../policy/check/rule-catalog.ts";
import type { ListedRule } from "../rules/report.ts";

/** What is to be allowed. */
export interface BlockedCall {
  hook?: string | undefined;
  rule?: string | undefined;
  /** What was judged, as the call writes it. */
  subject?: string | undefined;
  project?: string | undefined;
  /** Something failed: nothing was judged. */
  hasFailed: boolean;
  /** By which the call can be allowed on purpose; absent for one that was not made. */
  id?: string | undefined;
}

/** A way to let such a call pass on purpose: what it does, and the command for it. */
export interface WayToAllow {
  text: string;
  command?: string;
}

const quoteForShell = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/** Lists how a person can let such a call pass, the narrowest way first. */
export async function listWaysToAllow(
  { hook, rule, subject, project, hasFailed, id }: BlockedCall,
  hooks: HookSet,
  cwd: string,
  listed: ListedRule | undefined,
): Promise<WayToAllow[]> {
  const onPurpose: WayToAllow[] =
    id === undefined
      ? []
      : [
          {
            text: "this very call, once, in a terminal of your own",
            command: `bridge-hooks allow ${id} --reason 'WHY'`,
          },
        ];
  if (rule === undefined && id !== undefined && hook !== undefined && !hasFailed) return onPurpose;
  if (rule === undefined)
    return hook === undefined || hasFailed
      ? [{ text: "nothing was judged: see what failed; bridge-hooks doctor and bridge-hooks try help to find out" }]
      : [
          {
            text: `the hook ${hook} decided this itself and names no rule: its settings, or its code, say what it lets pass`,
          },
        ];
  const fixed = findHookRule(await loadRuleCatalog(hooks, cwd), rule)?.rule.fixed;
  if (fixed) return [{ text: `${rule} takes no exception` }];
  if (listed?.lockedBy !== undefined)
    return [{ text: `${listed.lockedBy} locks ${rule}: only that file can make an exception` }];
  const exception = {
    rule,
    ...(subject !== undefined && { match: subject }),
    ...(project !== undefined && { project }),
    reason: "WHY",
    until: "YYYY-MM-DD",
  };
  const key = `exceptions.${await countExceptions(cwd)}`;
  return [
    ...onPurpose,
    {
      text: `an exception for ${subject === undefined ? `all that ${rule} catches: add a "match"` : "this"}, here, until a date`,
      command: `bridge-hooks config set ${key} ${quoteForShell(JSON.stringify(exception))}`,
    },
    {
      text: "ask a person instead of denying, everywhere",
      command: `bridge-hooks config set rules.${rule}.action ask`,
    },
  ];
}

/** How many exceptions the user's file has: the next one comes behind them. */
async function countExceptions(cwd: string): Promise<number> {
  const source = listConfigSources(cwd).find(({ scope }) => scope === "user");
  const document = source && (await readConfigDocument(source).catch(() => undefined));
  return isObject(document) && Array.isArray(document.exceptions) ? document.exceptions.length : 0;
}
