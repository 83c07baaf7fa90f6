import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import * as z from "zod";
import { EVENTS } from "../../core/event.ts";
import { type Hook, HOOK_FIELDS } from "../../core/hook.ts";
import { alternatives } from "../../core/match.ts";
import { hint } from "../../core/near.ts";
import type { Schema } from "../../core/schema.ts";
import { TOOLS } from "../../core/tool.ts";
import { type Problem, Problems, positionOf } from "./problem.ts";

/** One of the names, or several; a message lists them. */
const some = (what: string, names: readonly string[]) => {
  const one = z.enum(names as [string, ...string[]], {
    error: ({ input }) => `there is no ${what} ${JSON.stringify(input)}; known: ${names.join(", ")}`,
  });
  return z.preprocess((value) => (Array.isArray(value) ? value : [value]), z.array(one).min(1));
};

const HookModule = z.strictObject({
  name: z
    .string()
    .regex(/^[\w.-]+$/, "letters, digits, dots and dashes")
    .optional(),
  description: z.string().optional(),
  event: some("event", EVENTS),
  tool: some("tool", TOOLS).optional(),
  matcher: z
    .string()
    .superRefine((matcher, context) => {
      try {
        alternatives(matcher);
      } catch (error) {
        context.addIssue({ code: "custom", message: (error as Error).message });
      }
    })
    .optional(),
  order: z.number().optional(),
  onError: z.enum(["allow", "deny"]).optional(),
  timeout_ms: z.number().int().positive().optional(),
  max_continuations: z.number().int().positive().optional(),
  options: z
    .custom<Schema>(
      (value) => (value as Schema | undefined)?.["~standard"]?.version === 1,
      "no schema; write one with zod or valibot (any Standard Schema will do)",
    )
    .optional(),
  trusted_options: z.array(z.string()).optional(),
  files: z.array(z.string()).optional(),
  carrying: z.custom<Hook["carrying"]>((value) => typeof value === "function", "not a function").optional(),
  handler: z.custom<Hook["handler"]>((value) => typeof value === "function", "not a function"),
});

/** What is wrong with what a module exports. */
export function problemsOf(file: string, hook: unknown): Problem[] {
  const source = readFileSync(file, "utf8");
  const problem = (message: string, field?: string, value?: unknown) => ({ file, ...positionOf(source, field, value), message });
  if (hook === undefined) return [problem('there is no default export; write "export default defineHook({ … })"')];
  const { error, data } = HookModule.safeParse(hook);
  const gone = data?.files?.filter((name) => !existsSync(join(dirname(file), name))) ?? [];
  if (gone.length > 0) return gone.map((name) => problem(`there is no file ${name} beside this module`, "files", name));
  return (error?.issues ?? []).flatMap((issue) => {
    if (issue.code === "unrecognized_keys")
      return issue.keys.map((key) =>
        problem(`a hook has no field "${key}"${hint(key, HOOK_FIELDS) || `; known: ${HOOK_FIELDS.join(", ")}`}`, key),
      );
    const [field] = issue.path;
    if (field === undefined) return [problem(`the default export is no hook as defineHook takes it: ${issue.message}`)];
    // A text is one name, not a list of letters.
    const inside = (part: unknown, key: PropertyKey) =>
      typeof part === "object" ? (part as Record<PropertyKey, unknown> | null)?.[key] : part;
    const value = issue.path.reduce(inside, hook);
    const what = issue.message.startsWith("there is no") ? "" : `${String(field)}: `;
    return [problem(what + issue.message, String(field), value)];
  });
}

/**
 * The hook that a module exports.
 * @throws Problems with it.
 */
export function hookIn(module: { default?: unknown }, file: string): Hook {
  const problems = problemsOf(file, module.default);
  if (problems.length > 0) throw new Problems(problems);
  return module.default as Hook;
}

/** What a hook is called that has no name of its own. */
export const nameOf = (file: string): string => basename(file).replace(/\.[cm]?[jt]s$/, "");

/** Hooks that have the name of another. */
export function doubles(hooks: readonly { name: string; file: string }[]): Problem[] {
  const seen = new Map<string, string>();
  return hooks.flatMap(({ name, file }) => {
    const other = seen.get(name);
    if (other === undefined) {
      seen.set(name, file);
      return [];
    }
    const message = `${basename(other)} and ${basename(file)} are both named "${name}"; names tell hooks apart, change one`;
    return [{ file, ...positionOf(readFileSync(file, "utf8"), "name", name), message }];
  });
}
