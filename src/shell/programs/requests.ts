import type { Command } from "../command.ts";
import { getOptionTable, readOptionsAt } from "./options.ts";
import { lookUpProgram } from "./index.ts";

/** A network request. */
export interface UrlRequest {
  /** URL as written, with the client's default scheme if the scheme is missing. */
  url: string;
  /** Request method in uppercase. */
  method: string;
}

type RequestReader = (args: readonly string[]) => UrlRequest[];

/** Parsed arguments: options with their values, and operands. */
interface ParsedClientArguments {
  options: [name: string, value: string][];
  operands: string[];
}

function splitWords(program: string, args: readonly string[]): ParsedClientArguments {
  const table = getOptionTable(lookUpProgram(program));
  const clientWords: ParsedClientArguments = { options: [], operands: [] };
  for (let at = 0; at < args.length; at++) {
    const word = args[at] as string;
    if (!/^-./.test(word)) {
      clientWords.operands.push(word);
      continue;
    }
    const options = readOptionsAt(args, at, table);
    for (const { name, value = "" } of options) clientWords.options.push([name, value]);
    at += (options.at(-1)?.words ?? 1) - 1;
  }
  return clientWords;
}

const addScheme = (url: string, scheme = "http"): string =>
  /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : `${scheme}://${url}`;

/** Maximum number of alternatives in a curl brace expansion. Additional alternatives are ignored. */
const MAX_ALTERNATIVES = 16;
function expandBraces(text: string): string[] {
  const [, prefix = "", alternatives, suffix = ""] = /^([^{}]*)\{([^{}]*)\}(.*)$/s.exec(text) ?? [];
  if (alternatives === undefined) return [text];
  return alternatives
    .split(",")
    .slice(0, MAX_ALTERNATIVES)
    .flatMap((alternative) => expandBraces(suffix).map((expandedSuffix) => prefix + alternative + expandedSuffix))
    .slice(0, MAX_ALTERNATIVES);
}

const CURL_BODY_OPTION = /^(?:-[dF]|--(?:data(?:-\w+)*|form(?:-string)?|json|url-query))$/;
const readCurl: RequestReader = (args) => {
  const { options, operands } = splitWords("curl", args);
  const find = (...names: string[]) => options.findLast(([name]) => names.includes(name))?.[1];
  const isSet = (...names: string[]) => find(...names) !== undefined;
  const method =
    find("-X", "--request") ||
    (isSet("-I", "--head")
      ? "HEAD"
      : isSet("-T", "--upload-file")
        ? "PUT"
        : !isSet("-G", "--get") && options.some(([name]) => CURL_BODY_OPTION.test(name))
          ? "POST"
          : "GET");
  const optionUrls = options.flatMap(([name, value]) => (name === "--url" ? value : []));
  return [...optionUrls, ...operands].flatMap(expandBraces).map((url) => ({ url: addScheme(url), method }));
};

const readWget: RequestReader = (args) => {
  const { options, operands } = splitWords("wget", args);
  const find = (name: string) => options.findLast(([optionName]) => optionName === name)?.[1];
  const isPost = options.some(([name]) => /^--post-(?:data|file)$/.test(name));
  const method = find("--method") || (isPost ? "POST" : find("--spider") === undefined ? "GET" : "HEAD");
  return operands.map((url) => ({ url: addScheme(url), method }));
};

const HTTPIE_VALUE_OPTION =
  /^(?:-[aAopsP]|--(?:auth|auth-type|output|print|style|session|session-read-only|timeout|verify|cert|cert-key|proxy|max-redirects|raw|boundary|format-options))$/;
const readHttpie =
  (scheme: string): RequestReader =>
  (args) => {
    const operands = args.filter((arg, at) => !arg.startsWith("-") && !HTTPIE_VALUE_OPTION.test(args[at - 1] ?? ""));
    const isNamed = operands.length > 1 && /^[a-z]+$/i.test(operands[0] ?? "");
    const [target = "", ...items] = isNamed ? operands.slice(1) : operands;
    const sendsData = items.some((item) => /^[^=:@]+(?::?=(?!=)|@)/.test(item)) || args.includes("--raw");
    const method = isNamed ? (operands[0] as string) : sendsData ? "POST" : "GET";
    return [
      {
        url: addScheme(
          target.replace(/^(?::\/\/|:(?=[\d/]|$))/, (shorthand) => (shorthand === ":" ? "localhost:" : "")),
          scheme,
        ),
        method,
      },
    ];
  };

/** Parameters of PowerShell's web cmdlets that take a value. */
const CMDLET_VALUE_PARAMETER = /^-(?:me|u|b|h|o|con|cred|t|i|form|cu|w|se|p|max|ret|au|to)/i;
const readCmdlet: RequestReader = (args) => {
  const find = (name: RegExp) => {
    const at = args.findIndex((arg) => name.test(arg));
    const attachedValue = /^-\w+:(.+)$/.exec(args[at] ?? "")?.[1];
    return at < 0 ? undefined : (attachedValue ?? args[at + 1]);
  };
  const isValue = (at: number) =>
    CMDLET_VALUE_PARAMETER.test(args[at - 1] ?? "") && !(args[at - 1] ?? "").includes(":");
  const url = find(/^-ur/i) ?? args.find((arg, at) => !arg.startsWith("-") && !isValue(at));
  const method = find(/^-(?:me|cu)/i) ?? "GET";
  return url === undefined ? [] : [{ url: addScheme(url), method }];
};

/** Reads the requests of programs that send a GET request for each URL argument. */
const readUrlArguments: RequestReader = (args) =>
  args.flatMap((url) => (/^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? { url, method: "GET" } : []));

/** Reads the request of `gh api`, whose argument is a path on the API host. */
const readGh: RequestReader = (args) => {
  if (args[0] !== "api") return [];
  const method =
    readMethodOption(args) || (args.some((arg) => /^(?:-[fF]|--(?:raw-)?field|--input)/.test(arg)) ? "POST" : "GET");
  const path = args.slice(1).find((arg, at) => !arg.startsWith("-") && !args[at]?.startsWith("-"));
  return path === undefined
    ? []
    : [
        {
          url: addScheme(/^https?:/.test(path) ? path : `api.github.com/${path.replace(/^\//, "")}`, "https"),
          method,
        },
      ];
};

/** Returns the method set by an option, in uppercase. Empty if no option sets a method. */
export function readMethodOption(args: readonly string[]): string {
  for (const [at, arg] of args.entries()) {
    if (/^(?:-X|--request|--method)$/.test(arg)) return (args[at + 1] ?? "").toUpperCase();
    const [, attachedMethod] = /^(?:-X|--request=|--method=)(.+)$/.exec(arg) ?? [];
    if (attachedMethod !== undefined) return attachedMethod.toUpperCase();
  }
  return "";
}

const READERS: Readonly<Record<string, RequestReader>> = {
  ...{
    curl: readCurl,
    wget: readWget,
    gh: readGh,
    http: readHttpie("http"),
    https: readHttpie("https"),
    xh: readHttpie("http"),
    xhs: readHttpie("https"),
  },
  ...{ "invoke-webrequest": readCmdlet, iwr: readCmdlet, "invoke-restmethod": readCmdlet, irm: readCmdlet },
  ...{
    wget2: readWget,
    aria2c: readUrlArguments,
    axel: readUrlArguments,
    fetch: readUrlArguments,
    lynx: readUrlArguments,
    curlie: readCurl,
  },
};

export const REQUEST_PROGRAMS: readonly string[] = Object.keys(READERS);

/** Lists the requests that a command sends. Empty if its program is not a web client. */
export function listRequests({ program, args }: Pick<Command, "program" | "args">): UrlRequest[] {
  const name = program.toLowerCase().replace(/\.exe$/, "");
  const isCmdlet =
    (name === "curl" || name === "wget") && args.some((arg) => /^-(?:uri|method|usebasicparsing)/i.test(arg));
  const readRequests = isCmdlet ? readCmdlet : Object.hasOwn(READERS, name) ? READERS[name] : undefined;
  return readRequests?.(args).map(({ url, method }) => ({ url, method: method.toUpperCase() })) ?? [];
}
