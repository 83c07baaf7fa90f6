import { findNodeAtLocation, type Node } from "jsonc-parser";
import { ParseError, parseTOML } from "toml-eslint-parser";
import type { Payload } from "../../core/host.ts";
import type { Flaw } from "../../core/setup.ts";
import { objectOf } from "../check.ts";
import { type Allows, isPattern, jsonFlaws, jsonTree } from "../json.ts";

/** What hooks.json may have beyond JSON: each of these drops the whole file [seen 0.169.0, 2026-11-22, in hooks/list]. */
const ALLOWS: Allows = { comments: false, trailingComma: false, bom: false };
const TYPES = ["command", "mcp_tool", "prompt", "agent"];
const DROPS = "Codex drops the whole file for it";

/** What Codex finds fault with in a handler [seen 0.169.0, 2026-11-22, in hooks/list; the same in hooks.json and config.toml]. */
function handlerFlaws(handler: Payload): string[] {
  const { type, timeout } = handler;
  return [
    ...(typeof type === "string" && TYPES.includes(type) ? [] : [`a handler's "type" has to be one of ${TYPES.join(", ")}; ${DROPS}`]),
    ...(timeout === undefined || (Number.isInteger(timeout) && Number(timeout) >= 0)
      ? []
      : [`"timeout" has to be a whole number of seconds; ${DROPS}`]),
  ];
}

/** Rust's patterns have no look-around [seen 0.169.0, 2026-11-22]; the group is skipped. */
const matcherFlaws = ({ matcher }: Payload): string[] =>
  typeof matcher !== "string" || (isPattern(matcher) && !/\(\?<?[=!]/.test(matcher))
    ? []
    : [`matcher ${JSON.stringify(matcher)} is no pattern that Codex takes (it has no look-around); it skips these entries`];

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** What is wrong inside the `hooks` object, with the place. */
function contentFlaws(hooks: Payload): { path: (string | number)[]; message: string }[] {
  return Object.entries(hooks).flatMap(([event, groups]) =>
    list(groups).flatMap((group, at) => [
      ...matcherFlaws(objectOf(group)).map((message) => ({ path: [event, at], message })),
      ...list(objectOf(group).hooks).flatMap((handler, index) =>
        handlerFlaws(objectOf(handler)).map((message) => ({ path: [event, at, "hooks", index], message })),
      ),
    ]),
  );
}

function jsonFile(text: string): Flaw[] {
  const flaws = jsonFlaws(text, ALLOWS);
  const root = jsonTree(text);
  if (flaws.length > 0 || !root) return flaws;
  const keys = (root.children ?? []).map(({ children }) => (children as Node[])[0] as Node);
  const at = (path: (string | number)[]) => findNodeAtLocation(root, ["hooks", ...path])?.offset;
  return [
    ...keys.flatMap(({ value, offset }, index) => {
      if (value !== "hooks" && value !== "description") return [{ offset, message: `unknown key ${JSON.stringify(value)}; ${DROPS}` }];
      const again = keys.findIndex((key) => key.value === value) < index;
      return again ? [{ offset, message: `${JSON.stringify(value)} is there twice; ${DROPS}` }] : [];
    }),
    ...contentFlaws(objectOf(objectOf(JSON.parse(text)).hooks)).map(({ path, message }) => ({ offset: at(path), message })),
  ];
}

function tomlFile(text: string): Flaw[] {
  try {
    parseTOML(text);
    return contentFlaws(objectOf(objectOf(Bun.TOML.parse(text)).hooks)).map(({ path, message }) => ({
      message: `hooks.${path.join(".")}: ${message}`,
    }));
  } catch (error) {
    return [{ ...(error instanceof ParseError && { offset: error.index }), message: `no TOML: ${(error as Error).message}` }];
  }
}

/** Why Codex would not obey a file as it stands. */
export const flaws = (text: string, file: string): Flaw[] => (file.endsWith(".toml") ? tomlFile(text) : jsonFile(text));
