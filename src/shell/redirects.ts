import type { Redirection } from "unbash";
import type { Redirect } from "./command.ts";
import { charge, step } from "./reader.ts";
import type { Scope } from "./scope.ts";
import { documentText, single } from "./words.ts";

/** The redirections of a command. */
export function redirectsOf(nodes: readonly Redirection[], scope: Scope): Redirect[] {
  if (nodes.length > 0) step(scope.reader, 2 * nodes.length);
  return nodes.map((node) => redirectOf(node, scope));
}

function redirectOf(node: Redirection, scope: Scope): Redirect {
  const fd = node.descriptor?.type === "FileDescriptor" ? { fd: node.descriptor.value } : {};
  if (node.type === "HereDoc") {
    const { operator, delimiter, body } = node;
    // Cheap to read, but not again and again.
    charge(scope.reader, body.text.length >> 2);
    const text = delimiter?.quoted || !body.parts ? body.text : documentText(body.parts, scope).text;
    return {
      operator,
      target: delimiter?.value ?? "",
      ...fd,
      text: operator === "<<-" ? text.replace(/^\t+/gm, "") : text,
    };
  }
  const { operator, target } = node;
  const word = target ? single(target, scope) : { text: "" };
  return { operator, target: word.text, ...fd, ...(word.dynamic !== undefined && { dynamic: word.dynamic }) };
}

/** The text that redirections give a command to read, where that is known. */
export function textRead(redirects: readonly Redirect[]): string | undefined {
  const last = redirects.findLast(({ operator, fd = 0 }) => operator.startsWith("<") && operator !== "<&" && fd === 0);
  return last?.operator === "<<<" ? (last.dynamic === undefined ? `${last.target}\n` : undefined) : last?.text;
}

/** Whether redirections take what a command prints. */
export const writesAway = (redirects: readonly Redirect[]): boolean =>
  redirects.some(({ operator, fd = 1 }) => operator.includes(">") && (fd === 1 || operator.startsWith("&")));
