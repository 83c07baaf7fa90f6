import type { Command } from "bridge-hooks";
import type { OperandFinder } from "./place-finder.ts";
import { isTestDatabase } from "./statements.ts";

/** What of a forge's API, when it is deleted, is what no other command gives back. */
const KEPT_PATH =
  /^(?:repos\/[^/]+\/[^/]+|orgs\/[^/]+|repos\/[^/]+\/[^/]+\/(?:releases\/\d+|git\/refs\/(?:tags\/.+|heads\/(?:main|master|trunk|develop|production|release[-/].+)))|projects\/[^/]+)$/;
const REFERENCE_PATH = /^repos\/[^/]+\/[^/]+\/git\/refs\/heads\/./;
/** An index of Elasticsearch, or several: not what is in one. */
const INDEX_PATH = /^(?:https?:\/\/)?[^/]*:9200\/(\*|[^/?]+)\/?(?:\?.*)?$/;
const METHOD_OPTION = /^(?:-X|--request|--method)$/;

/** The method of a request, in capital letters. */
function getMethod(args: readonly string[]): string {
  for (const [at, arg] of args.entries()) {
    if (METHOD_OPTION.test(arg)) return (args[at + 1] ?? "").toUpperCase();
    const [, joined] = /^(?:-X|--request=|--method=)(.+)$/.exec(arg) ?? [];
    if (joined !== undefined) return joined.toUpperCase();
  }
  return "";
}

const isForced = (args: readonly string[]): boolean =>
  args.some((arg) => /^(?:-[fF]|--(?:raw-)?field=)?force=true$/.test(arg));

/** What a request to an API deletes, or overwrites, for good. */
export const findApiDeletion: OperandFinder = (_, { args, program }: Command) => {
  const method = getMethod(args);
  if (method !== "DELETE" && !(method === "PATCH" && isForced(args))) return undefined;
  return args.find((arg) => {
    const index = method === "DELETE" && program !== "gh" ? INDEX_PATH.exec(arg)?.[1] : undefined;
    if (index !== undefined) return !isTestDatabase(index);
    if (program !== "gh" && !arg.startsWith("https://api.github.com/")) return false;
    const path = arg.replace(/^https:\/\/api\.github\.com/, "").replace(/^\/|\/$/g, "");
    return (method === "DELETE" ? KEPT_PATH : REFERENCE_PATH).test(path);
  });
};
