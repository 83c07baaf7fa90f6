import type { Redirection } from "unbash";
import type { Redirect } from "./command.ts";
import { countCharacters, countSteps } from "./parser.ts";
import type { ShellScope } from "./scope.ts";
import { getFileText } from "./written-files.ts";
import { getPrintedText } from "./word.ts";
import { expandDocument, expandSingleWord } from "./words.ts";

/** The redirections of a command. */
export function readRedirects(nodes: readonly Redirection[], scope: ShellScope): Redirect[] {
  if (nodes.length > 0) countSteps(scope.reader, 2 * nodes.length);
  return nodes.map((node) => readRedirect(node, scope));
}

function readRedirect(node: Redirection, scope: ShellScope): Redirect {
  const fd = node.descriptor?.type === "FileDescriptor" ? { fd: node.descriptor.value } : {};
  if (node.type === "HereDoc") {
    const { operator, delimiter, body } = node;
    // Here-documents are cheap to read once, but not repeatedly.
    countCharacters(scope.reader, body.text.length >> 2);
    const text = delimiter?.quoted || !body.parts ? body.text : expandDocument(body.parts, scope).text;
    return {
      operator,
      target: delimiter?.value ?? "",
      ...fd,
      text: operator === "<<-" ? text.replace(/^\t+/gm, "") : text,
    };
  }
  const { operator, target } = node;
  const word = target ? expandSingleWord(target, scope) : { text: "" };
  return { operator, target: word.text, ...fd, ...(word.dynamic !== undefined && { dynamic: word.dynamic }) };
}

/** The text that redirections give a command on stdin, if known. */
export function getStdinText(redirects: readonly Redirect[], { reader }: ShellScope): string | undefined {
  const last = redirects.findLast(({ operator, fd = 0 }) => operator.startsWith("<") && operator !== "<&" && fd === 0);
  if (last?.operator === "<<<")
    return `${getPrintedText({ text: last.target, ...(last.dynamic !== undefined && { dynamic: last.dynamic }) })}\n`;
  return last?.operator === "<" ? getFileText(last.target, reader) : last?.text;
}

/** Whether a command's output is redirected. */
export const isOutputRedirected = (redirects: readonly Redirect[]): boolean =>
  redirects.some(({ operator, fd = 1 }) => operator.includes(">") && (fd === 1 || operator.startsWith("&")));
