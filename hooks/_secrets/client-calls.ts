import { replaceSubstitutions, splitPipelines, splitStage } from "./pipelines.ts";

/** Services that answer with what they are sent. */
const ECHOING_HOST =
  /httpbin|httpbun|postman-echo|mockbin|reqbin|requestbin|hookbin|webhook\.site|beeceptor|pipedream|(?:^|[/.@-])echo[.-]/i;
/** Options with which a client shows what it sends. */
const SHOWING_OPTIONS: Readonly<Record<string, RegExp>> = {
  curl: /^(?:-[a-zA-Z#0-9]*[vw]|--verbose|--trace|--write-out|--libcurl)/,
  wget: /^(?:-[a-zA-Z]*d|--debug)/,
  http: /^(?:-[a-zA-Z]*[vp]|--verbose|--print|--offline|--debug)/,
};
const ALIASES: Readonly<Record<string, string>> = { https: "http", xh: "http", xhs: "http" };

/** A format of `curl --write-out` that shows codes, times and sizes of the answer, and nothing that was sent. */
const HARMLESS_FORMAT =
  /^(?:[^%@$`]|%\{(?:http_code|response_code|http_version|content_type|exitcode|num_\w+|size_\w+|speed_\w+|time_\w+)\})*$/;
const WRITE_OUT = /^(?:-[a-uw-zA-Z#0-9]*w|--write-out)$/;

/** Without the formats that show nothing of what was sent, and the options that they belong to. */
const removeHarmlessFormats = (args: readonly string[]) =>
  args.filter(
    (arg, at) =>
      !(WRITE_OUT.test(arg) && HARMLESS_FORMAT.test(args[at + 1] ?? "%")) &&
      !(WRITE_OUT.test(args[at - 1] ?? "") && HARMLESS_FORMAT.test(arg)),
  );

/** A word that is a variable and nothing else. */
const BARE_VARIABLE = /^\$(?:\w+|\{\w+\})$/;

/** Whether the first command of a line calls a service with what it is given, and shows nothing but the answer. */
function isClientCall(line: string, hasSecret: (word: string) => boolean): boolean {
  const pipelines = splitPipelines(line).filter(({ depth, stages }) => depth === 0 && stages.join("").trim() !== "");
  const [call = "", ...filters] = pipelines[0]?.stages ?? [];
  if (pipelines.length !== 1 || filters.some((stage) => hasSecret(stage))) return false;
  const [program = "", ...args] = splitStage(call).filter(
    (word, at, words) => at > 0 || words.length === 1 || !/^\w+=/.test(word),
  );
  if (program === "psql")
    return args.every(
      (arg, at) => !hasSecret(arg) || (BARE_VARIABLE.test(arg) && args[at - 1]?.startsWith("-") !== true),
    );
  const name = ALIASES[program] ?? program;
  if (!Object.hasOwn(SHOWING_OPTIONS, name)) return false;
  const shown = name === "curl" ? removeHarmlessFormats(args) : args;
  return !shown.some((arg) => SHOWING_OPTIONS[name]?.test(arg) || ECHOING_HOST.test(arg));
}

/** A word as the line has it, without calls of services in it that use secrets: what they answer is none. */
export const removeClientCalls = (word: string, hasSecret: (word: string) => boolean): string =>
  word.includes("$(")
    ? replaceSubstitutions(word, (inside, whole) => (isClientCall(inside, hasSecret) ? "" : whole))
    : word;
