import { describe, expect, test } from "bun:test";
import { formatOcsf } from "../../../src/operate/export/ocsf.ts";
import { formatOtlp } from "../../../src/operate/export/otlp.ts";
import type { OtlpDraft } from "../../../src/operate/export/otlp-drafts.ts";
import type { LogLine } from "../../../src/call/log/log-line.ts";
import { createExactLine, ExportLogsServiceRequest } from "./export-support.ts";

describe("an OCSF event", () => {
  test("has all fields required by its class and profiles, and every field of the record", () => {
    const line = createExactLine({
      host: "one",
      host_version: "2.1",
      event: "PreToolUse",
      tool: "Bash",
      session: "s",
      user: "mia",
      hook: "guard",
      rule: "git/push",
      subject: "git push",
      reason: "no",
      policy: { name: "acme", version: "1", hash: "abc" },
      asked: { command: "git push" },
      seq: 7,
      prev: "",
    });
    const event = formatOcsf(line) as Record<string, never>;
    expect(event).toMatchObject({
      class_uid: 6003,
      category_uid: 6,
      activity_id: 99,
      activity_name: "Bash",
      type_uid: 600399,
      time: 1_795_514_400_250,
      duration: 2,
      severity_id: 3,
      action_id: 2,
      disposition_id: 2,
      status_id: 2,
      message: "deny: git push (git/push)",
      metadata: { uid: "aaaaaaaa", version: "1.9.0", profiles: ["ai_operation", "security_control"], sequence: 7 },
      actor: { app_name: "one", user: { name: "mia" }, session: { uid: "s" } },
      api: { operation: "Bash" },
      ai_agent: { uid: "one", name: "one", version: "2.1", instance_uid: "s", type_id: 0 },
      message_context: { uid: "s", application: { name: "one" }, ai_role_id: 3 },
      policy: { name: "acme", version: "1", uid: "abc" },
    });
    expect(Object.keys(event.unmapped as never).sort()).toEqual(
      ["asked", "content", "decision", "event", "hook", "mode", "prev", "reason", "rule", "subject", "tool"].sort(),
    );
  });
  // Required fields, and groups of which at least one field is required, including those in nested objects. [docs
  // https://schema.ocsf.io/1.9.0]
  const REQUIRED: Record<string, string[]> = {
    "": ["activity_id", "actor", "api", "category_uid", "class_uid", "metadata", "severity_id", "src_endpoint", "time"],
    api: ["operation"],
    metadata: ["product", "version"],
    "metadata.product": ["vendor_name"],
    ai_agent: ["uid"],
  };
  const ONE_OF: Record<string, string[]> = {
    actor: ["process", "user", "session", "app_name", "app_uid"],
    src_endpoint: ["ip", "uid", "name", "hostname", "svc_name"],
    "metadata.product": ["name", "uid"],
    message_context: ["application", "service"],
    "message_context.application": ["uid", "name"],
    policy: ["name", "uid"],
  };
  test("has all fields required by the schema, for every kind of record", () => {
    const policy = { name: "acme", version: "1", hash: "abc" };
    const kinds: Partial<LogLine>[] = [
      { decision: "deny", host: "one", event: "PreToolUse", tool: "Bash", session: "s", policy },
      { decision: "none", wanted: "deny", mode: "warn", action: "warn", host: "one", policy },
      { decision: "none", wanted: "ask", mode: "observe", host: "one" },
      { decision: "deny", part: "head" },
      { decision: "none", failures: [{ failure: "x" }] },
      { decision: "none", change: { command: "allow", exception: "e" }, user: "mia" },
    ];
    for (const kind of kinds) {
      const event = formatOcsf(createExactLine(kind));
      const find = (path: string): object =>
        path === "" ? event : (path.split(".").reduce((one, key) => (one as never)[key], event as object) ?? {});
      expect(event.type_uid).toBe((event.class_uid as number) * 100 + (event.activity_id as number));
      for (const [path, names] of Object.entries(REQUIRED))
        expect(Object.keys(find(path))).toEqual(expect.arrayContaining(names));
      for (const [path, names] of Object.entries(ONE_OF))
        if (path !== "policy" || kind.policy)
          expect([path, names.some((name) => Object.hasOwn(find(path), name))]).toEqual([path, true]);
    }
  });
  test("has a known activity, disposition and action for every kind of record", () => {
    const cases: [Partial<LogLine>, activity: number, disposition: number, action: number][] = [
      [{ tool: "Read" }, 2, 2, 2],
      [{ tool: "Edit", decision: "ask" }, 3, 23, 0],
      [{ decision: "none", wanted: "deny", mode: "observe" }, 99, 17, 1],
      [{ decision: "none", wanted: "deny" }, 99, 27, 0],
      [{ decision: "none", changed: ["a"] }, 99, 11, 1],
      [{ decision: "none", wanted: "deny", exceptions: ["e"] }, 99, 8, 1],
      [{ decision: "none", change: { command: "pause", exception: "e" } }, 99, 1, 1],
      [{ decision: "allow", event: "UserPromptSubmit" }, 99, 1, 1],
    ];
    for (const [more, activity_id, disposition_id, action_id] of cases)
      expect(formatOcsf(createExactLine(more))).toMatchObject({
        activity_id,
        disposition_id,
        action_id,
        type_uid: 600_300 + activity_id,
      });
  });
});

describe("the format of OpenTelemetry's draft conventions", () => {
  const read = (more: Partial<LogLine>, draft: OtlpDraft) => {
    const { resourceLogs } = ExportLogsServiceRequest.parse(JSON.parse(formatOtlp([createExactLine(more)], draft)));
    const [record] = resourceLogs[0]?.scopeLogs[0]?.logRecords ?? [];
    const found = record?.attributes.filter(({ key }) => /^gen_ai\.(?:security|guardrail)\./.test(key)) ?? [];
    return {
      name: record?.eventName,
      ...Object.fromEntries(found.map(({ key, value }) => [key, Object.values(value as object)[0] as string])),
    } as Record<string, string>;
  };
  const policy = { name: "acme", version: "1.4.0", hash: "0123456789ab" };
  const call = {
    event: "PreToolUse",
    tool: "Bash",
    hook: "guard",
    rule: "git/push",
    reason: "quotes it",
    policy,
  } as const;
  test("has the required fields of a finding, valid values, and nothing from the call", () => {
    const verdicts = ["allow", "audit", "deny", "escalate", "modify", "warn"];
    const actions = ["allow", "audit", "block", "escalate", "modify"];
    const cases: [Partial<LogLine>, verdict: string, action: string][] = [
      [{ ...call, decision: "deny" }, "deny", "block"],
      [{ ...call, decision: "ask" }, "escalate", "escalate"],
      [{ ...call, decision: "none", changed: ["command"] }, "modify", "modify"],
      [{ ...call, decision: "none", wanted: "deny", mode: "observe" }, "deny", "audit"],
      [{ ...call, decision: "none", wanted: "deny", mode: "warn", action: "warn" }, "warn", "audit"],
      [{ ...call, decision: "none", wanted: "deny", exceptions: ["e"] }, "deny", "allow"],
      [{ decision: "allow" }, "allow", "allow"],
    ];
    for (const [line, verdict, action] of cases) {
      const found = read(line, "gen-ai-security@35b2921");
      expect([found.name, found["gen_ai.security.verdict.type"], found["gen_ai.security.action.type"]]).toEqual([
        "gen_ai.security.finding",
        verdict,
        action,
      ]);
      expect([verdicts.includes(verdict), actions.includes(action)]).toEqual([true, true]);
      for (const name of ["policy.id", "risk.finding", "target.type"])
        expect(found[`gen_ai.security.${name}`]).toMatch(/./);
      expect(JSON.stringify(found)).not.toContain("quotes it");
    }
    expect(read({ ...call, event: "PostToolUse" }, "gen-ai-security@35b2921")).toMatchObject({
      "gen_ai.security.policy.rule.id": "git/push",
      "gen_ai.security.risk.finding": "custom:git/push",
      "gen_ai.security.target.type": "output",
      "gen_ai.security.target.subtype": "tool_call",
    });
  });
  test("has our own outcome as the result if the draft has no verdict for it", () => {
    expect(read({ ...call, decision: "deny" }, "gen-ai-guardrail@f5e3733")).toEqual({
      name: "gen_ai.guardrail.result",
      "gen_ai.guardrail.component.name": "bridge-hooks",
      "gen_ai.guardrail.policy.id": "0123456789ab",
      "gen_ai.guardrail.policy.version": "1.4.0",
      "gen_ai.guardrail.policy.rule.id": "git/push",
      "gen_ai.guardrail.risk.category": "git",
      "gen_ai.guardrail.source": "PreToolUse",
      "gen_ai.guardrail.result.type": "outcome",
      "gen_ai.guardrail.result.value": "denied",
    });
  });
  test("is only used on request, and not for a record without a call", () => {
    const change = { change: { command: "allow", exception: "e" } } as const;
    expect(read(change, "gen-ai-security@35b2921")).toEqual({ name: "bridge_hooks.decision" });
    expect(formatOtlp([createExactLine(call)])).not.toContain("gen_ai.security");
  });
});
