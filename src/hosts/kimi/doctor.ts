import * as v from "valibot";
import type { ConfigProblem, HostDoctor } from "../../protocol/host/install.ts";
import { kimi } from "../entries.ts";
import { systemProgram } from "../find-program.ts";
import { defineDoctor, noteOpenFailures } from "../setup/checks.ts";
import { isValidMatcher } from "../setup/json-problems.ts";
import { buildHostEnv, findCallRoot } from "../setup/launches.ts";
import { findTomlProblems } from "../setup/toml-problems.ts";
import { decodePayload } from "./call.ts";
import { capabilities } from "./capabilities.ts";
import { judgeAnswer } from "./read-answers.ts";
import samples from "./samples.json" with { type: "json" };

// How Kimi Code reacts to invalid config [seen 2.1.0, 2026-11-29, in kimi doctor config and runs].
const FILE_CONSEQUENCE = "Kimi Code runs none of the hooks in this file";
const ENTRY_CONSEQUENCE = "Kimi Code never runs this entry";

/** A single unknown key or invalid value in one entry disables all hooks. */
const Entry = v.strictObject(
  {
    event: v.picklist(Object.keys(capabilities), "not an event that Kimi Code supports"),
    matcher: v.optional(v.string()),
    command: v.pipe(v.string(), v.nonEmpty("a command is missing")),
    timeout: v.optional(
      v.pipe(
        v.number(),
        v.integer("must be a whole number of seconds"),
        v.minValue(1, "must be between 1 and 600 seconds"),
        v.maxValue(600, "must be between 1 and 600 seconds"),
      ),
    ),
  },
  "must be a table with only event, command, matcher and timeout",
);
/**
 * config.toml also contains settings other than hooks. If one of them is invalid, Kimi Code ignores that setting but
 * still reads the file.
 */
const Config = v.looseObject({
  hooks: v.optional(v.array(Entry, "must be a list: write each entry as [[hooks]]")),
});
/** An invalid matcher matches nothing [shipped 2.1.0]. */
const MatchedEntry = v.looseObject({
  hooks: v.optional(
    v.array(
      v.looseObject({
        matcher: v.optional(v.pipe(v.string(), v.check(isValidMatcher, "not a regular expression"))),
      }),
    ),
  ),
});

/** Kimi Code's TOML parser rejects integers that don't fit into a JavaScript number. */
const INTEGER_LIMITS = { bits: 54 };

/** Finds the problems that would keep Kimi Code from applying a config file as written. */
export function findConfigProblems(text: string): ConfigProblem[] {
  const problems = findTomlProblems(text, Config, FILE_CONSEQUENCE, INTEGER_LIMITS);
  return problems.length > 0
    ? problems
    : findTomlProblems(text, MatchedEntry, ENTRY_CONSEQUENCE, { ...INTEGER_LIMITS, extent: "part" });
}

/** Launches an entry in a shell in the session's directory [seen 2.1.0, 2026-11-27; on Windows shipped 2.1.0]. */
const listLaunches: HostDoctor["listLaunches"] = ({ command }, file, payload, machine) => [
  {
    argv: machine.platform === "win32" ? [systemProgram("cmd"), "/d", "/s", "/c", command] : ["/bin/sh", "-c", command],
    cwd: findCallRoot(file, machine),
    env: buildHostEnv(machine.env),
    stdin: payload,
  },
];

export const hostDoctor = defineDoctor({
  samples,
  capabilities,
  decodePayload,
  findConfigProblems,
  listLaunches,
  judgeAnswer,
  checks: [noteOpenFailures(kimi.name)],
});
