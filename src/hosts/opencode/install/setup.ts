import { pathToFileURL } from "node:url";
import type { Companion, ConfigFile, Place, Setup } from "../../../protocol/host/install.ts";
import { moduleJson, moduleOf } from "../../module.ts";
import { argumentsOf, commandsOf, policyAt, subscriptionsOf, TIMEOUT_S, toolNames } from "../../setup.ts";
import { capabilities, unknown } from "../capabilities.ts";
import { opencode } from "../../entries.ts";
import { BY_NAME } from "../events.ts";
import plugin from "../plugin.js" with { type: "text" };
import { OTHERS, TOOLS } from "../tools.ts";

/** All that `install` writes around the entries. */
export const MODULE = moduleOf("opencode", plugin);

const FILE = "plugins/bridge-hooks.js";

/** What the managed opencode.json has to say: nothing in its folder loads by itself, and a space is "%20" [seen 1.18.33, 2026-11-22]. */
export const pluginUrl = (place: Pick<Place, "platform" | "env">): string =>
  pathToFileURL(`${opencode.folders.managed({ ...place, system: "" })}/${FILE}`, {
    windows: place.platform === "win32",
  }).href;

/** Plugins in the folders of the user and of a project load by themselves [seen 1.18.33, 2026-11-22]. */
export const setup: Setup = {
  // A server's tool is <server>_<tool>. Others [seen 1.18.33, 2026-11-22].
  tools: { ...toolNames(TOOLS), Other: OTHERS },
  traces: (place) => [opencode.folders.user(place), `${place.home}/.local/share/opencode`],
  configs: (place): ConfigFile[] => {
    const file = (scope: ConfigFile["scope"], folder: string): ConfigFile => ({
      scope,
      path: `${folder}/${FILE}`,
      syntax: MODULE,
      target: true,
    });
    return [
      file("managed", opencode.folders.managed(place)),
      file("user", opencode.folders.user(place)),
      ...place.roots.map((root) => file("project", `${root}/.opencode`)),
    ];
  },
  companions: ({ scope }, place): Companion[] =>
    scope === "managed"
      ? [
          {
            path: `${opencode.folders.managed(place)}/opencode.json`,
            settings: [{ path: ["plugin"], value: pluginUrl(place), listed: "always" }],
          },
        ]
      : [],
  entries: (text) => commandsOf(JSON.parse(moduleJson(text) ?? "{}"), "list"),
  dialects: () => ["sh"],
  harmless: [],
  layout: "list",
  settings: () => [],
  never: {},
  // No matchers: the process runs already, so that a call nobody minds costs next to nothing.
  subscriptions: (wanted) =>
    subscriptionsOf(wanted, capabilities).filter(({ native_event }) => !BY_NAME.includes(native_event)),
  handler(order) {
    const { event } = (capabilities[order.native_event] ?? unknown)();
    return {
      command: order.program,
      args: argumentsOf("opencode", { ...order, on_error: policyAt(event, order.on_error) }),
      timeout: TIMEOUT_S,
    };
  },
  by_hand: () => ["OpenCode loads plugins as it starts: where it runs already, end it and start it again"],
};
