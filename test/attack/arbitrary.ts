import fc from "fast-check";
import {
  CHANGE_KINDS,
  type DocumentChange,
  DAMAGE_KINDS,
  type TextDamage,
  PAYLOAD_KEYS,
  SLOW_DAMAGES,
} from "./mutate.ts";

/** Values that code often mishandles. */
const STRANGE: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  2 ** 53,
  -0,
  1e308,
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "\udc00x",
  "\u001b[2J\u0007",
  "\u202e",
  "\u2028",
  "\r\n",
  "__proto__",
  "constructor",
  "../../../../etc/passwd",
  "/dev/zero",
  "~",
  "$(touch /tmp/x)",
  "allow",
  "deny",
  "Bash",
  "x".repeat(70_000),
  [],
  {},
  [[]],
  [null],
  [[[[[[[["x"]]]]]]]],
  { toString: "x" },
  { toJSON: "x" },
  { then: "x" },
  { length: 1 },
  JSON.parse('{"__proto__":{"polluted":true}}'),
  JSON.parse('{"constructor":{"prototype":{"polluted":true}}}'),
  { decision: "allow", permissionDecision: "allow" },
];

const strange = fc.constantFrom(...STRANGE);
const value = fc.oneof(
  { weight: 6, arbitrary: strange },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 20 }) },
);
const index = fc.nat(1 << 16);

const change: fc.Arbitrary<DocumentChange> = fc.record({
  kind: fc.constantFrom(...CHANGE_KINDS),
  at: index,
  key: index,
  value,
});
export const changes = fc.array(change, { minLength: 1, maxLength: 5 });

type Kind = keyof typeof DAMAGE_KINDS;
const quick = (Object.keys(DAMAGE_KINDS) as Kind[]).filter((kind) => !SLOW_DAMAGES.includes(kind));
const kind = fc.oneof(
  { weight: 500, arbitrary: fc.constantFrom(...quick) },
  { weight: 1, arbitrary: fc.constantFrom(...SLOW_DAMAGES) },
);
const damage: fc.Arbitrary<TextDamage> = fc.record({
  kind,
  at: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
});
export const damages = fc.array(damage, { minLength: 1, maxLength: 3 });

export const policy = fc.constantFrom("allow" as const, "deny" as const);

/** Flags that could appear in a misconfigured entry. */
const word = fc.oneof(
  fc.constantFrom(
    ..."--host --event --after --on-error --timeout-ms --max-continuations --cursor-deny --gemini-deny --codex-ask-fallback".split(
      " ",
    ),
    ..."claude cursor codex gemini copilot opencode openclaw allow deny json exit ask PreToolUse preToolUse Stop 300 1".split(
      " ",
    ),
    ..."--on-error=deny --on-error=allow --on-error= --host=claude --host= --event=Stop --timeout-ms=1e3 --timeout-ms=300".split(
      " ",
    ),
    ..."--on-error=DENY --ON-ERROR -on-error --on_error --onError --on-error=deny=allow -- --__proto__ --constructor --host=__proto__".split(
      " ",
    ),
    ..."--event=__proto__ --event=constructor --no-such --= = -".split(" "),
    "",
    " ",
    "deny ",
    "\u0000",
    "\ud800",
    "0",
    "-1",
    "NaN",
    "2147483648",
    "0x12c",
  ),
  fc.string({ maxLength: 6 }),
);
export const flags = fc.array(word, { maxLength: 7 });

const text = fc.oneof(strange, fc.string({ unit: "binary", maxLength: 30 }));
const fields = fc.record(
  {
    decision: fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom("allow", "deny", "ask") },
      { weight: 1, arbitrary: strange },
    ),
    reason: text,
    user_message: text,
    additional_context: text,
    modified_input: fc.oneof(fc.dictionary(fc.constantFrom(...PAYLOAD_KEYS), strange, { maxKeys: 3 }), strange),
    permission: strange,
  },
  { requiredKeys: [] },
);
/** Generates any value a hook could return. */
export const response = fc.oneof({ weight: 8, arbitrary: fields }, { weight: 1, arbitrary: strange });
