import { readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import * as z from "zod";
import { CALL_EVENTS, EVENTS } from "../../protocol/event.ts";
import { type Hook, listAuthoredFields } from "../../protocol/hook.ts";
import { parseMatcher } from "../../protocol/match.ts";
import { findNearestName, formatHint, suggestName } from "../../protocol/name-suggestions.ts";
import type { Schema } from "../../protocol/schema.ts";
import { TOOLS } from "../../protocol/tool.ts";
import { checkCarriedFile } from "./link-escapes.ts";
import { type SourceProblem, SourceProblemsError, findPosition } from "./problem.ts";

/** Creates a schema that accepts a name or a list of names. */
const createNamesSchema = (field: string, names: readonly string[], emptyMessage: string) => {
  const nameSchema = z.enum(names as [string, ...string[]], {
    error: ({ input }) =>
      `unknown ${field} ${JSON.stringify(input)}${(typeof input === "string" && suggestName(input, names)) || `; known: ${names.join(", ")}`}`,
  });
  return z.preprocess(
    (value) => (value === undefined ? [] : Array.isArray(value) ? value : [value]),
    z.array(nameSchema).min(1, emptyMessage),
  );
};

const textSchema = z.string("must be a string");
const WHOLE_NUMBER_ERROR = "must be a whole number";
const createWholeNumberSchema = (error: string) => z.number(error).int(error).positive(error);

const createStringListSchema = (pattern: RegExp, message: string) =>
  z.array(z.string().regex(pattern, message)).optional();
const LOWER_CASE = /^[^A-Z]+$/;
const LOWER_CASE_ERROR = "use lowercase, because matching is done in lowercase";

const ConcernsSchema = z.strictObject({
  words: createStringListSchema(
    /^[a-z0-9_.-]+(?:(?: [a-z0-9_.-]+)*\*?| \*[^A-Z\s|*]+\*)$/,
    'use lowercase letters, digits, dots, dashes and underscores; use * only at the end, or around part of a command after a word, as in "gh *token*"',
  ),
  bareWords: z
    .record(
      z.string().regex(/^[a-z0-9_.-]+$/, "words must be lowercase"),
      z.string().regex(/^[a-z0-9]*$/, "use lowercase letters and digits"),
    )
    .optional(),
  expansions: createStringListSchema(LOWER_CASE, LOWER_CASE_ERROR),
  names: createStringListSchema(LOWER_CASE, LOWER_CASE_ERROR),
  texts: createStringListSchema(LOWER_CASE, LOWER_CASE_ERROR),
  paths: createStringListSchema(LOWER_CASE, LOWER_CASE_ERROR),
  outward: createStringListSchema(/^[a-z0-9_.-]+$/, "programs must be lowercase"),
  contents: z
    .union([z.literal("secrets"), z.array(z.string().min(1))], 'must be "secrets" or a list of strings')
    .optional(),
  results: z.literal("secrets", 'must be "secrets"').optional(),
  variables: createStringListSchema(/^\w+(?:=[^\t\n]+)?$/, "write variables without $"),
  narrowedBy: createStringListSchema(/./, "must name one of the hook's settings"),
  onlyByRules: createStringListSchema(/./, "name tools"),
  ruleCategories: createStringListSchema(/^[a-z0-9-]+$/, "a category is the part of a rule's ID before the /"),
});

const HookSchema = z.strictObject({
  name: textSchema.regex(/^[\w.-]+$/, "must consist of letters, digits, dots, dashes and underscores").optional(),
  description: textSchema.optional(),
  event: createNamesSchema("event", EVENTS, "must contain at least one event"),
  tool: createNamesSchema(
    "tool",
    TOOLS,
    "must contain at least one tool; to match every tool, omit this field",
  ).optional(),
  matcher: textSchema
    .superRefine((matcher, context) => {
      try {
        parseMatcher(matcher);
      } catch (error) {
        context.addIssue({ code: "custom", message: (error as Error).message });
      }
    })
    .optional(),
  order: z.number("must be a number").optional(),
  onError: z.enum(["allow", "deny"], 'must be "allow" or "deny"').optional(),
  timeoutMs: createWholeNumberSchema(`${WHOLE_NUMBER_ERROR} of milliseconds, 1 or more`).optional(),
  maxContinuations: createWholeNumberSchema(`${WHOLE_NUMBER_ERROR}, 1 or more`).optional(),
  enforced: z.boolean("must be true or false").optional(),
  concerns: ConcernsSchema.optional(),
  pure: z.boolean("must be true or false").optional(),
  options: z
    .custom<Schema>(
      (value) => (value as Schema | undefined)?.["~standard"]?.version === 1,
      "not a schema; use zod, valibot or any other Standard Schema",
    )
    .optional(),
  trustedOptions: z.array(z.string()).optional(),
  additiveOptions: z.array(z.string()).optional(),
  ruleTerms: z.strictObject({ sets: z.array(z.string()), conditions: z.array(z.string()) }).optional(),
  rules: z.custom<Hook["rules"]>((value) => typeof value === "function", "not a function").optional(),
  files: z.array(z.string()).optional(),
  carrying: z.custom<Hook["carrying"]>((value) => typeof value === "function", "not a function").optional(),
  handler: z.custom<Hook["handler"]>((value) => typeof value === "function", "not a function"),
});

/** Matches messages that already name the field. */
const COMPLETE_MESSAGE = /^(?:no file |unknown |matcher ")/;

/** Finds the problems in a module's default export. */
export function findHookProblems(file: string, hook: unknown): SourceProblem[] {
  const source = readFileSync(file, "utf8");
  const problem = (message: string, field?: string, value?: unknown) => ({
    file,
    ...findPosition(source, field, value),
    message,
  });
  if (!isHookLike(hook)) {
    const problemText =
      hook === undefined || source.trim() === "" ? "no default export" : "the default export is not a hook";
    return [
      problem(
        `${problemText}; write "export default defineHook({ … })"; if the file is not a hook, start its name with "_"`,
      ),
    ];
  }
  const { error, data } = HookSchema.safeParse(hook);
  const carried = (data?.files ?? []).flatMap((name) => {
    const message = checkCarriedFile(dirname(file), name);
    return message === undefined ? [] : [problem(message, "files", name)];
  });
  if (carried.length > 0) return carried;
  if (data) return findMisplacedFilters(data).map(({ field, message }) => problem(message, field));
  const unknown = error.issues.flatMap((issue) => (issue.code === "unrecognized_keys" ? issue.keys : []));
  const suggestions = unknown.map((key) => findNearestName(key, listAuthoredFields()));
  return error.issues.flatMap((issue) => {
    if (issue.code === "unrecognized_keys")
      return issue.keys.map((key) => {
        const suggestion = findNearestName(key, listAuthoredFields());
        const hint = formatHint(suggestion) || `; known: ${listAuthoredFields().join(", ")}`;
        return { ...problem(`a hook has no field "${key}"${hint}`, key), ...describeEffect(suggestion) };
      });
    const [field] = issue.path;
    // Don't report a misspelled field as missing.
    if (suggestions.includes(String(field)) && !Object.hasOwn(hook, field as string)) return [];
    // Don't index into strings: a string is a single name, not a list of characters.
    const getField = (part: unknown, key: PropertyKey) =>
      typeof part === "object" ? (part as Record<PropertyKey, unknown> | null)?.[key] : part;
    const value = issue.path.reduce(getField, hook);
    const prefix = COMPLETE_MESSAGE.test(issue.message) ? "" : `${String(field)}: `;
    return [{ ...problem(prefix + issue.message, String(field), value), ...describeEffect(String(field)) }];
  });
}

/** Fields that determine an event's type. */
const TYPING_FIELDS = ["event", "tool", "handler"];
const describeEffect = (field: string | undefined): Pick<SourceProblem, "hidesTypes"> =>
  field !== undefined && TYPING_FIELDS.includes(field) ? { hidesTypes: true } : {};

/**
 * Whether an export was probably meant to be a hook. For any other export, a single problem is reported instead of one
 * per field.
 */
const isHookLike = (value: unknown): value is object =>
  typeof value === "object" && value !== null && ("event" in value || "handler" in value);

/** Finds hooks that filter by tool on events without a tool, and so would never run. */
function findMisplacedFilters({
  event,
  tool,
  matcher = "",
}: z.output<typeof HookSchema>): { field: string; message: string }[] {
  if (event.some((name) => (CALL_EVENTS as readonly string[]).includes(name))) return [];
  const fields = [...(tool ? ["tool"] : []), ...(parseMatcher(matcher).length > 0 ? ["matcher"] : [])];
  const mismatch = `${event.join(" and ")} ${event.length > 1 ? "are" : "is"} none`;
  return fields.map((field) => ({
    field,
    message: `${field} applies only to call events (${CALL_EVENTS.join(", ")}); ${mismatch}`,
  }));
}

/**
 * Returns the hook that a module exports.
 * @throws SourceProblemsError if the hook is invalid.
 */
export function extractHook(module: { default?: unknown }, file: string): Hook {
  const problems = findHookProblems(file, module.default);
  if (problems.length > 0) throw new SourceProblemsError(problems);
  return module.default as Hook;
}

/** Derives the name of an unnamed hook from its file. */
export const deriveHookName = (file: string): string => basename(file).replace(/\.[cm]?[jt]s$/, "");

export function findDuplicateNames(hooks: readonly { name: string; file: string }[]): SourceProblem[] {
  const filesByName = new Map<string, string>();
  return hooks.flatMap(({ name, file }) => {
    const otherFile = filesByName.get(name);
    if (otherFile === undefined) {
      filesByName.set(name, file);
      return [];
    }
    const message =
      basename(otherFile) === basename(file)
        ? `a starter hook has the same name, "${name}"; rename this hook or leave the starter hook out of --with`
        : `${basename(otherFile)} and ${basename(file)} are both named "${name}"; rename one`;
    return [{ file, ...findPosition(readFileSync(file, "utf8"), "name", name), message }];
  });
}
