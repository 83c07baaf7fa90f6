import {
  type Cell,
  type Cells,
  cellsOf,
  type Field,
  FIELDS,
  pick,
  type Row,
  type Support,
} from "../../src/protocol/capability.ts";
import type { IHookResponse } from "bridge-hooks";
import {
  type Case,
  type Driver,
  fed,
  file,
  fired,
  first,
  RESULT,
  type Scenario,
  soundness,
  TOKEN,
  VARIABLE,
} from "./driver.ts";
import type { Run } from "./run.ts";

/** A response that has this one field (a reason needs a denial to be read; a rewrite at an approval comes with it). */
export function responseWith(field: Field, { event }: Row, patch: Record<string, unknown>): IHookResponse {
  switch (field) {
    case "allow":
      return { decision: "allow" };
    case "deny":
    case "ask":
      return { decision: field, reason: TOKEN.reason };
    case "reason":
      return { decision: "deny", reason: TOKEN.reason };
    case "modified_input":
      return { ...(event === "PermissionRequest" && { decision: "allow" }), modified_input: patch };
    case "user_message":
    case "additional_context":
    case "modified_output":
      return { [field]: TOKEN[field] };
    case "session_env":
      return { session_env: { [VARIABLE]: TOKEN.session_env } };
  }
}

/** A case for every cell of the host's table that can be seen in a run. */
export function tableCases(driver: Driver): Case[] {
  return Object.entries(driver.scenarios).flatMap(([native_event, scenario]) => {
    const make = driver.host.capabilities[native_event];
    if (!make) throw new Error(`${driver.host.name} has no event ${native_event} in its table`);
    const row = make();
    // Of what a row does not say nothing is to be seen.
    return FIELDS.filter((field) => row[field] && !scenario.unseen?.[field]).flatMap((field) => {
      const cell = pick(cellsOf(row, field), driver.says);
      const ours = cellCase(driver, native_event, scenario, row, field, cell);
      const where = { native_event, field, ...(cell.versions && { versions: cell.versions }) };
      if (isKept(cell)) return [{ ...ours, cell: where }];
      // What we keep from the host shows nothing about the host: that it has no use for the field is seen without us.
      const raw = scenario.unshown?.[field] ? undefined : rawCase(driver, native_event, scenario, field, cell);
      return raw ? [ours, { ...raw, cell: where }] : [ours];
    });
  });
}

const isKept = ({ support }: Cell) => support === "native" || support === "emulated";

/** The host gets a field in its own words that the table says it does not take. */
function rawCase(
  driver: Driver,
  native_event: string,
  scenario: Scenario,
  field: Field,
  { support }: Cell,
): Case | undefined {
  if (!driver.raw) return undefined;
  const sent = field === "reason" || field === "allow" ? "deny" : field;
  const setup = scenario.variants?.[field] ?? scenario.setup;
  const { releases } = scenario;
  const raw = driver.raw(sent, native_event);
  if (!raw) return undefined;
  return {
    name: `${native_event} ${field}, in the host's own words: ${support === "downgrade" ? "not as it is meant" : "without effect"}`,
    setup: { ...setup, plan: [{ event: native_event, ...scenario.at, raw }] },
    executable: "raw",
    newest: true,
    judge: (run) =>
      first(
        soundness(run),
        !fired(run, native_event, scenario.at) && `the hook did not run at ${native_event}`,
        judgeRaw(driver, scenario, field, run),
      ),
    ...(releases && { releases }),
  };
}

/** What the host made of a field that it is said not to take. */
function judgeRaw({ shown }: Driver, scenario: Scenario, field: Field, run: Run): string | undefined {
  const undecided = scenario.unanswered ?? scenario.passed;
  // Where a denial holds, its reason alone is without effect.
  const effect = field !== "reason" && !undecided(run) && "it made a difference to what the host did";
  switch (field) {
    case "allow":
    case "deny":
    case "ask":
      return first(effect);
    case "reason":
      return first(fed(run, TOKEN.reason) && "the model was told the reason");
    case "user_message":
      return first(effect, shown(run).includes(TOKEN.user_message) && "the user was shown the message");
    case "modified_input":
      return first(
        effect,
        (file(run, "marker.txt")?.includes("REWRITTEN") || fed(run, "REWRITTEN")) && "the call was changed",
      );
    case "additional_context":
      return first(effect, fed(run, TOKEN.additional_context) && "the model was told the context");
    case "modified_output":
      return first(effect, fed(run, TOKEN.modified_output) && "the model was given the new result");
    case "session_env":
      return first(effect, (scenario.variables?.(run) ?? fed(run, TOKEN.session_env)) && "the variable was set");
  }
}

/** Fields that keep out of each other's way: one run shows what becomes of all three. */
const TOGETHER: readonly Field[] = ["allow", "user_message", "additional_context"];

function sharesRun(scenario: Scenario, row: Row, field: Field): boolean {
  const { setup, variants = {}, unseen = {}, tellsOnDenial, unanswered } = scenario;
  // Where the host would ask a person, an approval is another thing than no answer.
  if (!TOGETHER.includes(field) || tellsOnDenial || unanswered || !isKept(pick(row.allow as Cells<Support>, undefined)))
    return false;
  return TOGETHER.every((one) => !unseen[one] && (variants[one] ?? setup) === (variants[field] ?? setup));
}

function cellCase(driver: Driver, native_event: string, scenario: Scenario, row: Row, field: Field, cell: Cell): Case {
  const setup = scenario.variants?.[field] ?? scenario.setup;
  const isLoud = field === "modified_output" && cell.support === "unenforceable";
  const shownAlone =
    field === "user_message" || isLoud || (field === "additional_context" && cell.support === "emulated");
  const tells = shownAlone
    ? (scenario.tells ?? driver.tells)
    : field === "reason"
      ? scenario.tells
      : field === "deny" && scenario.variants?.deny
        ? driver.tells
        : undefined;
  const releases = tells ?? scenario.releases;
  const patch = scenario.rewrite?.patch ?? { command: "REWRITTEN" };
  const denying = field === "user_message" && scenario.tellsOnDenial;
  const answer = {
    ...(denying && { decision: "deny" as const, reason: TOKEN.reason }),
    ...(sharesRun(scenario, row, field)
      ? { decision: "allow" as const, user_message: TOKEN.user_message, additional_context: TOKEN.additional_context }
      : responseWith(field, row, patch)),
  };
  return {
    name: `${native_event} ${field}`,
    setup: { ...setup, plan: [{ event: native_event, ...scenario.at, answer }] },
    judge: (run) =>
      first(
        soundness(run),
        !fired(run, native_event, scenario.at) &&
          `our process did not run at ${native_event}: the hook was skipped, or the event did not happen`,
        judgeCell(driver, scenario, row, field, cell, run),
      ),
    ...(releases && { releases }),
  };
}

/** What is wrong with a run in which a hook answered with this field, by what the table says about it. */
function judgeCell(
  { shown }: Driver,
  scenario: Scenario,
  row: Row,
  field: Field,
  cell: Cell,
  run: Run,
): string | undefined {
  const { support } = cell;
  const kept = isKept(cell);
  const passed = scenario.passed(run);
  const ended =
    scenario.ended?.(run) ??
    (run.sessions.every(({ code }) => code === 0) && run.sessions.some(({ stdout }) => stdout.includes("FINAL")));
  const wentOn = (as = scenario.unanswered?.(run) ?? passed) =>
    first(
      !as && "it did not go on",
      !ended && `the host ended with exit code ${run.sessions.at(-1)?.code}, or before the model's last word`,
    );
  const holds = scenario.denied?.(run) ?? !passed;
  const denied = () => !holds && "the denial did not hold";
  const reached = (text: string, reader: "model" | "user") =>
    reader === "model"
      ? !fed(run, text) && `the model was not told ${text}`
      : !shown(run).includes(text) && `the user was not shown ${text}`;

  const { setup, variants = {}, unseen = {} } = scenario;
  const told =
    isKept(pick(row.reason as Cells<Support>, undefined)) && !unseen.reason && (scenario.reader ?? "model") === "model";
  const visible = !unseen.user_message && (variants.deny ?? setup) === (variants.user_message ?? setup);

  switch (field) {
    case "allow":
      return kept ? wentOn(passed) : first(passed && "it went on, although the table says that it does not");
    case "deny":
      if (kept) return first(denied(), told && reached(TOKEN.reason, "model"));
      return first(wentOn(), visible && isKept(pick(row.user_message, undefined)) && reached(TOKEN.reason, "user"));
    case "ask":
      if (support === "native")
        return scenario.asked ? (scenario.asked(run) ? undefined : "nobody was asked") : first(denied());
      return support === "downgrade" ? first(denied()) : wentOn();
    case "reason":
      return kept
        ? first(reached(TOKEN.reason, scenario.reader ?? "model"))
        : first(fed(run, TOKEN.reason) && "the model was told the reason");
    case "user_message":
      return kept
        ? first(reached(TOKEN.user_message, "user"), scenario.tellsOnDenial ? first(denied()) : wentOn())
        : first(shown(run).includes(TOKEN.user_message) && "the user was shown the message", wentOn());
    case "modified_input":
      if (support === "downgrade") return first(denied());
      if (kept) return first(!scenario.rewrite?.done(run) && "the call was not changed");
      return first(fed(run, "REWRITTEN") && "the change reached the model", wentOn());
    case "additional_context":
      if (support === "native") return first(reached(TOKEN.additional_context, "model"), wentOn());
      if (fed(run, TOKEN.additional_context))
        return "the model was told the context, although the table says that it is not";
      return first(kept && reached(TOKEN.additional_context, "user"), wentOn());
    case "modified_output": {
      const original = fed(run, scenario.original ?? RESULT);
      if (kept)
        return first(
          reached(TOKEN.modified_output, "model"),
          original && "the model read the original result",
          wentOn(true),
        );
      const warned = visible && isKept(pick(row.user_message, undefined));
      return first(
        fed(run, TOKEN.modified_output) && "the model was given the new result",
        !original && "the model was not given the original result",
        warned && reached("the model reads the original", "user"),
        wentOn(),
      );
    }
    case "session_env": {
      const set = scenario.variables?.(run) ?? fed(run, `is=${TOKEN.session_env}`);
      return first(kept !== set && (kept ? "the variable was not set" : "the variable was set"), wentOn());
    }
  }
}
