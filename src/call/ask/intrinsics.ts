const { defineProperty, deleteProperty, set } = Reflect;
const { keys } = Object;
const { parse, stringify } = JSON;
const GUARDED_PROTOTYPES: readonly object[] = [Object.prototype, Array.prototype];

/**
 * Undoes changes that a hook, or an old package it imports, has made to built-ins: enumerable properties on prototypes,
 * which show up in every `for…in` loop; a `toJSON` that would replace an answer; and a replaced `JSON.parse` or
 * `JSON.stringify`.
 */
export function restoreIntrinsics(): void {
  for (const prototype of GUARDED_PROTOTYPES) {
    for (const key of keys(prototype)) defineProperty(prototype, key, { enumerable: false });
    deleteProperty(prototype, "toJSON");
  }
  if (JSON.stringify !== stringify) set(JSON, "stringify", stringify);
  if (JSON.parse !== parse) set(JSON, "parse", parse);
}
