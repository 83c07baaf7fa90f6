import type { SecretRule } from "./rule.ts";

/** Decodes one part of a JSON Web Token. Returns undefined if it is invalid. */
function decodeTokenPart(part: string): Record<string, unknown> | undefined {
  try {
    const fields: unknown = JSON.parse(Buffer.from(part, "base64url").toString());
    return typeof fields === "object" && fields !== null ? (fields as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Subjects and names in the example tokens of RFC 7519, jwt.io and tutorials. */
const EXAMPLE_SUBJECT = /^(?:1234567890|123456|user123|abc123)$/;
const EXAMPLE_NAME = /^(?:John|Jane|Joe) Doe$/;
/** Example values in tokens without registered claims, such as `{"some": "payload"}`. */
const EXAMPLE_VALUE = /^(?:payload|bar|baz|world|value|test)$/;
const REGISTERED_CLAIMS = ["iss", "sub", "aud", "exp", "nbf", "iat", "jti"];

const isExample = (fields: Record<string, unknown>): boolean =>
  !REGISTERED_CLAIMS.some((name) => Object.hasOwn(fields, name)) &&
  Object.values(fields).every((value) => EXAMPLE_VALUE.test(String(value)));

/**
 * Returns whether a JSON Web Token grants access: it is signed, hasn't expired, and isn't an example or meant to be
 * public.
 */
function isValidToken(token: string): boolean {
  const [header = "", payload = ""] = token.split(".");
  const algorithm = decodeTokenPart(header)?.alg;
  const fields = decodeTokenPart(payload);
  if (typeof algorithm !== "string" || algorithm.toLowerCase() === "none" || fields === undefined) return false;
  if (isExample(fields)) return false;
  const { exp, sub, name, role, iss } = fields;
  if (typeof exp === "number" && exp * 1000 < Date.now()) return false;
  // These keys are public: every visitor to a page receives them (https://supabase.com/docs/guides/api/api-keys).
  if (role === "anon" || iss === "supabase-demo") return false;
  return !EXAMPLE_SUBJECT.test(String(sub)) && !EXAMPLE_NAME.test(String(name));
}

/** Rules for private keys and for tokens in standard formats. */
export const KEY_RULES: readonly SecretRule[] = [
  {
    kind: "private-key",
    issuer: "PEM, OpenSSH, PGP",
    prefixes: ["-----BEGIN"],
    position: "before",
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?:(?!-----)[^]){0,400}?[A-Za-z0-9+/=]{40}(?:(?:(?!-----)[^]){0,20000}-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----|[A-Za-z0-9+/=\s]{0,20000})/y,
    source: "https://www.rfc-editor.org/rfc/rfc7468",
  },
  {
    kind: "private-key",
    issuer: "PuTTY",
    prefixes: ["Private-Lines:"],
    position: "before",
    pattern: /Private-Lines: \d{1,3}\s{1,4}[A-Za-z0-9+/=]{40}[A-Za-z0-9+/=\s]{0,20000}/y,
    source: "https://the.earth.li/~sgtatham/putty/0.83/htmldoc/AppendixC.html",
  },
  {
    kind: "age-key",
    issuer: "age",
    prefixes: ["AGE-SECRET-KEY-1"],
    pattern: /AGE-SECRET-KEY-1[A-Z0-9]{58}(?!\w)/y,
    source: "https://age-encryption.org/v1",
  },
  {
    kind: "jwt",
    issuer: "any (RFC 7519)",
    prefixes: ["eyJ"],
    pattern: /(?<![_.]|(?<!\\)[^\n]-)eyJ[\w-]{12,1500}\.eyJ[\w-]{4,8000}\.[\w-]{32,1500}(?![\w-])/y,
    source: "https://www.rfc-editor.org/rfc/rfc7519",
    isSecret: isValidToken,
  },
];
