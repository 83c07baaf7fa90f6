import type { Redirection } from "unbash";
import type { Redirect } from "../command.ts";
import { countCharacters, countSteps } from "../parser.ts";
import { assignVariable, type ShellScope } from "../scope.ts";
import { getDescriptorFile, getFileText, STDIN_FILE } from "./written-files.ts";
import { getPrintedText } from "../words/word.ts";
import { expandDocument, expandSingleWord } from "../words/words.ts";

/** Reads a command's redirections and records the text available on each file descriptor: `exec 3<<<x; sh <&3`. */
export function readRedirects(nodes: readonly Redirection[], scope: ShellScope): Redirect[] {
  if (nodes.length > 0) countSteps(scope.reader, 2 * nodes.length);
  return nodes.map((node) => {
    const redirect = readRedirect(node, scope);
    const { fd = 0, operator, target } = redirect;
    const { fileTexts, outputFiles } = scope.reader;
    const text = fd > 0 && operator.startsWith("<") ? getInputText(redirect, scope) : undefined;
    if (text !== undefined) fileTexts.set(getDescriptorFile(fd), text);
    if (fd > 2 && /^(?:>>?|>\||<>)$/.test(operator)) outputFiles.set(String(fd), target);
    return redirect;
  });
}

/** First file descriptor that bash assigns by itself: `exec {fd}<x`. */
const FIRST_ASSIGNED_DESCRIPTOR = 10;

/**
 * Returns the file descriptor of a redirection. For `{fd}<x`, bash chooses the number and assigns it to the variable.
 */
function readDescriptor({ descriptor, operator }: Redirection, scope: ShellScope): Pick<Redirect, "fd"> {
  if (descriptor?.type === "FileDescriptor") return { fd: descriptor.value };
  if (descriptor === undefined) return {};
  const fd = FIRST_ASSIGNED_DESCRIPTOR + scope.reader.fileTexts.size;
  assignVariable(scope, descriptor.name, [[{ text: String(fd), isDynamic: false }]]);
  return operator === ">&" ? {} : { fd };
}

function readRedirect(node: Redirection, scope: ShellScope): Redirect {
  const fd = readDescriptor(node, scope);
  if (node.type === "HereDoc") {
    const { operator, delimiter, body } = node;
    // Reading a here-document is cheap, so only a quarter of its characters count toward the limit.
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

/** Returns the input text of a redirection, if known. */
function getInputText({ operator, target, dynamic, text }: Redirect, { stdin, reader }: ShellScope) {
  if (operator === "<<<") return `${getPrintedText({ text: target, ...(dynamic !== undefined && { dynamic }) })}\n`;
  if (operator.startsWith("<<")) return text;
  // `<&3-` duplicates the file descriptor and then closes the original.
  const file = operator === "<&" ? getDescriptorFile(target.replace(/-$/, "")) : target;
  return STDIN_FILE.test(file) ? stdin : getFileText(file, reader);
}

const findStdinRedirect = (redirects: readonly Redirect[]): Redirect | undefined =>
  redirects.findLast(({ operator, fd = 0 }) => operator.startsWith("<") && fd === 0);

/** Returns the text on stdin after all redirections, if known. */
export function getStdinText(redirects: readonly Redirect[], scope: ShellScope): string | undefined {
  const redirect = findStdinRedirect(redirects);
  return (redirect && getInputText(redirect, scope)) ?? scope.stdin;
}

/** Returns the file descriptor duplicated to stdin: `read x <&3`. */
export function getCopiedDescriptor(redirects: readonly Redirect[]): string | undefined {
  const redirect = findStdinRedirect(redirects);
  return redirect?.operator === "<&" ? redirect.target : undefined;
}

export const isOutputRedirected = (redirects: readonly Redirect[]): boolean =>
  redirects.some(({ operator, fd = 1 }) => operator.includes(">") && (fd === 1 || operator.startsWith("&")));
