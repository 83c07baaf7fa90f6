const { defineProperty, deleteProperty, set } = Reflect;
const { keys } = Object;
const { parse, stringify } = JSON;
const PROTOTYPES: readonly object[] = [Object.prototype, Array.prototype];

/**
 * Undoes what a hook (or an old package that it imports) did to what all code here needs: properties of all objects, which `for…in`
 * would find everywhere, a `toJSON` that would be written in the place of an answer, and another `JSON`.
 */
export function restoreIntrinsics(): void {
  for (const prototype of PROTOTYPES) {
    for (const key of keys(prototype)) defineProperty(prototype, key, { enumerable: false });
    deleteProperty(prototype, "toJSON");
  }
  if (JSON.stringify !== stringify) set(JSON, "stringify", stringify);
  if (JSON.parse !== parse) set(JSON, "parse", parse);
}
