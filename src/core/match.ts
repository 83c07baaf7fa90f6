import { type AnyEvent, isCall } from "./event.ts";
import type { HookEntry } from "./hook.ts";
import { callNames } from "./tool.ts";

/**
 * The regular expression of a matcher: `*` or nothing is all, a plain name is that name, anything else is a regular
 * expression over the whole name; `|` and `,` separate alternatives.
 * @throws Error when it is no valid matcher.
 */
export function matcherPattern(matcher: string): RegExp | undefined {
  if (matcher === "" || matcher === "*") return undefined;
  if (/[()]/.test(matcher)) {
    throw new Error(`matcher "${matcher}" has parentheses; a matcher names tools, test their input in the handler`);
  }
  const parts = matcher.split(/[|,]/).map((part) => part.trim());
  if (parts.includes("")) throw new Error(`matcher "${matcher}" has an empty alternative`);
  return new RegExp(`^(?:${parts.map((part) => (part === "*" ? ".*" : part)).join("|")})$`);
}

/** Whether a hook wants this event. */
export function matches(hook: HookEntry, event: AnyEvent): boolean {
  if (!hook.events.includes(event.event)) return false;
  if (!isCall(event)) return true;
  if (hook.tools && !hook.tools.includes(event.tool)) return false;
  if (!hook.matcher) return true;
  const pattern = matcherPattern(hook.matcher);
  return !pattern || callNames(event).some((name) => pattern.test(name));
}
