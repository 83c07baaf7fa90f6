import {
  type CallConditions,
  type CallRuleKind,
  type EventOf,
  type IHookResponse,
  type RuleOrigin,
  type RulePolicy,
  urlCalls,
  urlPattern,
  type UrlRequest,
  wildcardPattern,
} from "bridge-hooks";
import { buildAnswer, pickStrictest } from "./answers.ts";
import { createPathMatcher } from "./path-rules.ts";
import { createToolMatcher } from "./tool-rules.ts";

/** The part of a call that a rule matches. */
export interface CallMatch {
  /** The text shown in a denial. */
  subject: string;
  /** Other names that an exception can match. */
  names: readonly string[];
}

type Matcher<K extends CallRuleKind> = (conditions: CallConditions[K], origin: RuleOrigin) => CallMatch | undefined;

/** Applies the file, tool, and URL rules from config files and returns the strictest response. */
export function judgeCall(event: EventOf<"PreToolUse">, rules: RulePolicy): IHookResponse | undefined {
  const judgeRead = () => [
    ...judgeKind("path", createPathMatcher(event), rules),
    ...judgeKind("url", createUrlMatcher(event), rules),
  ];
  const byTool = judgeKind("tool", createToolMatcher(event), rules);
  try {
    return pickStrictest([...byTool, ...judgeRead()]);
  } catch (error) {
    const { name } = error as Error;
    if ((name === "ShellError" || name === "PathsError") && !mayConcernRule(event, rules)) return pickStrictest(byTool);
    throw error;
  }
}

/** Whether a call that is too large to parse contains a word from the paths or URLs in a rule. */
function mayConcernRule({ input }: EventOf<"PreToolUse">, rules: RulePolicy): boolean {
  const text = JSON.stringify(input).toLowerCase();
  const isMentioned = (value: unknown) =>
    [value].flat().some((item) =>
      (
        String(item)
          .toLowerCase()
          .match(/[\w-]{3,}/g) ?? []
      ).some((word) => text.includes(word)),
    );
  return (
    rules.findCallRules("path", ({ path }) => isMentioned(path)).length > 0 ||
    rules.findCallRules("url", ({ url }) => isMentioned(url)).length > 0
  );
}

function judgeKind<K extends CallRuleKind>(kind: K, match: Matcher<K>, rules: RulePolicy): IHookResponse[] {
  const matchingRules = rules.findCallRules(kind, (conditions, origin) => match(conditions, origin) !== undefined);
  return matchingRules.flatMap(({ conditions, ...rule }) => {
    const action = rules.resolveAction(rule.id, rule.action, rule.enabled);
    const ruleMatch = action === "off" ? undefined : match(conditions as CallConditions[K], rule);
    if (!ruleMatch || action === "off" || isCallExcepted(rule.id, ruleMatch, rules)) return [];
    return [buildAnswer(ruleMatch.subject, { ...rule, action })];
  });
}

/** Whether an exception to the rule covers the match. */
const isCallExcepted = (id: string, { subject, names }: CallMatch, rules: RulePolicy): boolean =>
  rules
    .listExceptions(id)
    .some(({ match }) => match === undefined || [subject, ...names].some((name) => wildcardPattern(match)(name)));

/** Creates a function that returns the request matched by a URL rule. */
function createUrlMatcher(event: EventOf<"PreToolUse">): Matcher<"url"> {
  let requests: readonly UrlRequest[] | undefined;
  return ({ url, method }) => {
    requests ??= urlCalls(event);
    if (requests.length === 0) return undefined;
    const methods = typeof method === "string" ? method.toUpperCase().split("|") : undefined;
    for (const pattern of [url].flat()) {
      const matches = typeof pattern === "string" ? urlPattern(pattern) : undefined;
      for (const request of matches ? requests : [])
        if ((!methods || methods.includes(request.method)) && matches?.(request.url))
          return { subject: `${request.method} ${removeUrlCredentials(request.url)}`, names: [request.url] };
    }
    return undefined;
  };
}

/** Removes the credentials from a URL. */
const removeUrlCredentials = (url: string): string => url.replace(/\/\/[^/@\s]*@/, "//");
