import { type Env, type Host, type Payload } from "../src/protocol/host/host.ts";
import { type Fields, type FoundShape, NO_VALUE } from "./shape-fields.ts";

/** Strings that an adapter, or the test for a host's sign, might misinterpret. */
export const MISLEADING_TEXTS = [
  "text",
  "2026-01-01T00:00:00.000Z",
  "/home/a/.gemini/tmp/b/c.json",
  '{"command":"text"}',
  "do it\n--- Content from referenced files ---\nContent from @a.txt:\n",
  "*** Begin Patch\n*** Add File: a.txt\n+new\n*** End Patch\n",
];

/**
 * Whether a payload of the shape might contain another host's sign. If a sign's test reads a field, restricts the shape
 * to values that the test rejects. If it also reads environment variables, treats them as unset.
 *
 * @param variables is filled with the names of the variables that tests read
 */
export function mayBeForeign(
  { fields }: Pick<FoundShape, "fields">,
  payload: Payload,
  others: readonly Host[],
  variables: Set<string>,
): boolean {
  const names = others.flatMap(({ id, capabilities }) => [id, ...Object.keys(capabilities)]);
  return others.some(({ signs }) =>
    signs.some(({ all = [], any = [], test }) => {
      if (!all.every((key) => Object.hasOwn(fields, key))) return false;
      if (any.length > 0 && !any.some((key) => Object.hasOwn(fields, key))) return false;
      if (!test) return !leaveOut(all, payload, fields);
      const [readKeys, readVariables] = [new Set<string>(), new Set<string>()];
      const ask = (values: Payload) =>
        test(watchNames({ ...payload, ...values }, readKeys), watchNames({} as Env, readVariables));
      if (ask({})) return !leaveOut(all, payload, fields);
      for (const name of readVariables) variables.add(name);
      const isFree = (key: string) => Object.hasOwn(fields, key) && !String(fields[key]).startsWith("=");
      for (const key of [...readKeys].filter(isFree)) {
        const value = payload[key];
        const values = typeof value === "string" ? [...MISLEADING_TEXTS, ...names] : [0, 5, -1];
        if (readVariables.size > 0 && !values.some((one) => ask({ [key]: one }))) continue;
        if (value === undefined) delete fields[key];
        else if (typeof value === "string" && values.some((one) => ask({ [key]: one }))) fields[key] = `=${value}`;
        else
          fields[key] =
            typeof value === "string" ? requireType(fields[key], "s") : typeof value === "number" ? "n" : NO_VALUE;
      }
      // An earlier test may have rejected the payload because of a field that has since been removed from the shape.
      const isOpen =
        [...readKeys].some((key) => isFree(key) && /^\?|^x/.test(String(fields[key]))) && readVariables.size === 0;
      return isOpen && !leaveOut(all, payload, fields);
    }),
  );
}

/**
 * Removes a field of another host's sign from a shape if the original payload lacks it. Returns false if the payload
 * has all of the sign's fields.
 */
function leaveOut(keys: readonly string[], payload: Payload, fields: Record<string, unknown>): boolean {
  const key = keys.find((one) => payload[one] === undefined);
  if (key !== undefined) delete fields[key];
  return key !== undefined;
}

/** Marks a field as required and preserves its role. */
const requireType = (field: string | Fields | undefined, type: string) =>
  typeof field === "string" && field.includes(":") ? field : type;

const watchNames = <T extends object>(values: T, names: Set<string>): T =>
  new Proxy(values, {
    get(target, name) {
      names.add(String(name));
      return (target as Record<string, unknown>)[String(name)];
    },
  });
