import { HOME_PLACEHOLDER } from "./tokens.ts";
import type { Arguments, Expression, Value } from "./expression.ts";

type Result = Pick<Expression, "value" | "end" | "isPath">;
type ArgumentReader = () => Arguments | undefined;

const listNames = (names: string): ReadonlySet<string> => new Set(names.split(" "));

/** Functions and methods assumed to return their argument or object unchanged. */
const PASS_THROUGH_FUNCTIONS = listNames(
  "str String list tuple bytes fspath fsencode normalize normpath abspath realpath resolve escapeshellarg",
);
const PASS_THROUGH_METHODS = listNames(
  "strip trim rstrip lstrip chomp decode encode toString to_s to_str valueOf resolve absolute as_posix copy flat freeze dup",
);
const PATH_FUNCTIONS = listNames("Path PurePath PosixPath Pathname joinpath");
const HOME_FUNCTIONS = listNames("expanduser expand_path");
const BASE64_FUNCTIONS = listNames(
  "b64decode urlsafe_b64decode standard_b64decode decodebytes atob base64_decode decode64 strict_decode64 decode_base64",
);
const HEX_FUNCTIONS = listNames("fromhex unhexlify hex2bin");
const FIRST_ITEM_METHODS = listNames("shift first");

export const joinPath = (parts: readonly string[]): string =>
  parts.reduce((path, part) => (/^[/\ue000]/.test(part) || path === "" ? part : `${path.replace(/\/$/, "")}/${part}`));
const expandHome = (text: string) => text.replace(/^~(?=\/|$)/, HOME_PLACEHOLDER);
const decodeBase64 = (text: string) => decodeString(text, "base64");
const decodeString = (text: string, encoding: "base64" | "hex") => Buffer.from(text, encoding).toString("latin1");
const splitWords = (text: string) => text.trim().split(/\s+/);

const isStringValue = (value: Value | undefined): value is string => typeof value === "string";
const getTexts = (values: Arguments["values"]): string[] | undefined => {
  const texts = values.flat();
  return texts.length > 0 && texts.every(isStringValue) ? texts : undefined;
};

/** Evaluates a call to a known function. */
export function callFunction(call: string, readArguments: ArgumentReader): Result | undefined {
  const name = call.slice(Math.max(call.lastIndexOf("."), call.lastIndexOf(":"), call.lastIndexOf(">")) + 1);
  const convert = getConversion(call, name);
  if (!convert) return undefined;
  const values = readArguments();
  const value = values && convert(values.values);
  return value === undefined ? undefined : { value, end: values?.end ?? 0, isPath: PATH_FUNCTIONS.has(name) };
}

type ValueConversion = (values: Arguments["values"]) => Value | undefined;

const createStringConversion =
  (convert: (text: string) => Value): ValueConversion =>
  ([argument]) =>
    isStringValue(argument) ? convert(argument) : undefined;
const joinValues: ValueConversion = (values) => {
  const texts = getTexts(values);
  return texts && joinPath(texts);
};

function getConversion(call: string, name: string): ValueConversion | undefined {
  if (PASS_THROUGH_FUNCTIONS.has(name)) return ([argument]) => argument;
  if (PATH_FUNCTIONS.has(name) || /^(?:Pathname|File)\.new$/.test(call) || /\b(?:path|File)\.join$/.test(call))
    return joinValues;
  if (HOME_FUNCTIONS.has(name)) return createStringConversion(expandHome);
  if (BASE64_FUNCTIONS.has(name)) return createStringConversion(decodeBase64);
  if (HEX_FUNCTIONS.has(name)) return createStringConversion((text) => decodeString(text, "hex"));
  if (/^(?:shlex|Shellwords)\.(?:shell)?split$/.test(call)) return createStringConversion(splitWords);
  if (call === "Buffer.from")
    return ([text, encoding = "utf8"]) =>
      !isStringValue(text) || encoding === "utf8"
        ? text
        : /^(?:base64|hex)/.test(String(encoding))
          ? decodeString(text, encoding === "hex" ? "hex" : "base64")
          : undefined;
  if (name === "join" || name === "implode")
    return (values) => {
      const [separator, ...texts] = getTexts(values) ?? [];
      return separator === undefined ? undefined : texts.join(separator);
    };
  return undefined;
}

/** Evaluates a call to a string or list method. */
export function callMethod(value: Value, name: string, readArguments: ArgumentReader): Result | undefined {
  const callArguments = readArguments();
  if (!callArguments) return undefined;
  const { end, values } = callArguments;
  const result = PASS_THROUGH_METHODS.has(name)
    ? value
    : isStringValue(value)
      ? callStringMethod(value, name, values)
      : callListMethod(value, name, values);
  return result === undefined ? undefined : { value: result, end };
}

function callStringMethod(text: string, name: string, values: Arguments["values"]): Value | undefined {
  const texts = getTexts(values) ?? [];
  const [firstText = ""] = texts;
  if (name === "expanduser") return expandHome(text);
  if (name === "shellsplit") return splitWords(text);
  if (name === "split") return firstText.trim() === "" ? splitWords(text) : text.split(firstText);
  if (values.length !== texts.length && !values.some(Array.isArray)) return undefined;
  if (name === "concat") return text + texts.join("");
  if (name === "joinpath") return joinPath([text, ...texts]);
  if (name === "join") return values.some(Array.isArray) ? texts.join(text) : undefined;
  if (name === "format")
    return text.replace(/\{(\d?)\}/g, (_, at) => texts[Number(at)] ?? (at === "" ? texts.shift() : "") ?? "");
  if ((name === "replace" || name === "replaceAll" || name === "gsub") && texts.length === 2)
    return text.split(firstText).slice(0, 50).join(texts[1]);
  return name === "reverse" ? [...text].toReversed().join("") : undefined;
}

function callListMethod(list: readonly string[], name: string, values: Arguments["values"]): Value | undefined {
  const texts = getTexts(values) ?? [];
  if (name === "join") return list.join(texts[0] ?? ",");
  if (name === "concat") return [...list, ...texts];
  if (name === "reverse") return list.toReversed();
  if (FIRST_ITEM_METHODS.has(name)) return list[0];
  return name === "pop" || name === "last" ? list.at(-1) : undefined;
}
