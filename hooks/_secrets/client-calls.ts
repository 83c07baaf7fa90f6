import { isInterpreter } from "bridge-hooks";
import { handlesFiles } from "./file-programs.ts";
import { replaceSubstitutions, splitPipelines, splitPipelineStage } from "./pipelines.ts";

/** Services that echo the requests sent to them. */
const ECHO_SERVICE =
  /httpbin|httpbun|postman-echo|mockbin|reqbin|requestbin|hookbin|webhook\.site|beeceptor|pipedream|(?:^|[/.@-])echo[.-]/i;
/** Options that make a client print the request it sends. */
const PRINTING_OPTIONS: Readonly<Record<string, RegExp>> = {
  curl: /^(?:-[a-zA-Z#0-9]*[vw]|--verbose|--trace|--write-out|--libcurl)/,
  wget: /^(?:-[a-zA-Z]*d|--debug)/,
  http: /^(?:-[a-zA-Z]*[vp]|--verbose|--print|--offline|--debug)/,
};
const PROGRAM_ALIASES: Readonly<Record<string, string>> = { https: "http", xh: "http", xhs: "http" };

/**
 * A `curl --write-out` format that prints only facts about the response, such as status, times, and sizes, and nothing
 * from the request.
 */
const HARMLESS_FORMAT =
  /^(?:[^%@$`]|%\{(?:http_code|response_code|http_version|content_type|exitcode|num_\w+|size_\w+|speed_\w+|time_\w+)\})*$/;
const WRITE_OUT_OPTION = /^(?:-[a-uw-zA-Z#0-9]*w|--write-out)$/;

/** Removes `--write-out` options whose format prints nothing from the request. */
const removeHarmlessFormats = (args: readonly string[]) =>
  args.filter(
    (arg, at) =>
      !(WRITE_OUT_OPTION.test(arg) && HARMLESS_FORMAT.test(args[at + 1] ?? "%")) &&
      !(WRITE_OUT_OPTION.test(args[at - 1] ?? "") && HARMLESS_FORMAT.test(arg)),
  );

/** A word that consists of a single variable. */
const BARE_VARIABLE = /^\$(?:\w+|\{\w+\})$/;

/** Options that take credentials. */
const LOGIN_OPTION = /^--(?:[a-z]+-){0,4}(?:token|password|passwd|api-?key|secret|credentials?|auth)$/;
/** Options that can make a program print its arguments. */
const ECHOING_OPTION =
  /^(?:-[a-zA-Z]*v|--?verbose|--?debug|--?trace|--?log-?level|--?dry-?run|--?print|--?show|--?help)/;
/** Programs that can print their arguments or run another program: shells, builtins, and text tools. */
const ECHOING_PROGRAM =
  /[/$]|^(?:echo|printf|print|basename|dirname|realpath|readlink|expr|seq|yes|date|test|\[+|set|eval|exec|command|builtin|env|printenv|export|declare|typeset|local|readonly|read|let|trap|alias|type|which|sudo|doas|su|time|timeout|nohup|nice|xargs|parallel|find|watch|script|expect|make|git|ssh|docker|podman|kubectl|jo|yq|numfmt|factor|figlet|cowsay|toilet|logger|getopt|[a-z]*sh)$|^(?::|\.|source)$/;
const PACKAGE_RUNNER = /^(?:npx|bunx|pnpx)$/;

/**
 * Whether a program uses a secret only as the value of a login option, as in `deploy --token "$TOKEN"`. False if the
 * program can print its arguments.
 */
function isAuthorizedCall(program: string, args: readonly string[], hasSecret: (word: string) => boolean): boolean {
  if (PACKAGE_RUNNER.test(program)) {
    const at = args.findIndex((arg) => !/^(?:-y|--yes)$/.test(arg));
    return at >= 0 && !args[at]?.startsWith("-") && isAuthorizedCall(args[at] ?? "", args.slice(at + 1), hasSecret);
  }
  if (ECHOING_PROGRAM.test(program) || isInterpreter(program) || handlesFiles({ program, args })) return false;
  return (
    args.some(hasSecret) &&
    !args.some((arg) => ECHOING_OPTION.test(arg) || ECHO_SERVICE.test(arg)) &&
    args.every((arg, at) => !hasSecret(arg) || passesLoginSecret(arg, args[at - 1] ?? ""))
  );
}

/** Whether a word passes a secret to a login option: `--token "$TOKEN"`, `--token="$TOKEN"`. */
function passesLoginSecret(arg: string, precedingArgument: string): boolean {
  const [option = "", ...value] = arg.split("=");
  return value.length > 0
    ? LOGIN_OPTION.test(option) && BARE_VARIABLE.test(value.join("="))
    : BARE_VARIABLE.test(arg) && LOGIN_OPTION.test(precedingArgument);
}

/** Whether the shell command's first program sends the secret to a service and prints only the response. */
function isClientCall(line: string, hasSecret: (word: string) => boolean): boolean {
  const pipelines = splitPipelines(line).filter(({ depth, stages }) => depth === 0 && stages.join("").trim() !== "");
  const [call = "", ...filters] = pipelines[0]?.stages ?? [];
  if (pipelines.length !== 1 || filters.some((stage) => hasSecret(stage))) return false;
  const [program = "", ...args] = splitPipelineStage(call).filter(
    (word, at, words) => at > 0 || words.length === 1 || !/^\w+=/.test(word),
  );
  if (program === "psql")
    return args.every(
      (arg, at) => !hasSecret(arg) || (BARE_VARIABLE.test(arg) && args[at - 1]?.startsWith("-") !== true),
    );
  const name = PROGRAM_ALIASES[program] ?? program;
  if (!Object.hasOwn(PRINTING_OPTIONS, name)) return !/\$\(|`/.test(line) && isAuthorizedCall(program, args, hasSecret);
  const visibleArgs = name === "curl" ? removeHarmlessFormats(args) : args;
  return !visibleArgs.some((arg) => PRINTING_OPTIONS[name]?.test(arg) || ECHO_SERVICE.test(arg));
}

/** Removes substitutions that send a secret to a service, since they print the response and not the secret. */
export const removeClientCalls = (word: string, hasSecret: (word: string) => boolean): string =>
  word.includes("$(")
    ? replaceSubstitutions(word, (innerText, substitution) => (isClientCall(innerText, hasSecret) ? "" : substitution))
    : word;
