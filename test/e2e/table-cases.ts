import {
  type CapabilityCell,
  type CapabilityCells,
  getCells,
  type CapabilityField,
  CAPABILITY_FIELDS,
  pickCell,
  type CapabilityRow,
  type Support,
} from "../../src/protocol/capability.ts";
import type { IHookResponse } from "bridge-hooks";
import {
  type HostCase,
  type HostDriver,
  hasReachedModel,
  readProjectFile,
  hasFired,
  findFirstProblem,
  RESULT_TEXT,
  type HostScenario,
  findRunProblem,
  createEventToken,
  TOKENS,
  SESSION_VARIABLE,
} from "./driver.ts";
import type { HostRun } from "./run.ts";

/**
 * Builds a response with a single field. However, a reason also needs a denial, and on an approval event, a rewrite
 * also needs an approval.
 */
export function responseWith(
  field: CapabilityField,
  { event }: CapabilityRow,
  patch: Record<string, unknown>,
): IHookResponse {
  switch (field) {
    case "allow":
      return { decision: "allow" };
    case "deny":
    case "ask":
      return { decision: field, reason: TOKENS.reason };
    case "reason":
      return { decision: "deny", reason: TOKENS.reason };
    case "modified_input":
      return { ...(event === "PermissionRequest" && { decision: "allow" }), modified_input: patch };
    case "user_message":
    case "additional_context":
    case "modified_output":
      return { [field]: TOKENS[field] };
    case "session_env":
      return { session_env: { [SESSION_VARIABLE]: TOKENS.session_env } };
  }
}

/** Builds a case for each cell in the host's table that a run can show. */
export function tableCases(driver: HostDriver): HostCase[] {
  return Object.entries(driver.scenarios).flatMap(([native_event, scenario]) => {
    const make = driver.host.capabilities[native_event];
    if (!make) throw new Error(`${driver.host.name} has no event ${native_event} in its table`);
    const row = make();
    // If the row lacks a field, there is no effect to observe.
    return CAPABILITY_FIELDS.filter((field) => row[field] && !scenario.unseen?.[field]).flatMap((field) => {
      const cell = pickCell(getCells(row, field), driver.says);
      const ours = cellCase(driver, native_event, scenario, row, field, cell);
      const where = { native_event, field, ...(cell.versions && { versions: cell.versions }) };
      if (isKept(cell)) return [{ ...ours, cell: where }];
      // If bridge-hooks drops a field, nothing is proved about the host. Only an answer given without bridge-hooks can
      // show that the host ignores the field.
      const raw = scenario.unshown?.[field] ? undefined : rawCase(driver, native_event, scenario, field, cell);
      return raw ? [ours, { ...raw, cell: where }] : [ours];
    });
  });
}

const isKept = ({ support }: CapabilityCell) => support === "native" || support === "emulated";

/** Builds a case that sends the host a field in its own format, even though the table marks it as unsupported. */
function rawCase(
  driver: HostDriver,
  native_event: string,
  scenario: HostScenario,
  field: CapabilityField,
  { support }: CapabilityCell,
): HostCase | undefined {
  if (!driver.raw) return undefined;
  const sent = field === "reason" || field === "allow" ? "deny" : field;
  const setup = scenario.variants?.[field] ?? scenario.setup;
  const { releases } = scenario;
  const raw = driver.raw(sent, native_event);
  if (!raw) return undefined;
  return {
    name: `${native_event} ${field}, in the host's own format: ${support === "downgrade" ? "a different effect" : "no effect"}`,
    setup: { ...setup, plan: [{ event: native_event, ...scenario.at, raw }] },
    executable: "raw",
    newest: true,
    judge: (run) =>
      findFirstProblem(
        findRunProblem(run),
        !hasFired(run, native_event, scenario.at) && `the hook did not run at ${native_event}`,
        judgeRaw(driver, scenario, field, run),
      ),
    ...(releases && { releases }),
  };
}

/** Describes what a field did even though the table marks it as unsupported. */
function judgeRaw(
  { shown }: HostDriver,
  scenario: HostScenario,
  field: CapabilityField,
  run: HostRun,
): string | undefined {
  const undecided = scenario.unanswered ?? scenario.passed;
  // The reason was sent with a denial, which may be enforced even if the reason has no effect.
  const effect = field !== "reason" && !undecided(run) && "the field changed the host's behavior";
  switch (field) {
    case "allow":
    case "deny":
    case "ask":
      return findFirstProblem(effect);
    case "reason":
      return findFirstProblem(hasReachedModel(run, TOKENS.reason) && "the model got the reason");
    case "user_message":
      return findFirstProblem(effect, shown(run).includes(TOKENS.user_message) && "the user saw the message");
    case "modified_input":
      return findFirstProblem(
        effect,
        (readProjectFile(run, "marker.txt")?.includes("REWRITTEN") || hasReachedModel(run, "REWRITTEN")) &&
          "the call was changed",
      );
    case "additional_context":
      return findFirstProblem(effect, hasReachedModel(run, TOKENS.additional_context) && "the model got the context");
    case "modified_output":
      return findFirstProblem(effect, hasReachedModel(run, TOKENS.modified_output) && "the model got the new result");
    case "session_env":
      return findFirstProblem(
        effect,
        (scenario.variables?.(run) ?? hasReachedModel(run, TOKENS.session_env)) && "the variable was set",
      );
  }
}

/** Adds event-specific tokens to an answer, since a run may answer several events. */
const withEventTokens = (answer: IHookResponse, native_event: string): IHookResponse => ({
  ...answer,
  ...(answer.user_message && { user_message: createEventToken("user_message", native_event) }),
  ...(answer.additional_context && { additional_context: createEventToken("additional_context", native_event) }),
});

/**
 * Whether an answer only adds text and doesn't affect which calls are allowed. If a call is approved, the host doesn't
 * ask the user, so an event that announces a prompt needs its own runs.
 */
const isHarmless = (
  { unanswered }: HostScenario,
  { event }: CapabilityRow,
  { decision, modified_input, modified_output }: IHookResponse,
) =>
  event !== "PermissionRequest" &&
  (decision === undefined || (decision === "allow" && !unanswered)) &&
  !modified_input &&
  modified_output === undefined;

/** These fields don't interfere with one another, so a single run can test all three. */
const TOGETHER: readonly CapabilityField[] = ["allow", "user_message", "additional_context"];

function sharesRun(scenario: HostScenario, row: CapabilityRow, field: CapabilityField): boolean {
  const { setup, variants = {}, unseen = {}, tellsOnDenial, unanswered } = scenario;
  // If the host would otherwise ask the user, an approval isn't the same as no answer.
  if (
    !TOGETHER.includes(field) ||
    tellsOnDenial ||
    unanswered ||
    !isKept(pickCell(row.allow as CapabilityCells<Support>, undefined))
  )
    return false;
  return TOGETHER.every((one) => !unseen[one] && (variants[one] ?? setup) === (variants[field] ?? setup));
}

function cellCase(
  driver: HostDriver,
  native_event: string,
  scenario: HostScenario,
  row: CapabilityRow,
  field: CapabilityField,
  cell: CapabilityCell,
): HostCase {
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
  const answer: IHookResponse = {
    ...(denying && { decision: "deny", reason: TOKENS.reason }),
    ...(sharesRun(scenario, row, field)
      ? { decision: "allow", user_message: TOKENS.user_message, additional_context: TOKENS.additional_context }
      : responseWith(field, row, patch)),
  };
  return {
    name: `${native_event} ${field}`,
    setup: {
      ...setup,
      plan: [{ event: native_event, ...scenario.at, answer: withEventTokens(answer, native_event) }],
    },
    ...(isHarmless(scenario, row, answer) && { harmless: true }),
    judge: (run) =>
      findFirstProblem(
        findRunProblem(run),
        !hasFired(run, native_event, scenario.at) &&
          `the executable did not run at ${native_event}: the hook was skipped, or the event did not occur`,
        judgeCell(driver, native_event, scenario, row, field, cell, run),
      ),
    ...(releases && { releases }),
  };
}

/** Describes how a run in which a hook returned this field contradicts the table. */
function judgeCell(
  { shown }: HostDriver,
  native_event: string,
  scenario: HostScenario,
  row: CapabilityRow,
  field: CapabilityField,
  cell: CapabilityCell,
  run: HostRun,
): string | undefined {
  const { support } = cell;
  const message = createEventToken("user_message", native_event);
  const context = createEventToken("additional_context", native_event);
  const kept = isKept(cell);
  const passed = scenario.passed(run);
  const ended =
    scenario.ended?.(run) ??
    (run.sessions.every(({ code }) => code === 0) && run.sessions.some(({ stdout }) => stdout.includes("FINAL")));
  const wentOn = (as = scenario.unanswered?.(run) ?? passed) =>
    findFirstProblem(
      !as && "the action did not continue",
      !ended && `the host ended with exit code ${run.sessions.at(-1)?.code}, or before the model's last turn`,
    );
  const holds = scenario.denied?.(run) ?? !passed;
  const denied = () => !holds && "the denial was not enforced";
  const reached = (text: string, reader: "model" | "user") =>
    reader === "model"
      ? !hasReachedModel(run, text) && `the model did not get ${text}`
      : !shown(run).includes(text) && `the user did not see ${text}`;

  const { setup, variants = {}, unseen = {} } = scenario;
  const told =
    isKept(pickCell(row.reason as CapabilityCells<Support>, undefined)) &&
    !unseen.reason &&
    (scenario.reader ?? "model") === "model";
  const visible = !unseen.user_message && (variants.deny ?? setup) === (variants.user_message ?? setup);

  switch (field) {
    case "allow":
      return kept
        ? wentOn(passed)
        : findFirstProblem(passed && "the action continued, although the table says that it doesn't");
    case "deny":
      if (kept) return findFirstProblem(denied(), told && reached(TOKENS.reason, "model"));
      return findFirstProblem(
        wentOn(),
        visible && isKept(pickCell(row.user_message, undefined)) && reached(TOKENS.reason, "user"),
      );
    case "ask":
      if (support === "native")
        return scenario.asked
          ? scenario.asked(run)
            ? undefined
            : "the user was not asked"
          : findFirstProblem(denied());
      return support === "downgrade" ? findFirstProblem(denied()) : wentOn();
    case "reason":
      return kept
        ? findFirstProblem(reached(TOKENS.reason, scenario.reader ?? "model"))
        : findFirstProblem(hasReachedModel(run, TOKENS.reason) && "the model got the reason");
    case "user_message":
      return kept
        ? findFirstProblem(reached(message, "user"), scenario.tellsOnDenial ? findFirstProblem(denied()) : wentOn())
        : findFirstProblem(shown(run).includes(message) && "the user saw the message", wentOn());
    case "modified_input":
      if (support === "downgrade") return findFirstProblem(denied());
      if (kept) return findFirstProblem(!scenario.rewrite?.done(run) && "the call was not changed");
      return findFirstProblem(hasReachedModel(run, "REWRITTEN") && "the change reached the model", wentOn());
    case "additional_context":
      if (support === "native") return findFirstProblem(reached(context, "model"), wentOn());
      if (hasReachedModel(run, context)) return "the model got the context, although the table says that it doesn't";
      return findFirstProblem(kept && reached(context, "user"), wentOn());
    case "modified_output": {
      const original = hasReachedModel(run, scenario.original ?? RESULT_TEXT);
      if (kept)
        return findFirstProblem(
          reached(TOKENS.modified_output, "model"),
          original && "the model read the original result",
          wentOn(true),
        );
      const warned = visible && isKept(pickCell(row.user_message, undefined));
      return findFirstProblem(
        hasReachedModel(run, TOKENS.modified_output) && "the model got the new result",
        !original && "the model did not get the original result",
        warned && reached("the model reads the original", "user"),
        wentOn(),
      );
    }
    case "session_env": {
      const set = scenario.variables?.(run) ?? hasReachedModel(run, `is=${TOKENS.session_env}`);
      return findFirstProblem(kept !== set && (kept ? "the variable was not set" : "the variable was set"), wentOn());
    }
  }
}
