import type { ConfigEntry } from "../core/host.ts";

type Json = Record<string, unknown>;
const list = (value: unknown): Json[] => (Array.isArray(value) ? value.filter((item) => typeof item === "object" && item) : []);
const text = (value: unknown) => (typeof value === "string" ? value : undefined);

/**
 * The commands of a `hooks` object, in both forms that hosts use: `{ Event: [{ command, matcher }] }` and
 * `{ Event: [{ matcher, hooks: [{ command, args }] }] }`.
 */
export function commandsOf(config: unknown): ConfigEntry[] {
  const hooks = (config as Json | null)?.hooks;
  if (typeof hooks !== "object" || hooks === null) return [];
  return Object.entries(hooks).flatMap(([native_event, groups]) =>
    list(groups).flatMap((group) =>
      (group.hooks ? list(group.hooks) : [group]).flatMap((entry) => {
        const args = Array.isArray(entry.args) ? entry.args.map(String) : [];
        const command = [text(entry.command), ...args].filter(Boolean).join(" ");
        return command ? [{ native_event, command, matcher: text(entry.matcher) ?? text(group.matcher) }] : [];
      }),
    ),
  );
}
