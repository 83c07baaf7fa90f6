import { findNearestName, formatHint } from "../../protocol/name-suggestions.ts";
import type { DocumentPath } from "../../operate/machine/edit/editor.ts";
import { CONFIG_KEYS } from "../../policy/describe.ts";

const KEYS: readonly string[] = [...CONFIG_KEYS, "$schema"];

/**
 * Parses a setting's key, such as `hooks.NAME.SETTING`, `rules.CATEGORY/NAME.action`, `exceptions.0.until` or `locked`.
 * Known names can contain dots.
 * @param knownNames the names of hooks and the IDs of rules
 * @throws Error for an unknown key, with a suggestion.
 */
export function parseConfigKey(
  key: string,
  knownNames: { hooks: readonly string[]; rules: readonly string[] },
): DocumentPath {
  const [first = "", ...rest] = key.split(".");
  if (!KEYS.includes(first)) throw new Error(`unknown key "${key}"${suggestKey(key, knownNames)}`);
  if (rest.includes("")) throw new Error(`"${key}" is not a valid key: a part between dots is empty`);
  const names = first === "hooks" ? knownNames.hooks : first === "rules" ? knownNames.rules : [];
  const subkey = key.slice(first.length + 1);
  const name = names
    .filter((knownName) => subkey === knownName || subkey.startsWith(`${knownName}.`))
    .sort((a, b) => b.length - a.length)[0];
  const parts =
    name === undefined
      ? rest
      : [
          name,
          ...subkey
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

/** Suggests a key: the full key of a hook's setting or a rule, or a different first segment. */
function suggestKey(key: string, { hooks, rules }: { hooks: readonly string[]; rules: readonly string[] }): string {
  const lock = key.replace("/", ".");
  const hook = hooks.find((name) => key.startsWith(`${name}.`) || key.startsWith(`${name}/`));
  if (hook !== undefined) return formatHint(`hooks.${lock}`);
  const rule = rules.find((id) => key === id || key.startsWith(`${id}.`));
  if (rule !== undefined) return formatHint(key === rule ? `rules.${rule}.action` : `rules.${key}`);
  const [first = "", ...rest] = key.split(".");
  const suggestion = findNearestName(first, KEYS);
  return suggestion === undefined ? `; known: ${CONFIG_KEYS.join(", ")}` : formatHint([suggestion, ...rest].join("."));
}
