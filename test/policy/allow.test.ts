import { expect, test } from "bun:test";
import { findInvalidReason, isInForce, MAX_PAUSE_DURATION_MS, DEFAULT_ALLOW_POLICY } from "../../src/policy/allow.ts";

const NOW = Date.parse("2026-11-28T12:00:00Z");
const HOOKS = "0123456789ab";
const at = (hours: number) => new Date(NOW + hours * 3_600_000).toISOString();
const judge = (made: string, until: string, more: object = {}, policy = DEFAULT_ALLOW_POLICY) => {
  const record = { scope: "user" as const, made, until, policy: HOOKS, ...more };
  const moment = { now: NOW, hooks: HOOKS };
  return [isInForce(record, policy, moment), findInvalidReason(record, policy, moment)];
};

test("an exception is valid from its creation until its end", () => {
  expect(judge(at(-1), at(1))).toEqual([true, undefined]);
  expect(judge(at(0), at(24 * 365))).toEqual([true, undefined]);
  expect(judge(at(-2), at(-1))).toEqual([false, undefined]);
  expect(judge(new Date(NOW + 30_000).toISOString(), at(1))).toEqual([true, undefined]);
});

test("an exception created in the future is void", () => {
  const reason = "the creation time is in the future";
  expect(judge(at(1), at(2))).toEqual([false, reason]);
  expect(judge("2090-01-01T00:00:00Z", "2099-01-01T00:00:00Z")).toEqual([false, reason]);
  expect(judge("2090-01-01T00:00:00Z", "2090-01-01T01:00:00Z", { pause: true })).toEqual([false, reason]);
});

test("an exception or pause that lasts longer than the policy's maximum is void", () => {
  const reason = "the duration exceeds the limit";
  const policy = { ...DEFAULT_ALLOW_POLICY, maxMs: 3_600_000 };
  expect(judge(at(-0.5), at(0.5), {}, policy)).toEqual([true, undefined]);
  expect(judge(at(-0.5), at(0.6), {}, policy)).toEqual([false, reason]);
  expect(judge(at(0), at(MAX_PAUSE_DURATION_MS / 3_600_000), { pause: true })).toEqual([true, undefined]);
  expect(judge(at(-1), at(MAX_PAUSE_DURATION_MS / 3_600_000), { pause: true })).toEqual([false, reason]);
});

test("a user's exception is void if only administrators, or nobody, may create them", () => {
  const reason = "the managed config file doesn't allow this exception";
  expect(judge(at(-1), at(1), {}, { ...DEFAULT_ALLOW_POLICY, by: "nobody" })).toEqual([false, reason]);
  expect(judge(at(-1), at(1), {}, { ...DEFAULT_ALLOW_POLICY, by: "administrators" })).toEqual([false, reason]);
  expect(judge(at(-1), at(1), { scope: "managed" }, { ...DEFAULT_ALLOW_POLICY, by: "administrators" })).toEqual([
    true,
    undefined,
  ]);
});

test("an exception for a rule, or a pause, is void if it was created for other hooks", () => {
  const reason =
    "the exception was created for other hooks (hash ba9876543210, here 0123456789ab); revoke it, and create it again if needed";
  expect(judge(at(-1), at(1), { policy: "ba9876543210" })).toEqual([false, reason]);
  expect(judge(at(-1), at(1), { policy: "ba9876543210", pause: true })).toEqual([false, reason]);
  expect(judge(at(-1), at(1), { policy: undefined })).toEqual([false, reason.replace("ba9876543210", "unknown")]);
});

test("an exception for a call is bound to its verdict instead of the hooks", () => {
  expect(judge(at(-1), at(1), { policy: "ba9876543210", call: {} })).toEqual([true, undefined]);
});

test("an exception is void if the managed file requires another kind of confirmation", () => {
  const policy = { ...DEFAULT_ALLOW_POLICY, from: ["login-terminal", "ssh"] as const };
  const reason = "the confirmation came from tmux, but the managed config file requires login-terminal or ssh";
  expect(judge(at(-1), at(1), { confirmed: "ssh" }, policy)).toEqual([true, undefined]);
  expect(judge(at(-1), at(1), { confirmed: "tmux" }, policy)).toEqual([false, reason]);
  expect(judge(at(-1), at(1), {}, policy)).toEqual([false, reason.replace("tmux", "an unknown terminal")]);
  expect(judge(at(-1), at(1), { confirmed: "ssh" }, { ...policy, from: [] })[0]).toBe(false);
});
