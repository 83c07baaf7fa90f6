import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import * as v from "valibot";
import type { ConfigProblem } from "../../protocol/host/install.ts";

export interface JsonExtensions {
  comments: boolean;
  trailingComma: boolean;
  bom: boolean;
}

/** Replaces a byte order mark with a space, which preserves all offsets. */
const blankOutBom = (text: string) => text.replace(/^\ufeff/, " ");

/** Parses JSON into a tree; returns undefined if the JSON is invalid. */
function parseJsonTree(text: string): Node | undefined {
  const errors: ParseError[] = [];
  const root = parseTree(blankOutBom(text), errors, { allowTrailingComma: true });
  return errors.length === 0 ? root : undefined;
}

/** Finds a duplicate key at the top level or inside `hooks`. Hosts use the last value, but readers notice the first. */
export function findDuplicateKey(text: string): { offset: number; message: string } | undefined {
  const root = parseJsonTree(text);
  const findRepeatedKey = (node: Node | undefined, isRecursive: boolean): Node | undefined => {
    const keys =
      node?.type === "object" ? (node.children ?? []).flatMap(({ children = [] }) => children.slice(0, 1)) : [];
    const duplicate = keys.find((key, index) => keys.findIndex((otherKey) => otherKey.value === key.value) < index);
    return (
      duplicate ??
      (isRecursive
        ? (node?.children ?? [])
            .map((child) => findRepeatedKey(child, true))
            .find((duplicate) => duplicate !== undefined)
        : undefined)
    );
  };
  const duplicate = findRepeatedKey(root, false) ?? findRepeatedKey(root && findNodeAtLocation(root, ["hooks"]), true);
  return (
    duplicate && {
      offset: duplicate.offset,
      message: `${JSON.stringify(duplicate.value)} appears twice; merge the two`,
    }
  );
}

/**
 * Returns the first reason why a host would not read the file. Later errors are omitted, because they might just be
 * consequences of the first. Returns undefined if the host accepts the file as a JSON object.
 */
export function findJsonProblems(
  text: string,
  extensions: JsonExtensions,
  consequence: string,
): ConfigProblem[] | undefined {
  const createProblem = (offset: number, message: string) => [{ offset, message: `${message}; ${consequence}` }];
  if (text.startsWith("\ufeff") && !extensions.bom)
    return createProblem(0, "a byte order mark (BOM); save the file as UTF-8 without one");
  const errors: ParseError[] = [];
  const plainText = blankOutBom(text);
  const root = parseTree(plainText, errors, {
    allowTrailingComma: extensions.trailingComma,
    disallowComments: !extensions.comments,
  });
  const [firstError] = errors.sort((left, right) => left.offset - right.offset);
  if (firstError) {
    const { offset, message } = describeParseError(plainText, firstError);
    return createProblem(offset ?? 0, message);
  }
  if (root?.type !== "object")
    return createProblem(0, "not an object; the file must contain a single object in braces");
  const duplicateKey = findDuplicateKey(text);
  return duplicateKey && createProblem(duplicateKey.offset, duplicateKey.message);
}

/** Lists a schema's issues with a value, each with the path to the invalid part. */
export function listSchemaIssues(
  schema: v.GenericSchema,
  value: unknown,
): { path: (string | number)[]; message: string }[] {
  const result = v.safeParse(schema, value);
  return (result.issues ?? [])
    .flatMap(flattenIssue)
    .map(({ path, message }) => ({ path: (path ?? []).map(({ key }) => key as string | number), message }));
}

/** Reduces a failed union to its deepest issues, which describe the problem most precisely. */
function flattenIssue(issue: v.BaseIssue<unknown>): v.BaseIssue<unknown>[] {
  const innerIssues = (issue.issues ?? []).map(
    (innerIssue) =>
      ({ ...innerIssue, path: [...(issue.path ?? []), ...(innerIssue.path ?? [])] }) as v.BaseIssue<unknown>,
  );
  const deepestIssues = innerIssues.filter(({ path }) => (path?.length ?? 0) > (issue.path?.length ?? 0));
  return deepestIssues.length > 0 ? deepestIssues.flatMap(flattenIssue) : [issue];
}

/** Lists a document's schema issues as config problems with offsets. */
export function findSchemaProblems(
  text: string,
  schema: v.GenericSchema,
  consequence: string,
  extent?: ConfigProblem["extent"],
): ConfigProblem[] {
  const root = parseJsonTree(text);
  if (!root) return [];
  return listSchemaIssues(schema, getNodeValue(root)).map(({ path, message }) => {
    const lengths = Array.from({ length: path.length + 1 }, (_, index) => path.length - index);
    const node = lengths
      .map((length) => findNodeAtLocation(root, path.slice(0, length)))
      .find((node) => node !== undefined);
    return {
      offset: node?.offset,
      message: `${path.join(".") || "the document"}: ${message}; ${consequence}`,
      path,
      extent,
    };
  });
}

function describeParseError(text: string, { error, offset }: ParseError): ConfigProblem {
  const name = printParseErrorCode(error);
  if (name === "InvalidCommentToken") return { offset, message: "a comment; remove it" };
  const comma = /,\s*$/.exec(text.slice(0, offset));
  if (comma && /^[}\]]/.test(text.slice(offset)))
    return { offset: comma.index, message: "a trailing comma; remove it" };
  const words = name.replace(/(?!^)([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);
  return { offset, message: `not valid JSON from here on (${words.toLowerCase()}); fix the syntax` };
}

/** Whether a matcher is a valid JavaScript regular expression or "*". */
export function isValidMatcher(matcher: string): boolean {
  if (matcher === "*") return true;
  try {
    return new RegExp(matcher) instanceof RegExp;
  } catch {
    return false;
  }
}
