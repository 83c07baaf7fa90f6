import { type Command, readMethodOption } from "bridge-hooks";
import { API_HOSTS, API_PATHS, API_PORTS, type ApiRow, GRAPHQL_HOST, GRAPHQL_MUTATION } from "./api-products.ts";
import type { OperandFinder } from "./place-finder.ts";
import { isTestDatabase } from "./statements.ts";

/** Forge API paths on which a DELETE request destroys data that can't be restored. */
const IRREVERSIBLE_PATH =
  /^(?:repos\/[^/]+\/[^/]+|orgs\/[^/]+|repos\/[^/]+\/[^/]+\/(?:releases\/\d+|git\/refs\/(?:tags\/.+|heads\/(?:main|master|trunk|develop|production|release[-/].+)))|projects\/[^/]+)$/;
const REFERENCE_PATH = /^repos\/[^/]+\/[^/]+\/git\/refs\/heads\/./;
/** GitHub GraphQL mutations that delete data for everyone. */
const DESTRUCTIVE_MUTATION =
  /\b(deleteRef|deleteRepository|deletePackageVersion|deleteProjectV2|deleteBranchProtectionRule)\b/;
const BODY_OPTION = /^(?:-d|--data|--json|--post-data|--body-data)/;

const isForced = (args: readonly string[]): boolean =>
  args.some((arg) => /^(?:-[fF]|--(?:raw-)?field=)?force=true$/.test(arg));

/**
 * Returns a request's HTTP method in uppercase, from `-X DELETE`, `http DELETE URL`, or `heroku api DELETE /apps/x`.
 */
function getMethod({ args }: Command): string {
  const word = readMethodOption(args) || args.find((arg) => /^(?:DELETE|POST|PATCH|PUT)$/.test(arg));
  return word ?? (args.some((arg) => BODY_OPTION.test(arg)) ? "POST" : "GET");
}

/** Returns the resource that a forge API request permanently deletes or overwrites. */
export const findApiDeletion: OperandFinder = (_, command) => {
  const { args, program } = command;
  if (args.includes("graphql") || args.some((arg) => /^https:\/\/api\.github\.com\/graphql$/.test(arg)))
    return [...args, command.stdin ?? ""]
      .map((text) => DESTRUCTIVE_MUTATION.exec(text)?.[1])
      .find((name) => name !== undefined);
  const method = getMethod(command);
  if (method !== "DELETE" && !(method === "PATCH" && isForced(args))) return undefined;
  return args.find((arg) => {
    if (!/^(?:gh|glab)$/.test(program) && !arg.startsWith("https://api.github.com/")) return false;
    const path = arg.replace(/^https:\/\/api\.github\.com/, "").replace(/^\/|\/$/g, "");
    return (method === "DELETE" ? IRREVERSIBLE_PATH : REFERENCE_PATH).test(path);
  });
};

/**
 * Splits an address such as `localhost:9200/shop` or `/apps/x`, whose scheme and host are optional, into host, port,
 * and path.
 */
function readAddress(word: string): { host: string; port: string; path: string } | undefined {
  const [, host = "", port = "", path = ""] = /^(?:[a-z]+:\/\/)?([^/?#:@\s]*)(?::(\d+))?(\/[^?#]*)/.exec(word) ?? [];
  return path === "" ? undefined : { host: host.toLowerCase(), port, path: path.replace(/(?<=.)\/$/, "") };
}

/** Whether a request deletes a product's data. */
function deletesProductData(method: string, word: string, command: Command): boolean {
  const address = readAddress(word);
  if (!address) return false;
  const { host, port, path } = address;
  const matches = ({ method: expected = "DELETE", path: pattern, body }: ApiRow) =>
    method === expected && pattern.test(path) && body?.test([...command.args, command.stdin ?? ""].join(" ")) !== false;
  if (API_HOSTS.some((row) => row.host.test(host) && matches(row))) return true;
  const isEngine = command.args.includes("--unix-socket") || /^237[56]$/.test(port);
  if (API_PATHS.some((row) => (row.engine !== true || isEngine) && matches(row) && row.query?.test(word) !== false))
    return true;
  const isTest = path.split("/").some(isTestDatabase);
  return !isTest && API_PORTS.some((row) => row.port === port && matches(row) && row.query?.test(word) !== false);
}

/** Returns the resource that a product API request deletes. */
export const findProductDeletion: OperandFinder = (_, command) => {
  const { args, stdin = "" } = command;
  if (args.some((arg) => GRAPHQL_HOST.test(arg))) {
    const [name] = [...args, stdin]
      .map((text) => GRAPHQL_MUTATION.exec(text)?.[1])
      .filter((candidate) => candidate !== undefined);
    if (name !== undefined) return name;
  }
  const method = getMethod(command);
  return args.find((arg) => deletesProductData(method, arg, command));
};
