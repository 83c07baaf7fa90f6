import * as v from "valibot";
import type { ConfigProblem, DoctorContext, Finding, HostDoctor } from "../../protocol/host/install.ts";
import { isObject, parseJsonObject } from "../../protocol/object.ts";
import { defineDoctor, noteOpenFailures } from "../setup/checks.ts";
import { createNote, formatPaths, listOurEntries } from "../setup/findings.ts";
import { findJsonProblems, findSchemaProblems, isValidMatcher } from "../setup/json-problems.ts";
import { buildHostEnv, findCallRoot } from "../setup/launches.ts";
import { decodePayload } from "./call.ts";
import { capabilities } from "./capabilities.ts";
import { scriptCodec } from "./native-payloads.ts";
import { judgeAnswer } from "./read-answers.ts";
import samples from "./samples.json" with { type: "json" };

// Config files are JSON5, in which a byte order mark counts as whitespace [shipped 0.36.0].
const ALLOWED_JSON_EXTENSIONS = { comments: true, trailingComma: true, bom: true };
const FILE_CONSEQUENCE = "Auggie ignores the whole file";
const EVENT_CONSEQUENCE = "Auggie ignores this event's entries in this file";

/** Cursor's event names, which Auggie also accepts [shipped 0.36.0]. */
const CURSOR_EVENTS = [
  "beforeShellExecution",
  "beforeMCPExecution",
  "beforeReadFile",
  "afterFileEdit",
  "afterShellExecution",
  "afterMCPExecution",
  "stop",
];

const Handler = v.looseObject({
  type: v.literal("command"),
  command: v.pipe(v.string(), v.nonEmpty("a command is missing")),
  args: v.optional(v.array(v.string())),
  timeout: v.optional(v.pipe(v.number("must be a number of milliseconds"), v.gtValue(0, "must be greater than 0"))),
});
const Group = v.looseObject({
  matcher: v.optional(
    v.pipe(
      v.string(),
      v.check((text) => text !== "*" && isValidMatcher(text), "not a valid pattern"),
    ),
  ),
  hooks: v.array(Handler),
  metadata: v.optional(v.record(v.string(), v.unknown())),
});
/** Auggie skips unknown events. */
const File = v.looseObject({
  hooks: v.optional(
    v.pipe(
      v.unknown(),
      v.check(isObject, "must be an object"),
      v.looseObject(Object.fromEntries(Object.keys(capabilities).map((event) => [event, v.optional(v.array(Group))]))),
    ),
  ),
});

const isJson5 = (text: string): boolean => {
  try {
    return isObject(Bun.JSON5.parse(text));
  } catch {
    return false;
  }
};

/**
 * Finds a Cursor event in a file that also contains Auggie's events. Auggie ignores files that mix the two [shipped
 * 0.36.0].
 */
function findMixedEvents(text: string): ConfigProblem[] {
  const { hooks } = Bun.JSON5.parse(text) as { hooks?: unknown };
  const names = isObject(hooks) ? Object.keys(hooks) : [];
  const cursorEvent = names.find((name) => CURSOR_EVENTS.includes(name));
  return cursorEvent !== undefined && names.some((name) => Object.hasOwn(capabilities, name))
    ? [
        {
          message: `hooks.${cursorEvent} is a Cursor event in a file that also contains Auggie's events; ${FILE_CONSEQUENCE}`,
          path: ["hooks"],
        },
      ]
    : [];
}

/** Finds problems that keep Auggie from applying a config file as written. */
export function findConfigProblems(text: string): ConfigProblem[] {
  if (text.trim() === "") return [];
  const problems = findJsonProblems(text, ALLOWED_JSON_EXTENSIONS, FILE_CONSEQUENCE);
  if (!isJson5(text)) return problems ?? [{ offset: 0, message: `not valid JSON5; ${FILE_CONSEQUENCE}` }];
  const parts = findSchemaProblems(text, File, EVENT_CONSEQUENCE, "part");
  return [...findMixedEvents(text), ...parts.map((part) => ({ ...part, path: part.path?.slice(0, 2) ?? [] }))];
}

/**
 * Notes that hooks depend on the user's account, since no local file shows whether the account has hooks enabled
 * [shipped 0.36.0].
 */
function noteAccounts({ files }: DoctorContext): Finding[] {
  const installedEntries = listOurEntries(files);
  if (installedEntries.length === 0) return [];
  return [
    createNote(
      "account-switch",
      `whether Auggie runs the entries in ${formatPaths(installedEntries.map(({ file }) => file))} depends on the account`,
      "the vendor enables hooks per account; with hooks disabled, no calls are guarded and Auggie gives no warning",
      "run /hooks in auggie to list the entries; if the command is unknown, hooks are disabled",
    ),
  ];
}

/** Launches an entry without a shell, in the first workspace root [shipped 0.36.0]. */
const listLaunches: HostDoctor["listLaunches"] = ({ command, args = [] }, file, payload, machine) => {
  const cwd = findCallRoot(file, machine);
  const env = buildHostEnv(machine.env, scriptCodec.buildScriptEnv(cwd, parseJsonObject(payload) ?? {}));
  return [{ argv: [command, ...args], cwd, env, stdin: payload }];
};

export const hostDoctor = defineDoctor({
  samples,
  capabilities,
  decodePayload,
  findConfigProblems,
  listLaunches,
  judgeAnswer,
  checks: [noteAccounts, noteOpenFailures("Auggie")],
});
