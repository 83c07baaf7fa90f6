import { findNearestName, formatHint } from "../../protocol/name-suggestions.ts";
import type { DocumentPath } from "../../operate/machine/edit/editor.ts";
import { CONFIG_KEYS } from "../../policy/describe.ts";

const KEYS: readonly string[] = [...CONFIG_KEYS, "$schema"];

/**
 * Parses a setting's key: `hooks.NAME.SETTING`, `rules.CATEGORY/NAME.action`, `exceptions.0.until`, `locked`. Known
 * names may contain dots.
 * @param known The names of hooks and the IDs of rules.
 * @throws Error for an unknown key, with a suggestion.
 */
export function parseConfigKey(
  given: string,
  known: { hooks: readonly string[]; rules: readonly string[] },
): DocumentPath {
  const [first = "", ...rest] = given.split(".");
  if (!KEYS.includes(first)) throw new Error(`unknown key "${given}"${suggestKey(given, known)}`);
  if (rest.includes("")) throw new Error(`"${given}" is not a valid key: a part between dots is empty`);
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
  // List items are counted from 0.
  return [
    first,
    ...parts.map((part, at) => (/^\d+$/.test(part) && (first !== "hooks" || at > 1) ? Number(part) : part)),
  ];
}

/** Suggests a key: the full key of a hook's setting or of a rule, or another first segment. */
function suggestKey(given: string, { hooks, rules }: { hooks: readonly string[]; rules: readonly string[] }): string {
  const lock = given.replace("/", ".");
  const hook = hooks.find((name) => given.startsWith(`${name}.`) || given.startsWith(`${name}/`));
  if (hook !== undefined) return formatHint(`hooks.${lock}`);
  const rule = rules.find((id) => given === id || given.startsWith(`${id}.`));
  if (rule !== undefined) return formatHint(given === rule ? `rules.${rule}.action` : `rules.${given}`);
  const [first = "", ...rest] = given.split(".");
  const near = findNearestName(first, KEYS);
  return near === undefined ? `; known: ${CONFIG_KEYS.join(", ")}` : formatHint([near, ...rest].join("."));
}
