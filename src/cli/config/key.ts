import { findNearestName, hintOf } from "../../protocol/name-suggestions.ts";
import type { DocumentPath } from "../../operate/machine/edit/editor.ts";
import { CONFIG_KEYS } from "../../policy/describe.ts";

const KEYS: readonly string[] = [...CONFIG_KEYS, "$schema"];

/**
 * Reads the key of a setting: `hooks.NAME.SETTING`, `rules.CATEGORY/NAME.action`, `exceptions.0.until`, `locked`. Names may
 * have dots in them where they are known.
 * @param known the names of hooks and the ids of rules.
 * @throws Error for a key that no config file has, with what was probably meant.
 */
export function parseConfigKey(
  given: string,
  known: { hooks: readonly string[]; rules: readonly string[] },
): DocumentPath {
  const [first = "", ...rest] = given.split(".");
  if (!KEYS.includes(first)) throw new Error(`unknown key "${given}"${suggestKey(given, known)}`);
  if (rest.includes("")) throw new Error(`"${given}" is not a key: a part of it between dots is empty`);
  const names = first === "hooks" ? known.hooks : first === "rules" ? known.rules : [];
  const below = given.slice(first.length + 1);
  const name = names
    .filter((one) => below === one || below.startsWith(`${one}.`))
    .sort((a, b) => b.length - a.length)[0];
  const parts =
    name === undefined
      ? rest
      : [
          name,
          ...below
            .slice(name.length + 1)
            .split(".")
            .filter(Boolean),
        ];
  // Items of lists are counted from 0.
  return [
    first,
    ...parts.map((part, at) => (/^\d+$/.test(part) && (first !== "hooks" || at > 1) ? Number(part) : part)),
  ];
}

/** What was probably meant: the whole key of a hook's setting or of a rule, or another first part. */
function suggestKey(given: string, { hooks, rules }: { hooks: readonly string[]; rules: readonly string[] }): string {
  const lock = given.replace("/", ".");
  const hook = hooks.find((name) => given.startsWith(`${name}.`) || given.startsWith(`${name}/`));
  if (hook !== undefined) return hintOf(`hooks.${lock}`);
  const rule = rules.find((id) => given === id || given.startsWith(`${id}.`));
  if (rule !== undefined) return hintOf(given === rule ? `rules.${rule}.action` : `rules.${given}`);
  const [first = "", ...rest] = given.split(".");
  const near = findNearestName(first, KEYS);
  return near === undefined ? `; known: ${CONFIG_KEYS.join(", ")}` : hintOf([near, ...rest].join("."));
}
