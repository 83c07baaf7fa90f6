import { expect } from "bun:test";
import { getCapabilityRow } from "../../../src/protocol/host/host.ts";
import type { ClaimSection } from "../claim.ts";
import { getHost, expectRow } from "./checks.ts";

const COMPARED = ["claude", "cursor", "opencode", "openclaw"];

export const about: ClaimSection = {
  title: "What a hook is",
  claims: [
    {
      says: "A hook intercepts the agent before a tool runs, after it has run, and when a session ends",
      check() {
        for (const id of COMPARED) {
          const events = Object.values(getHost(id).capabilities).map((make) => make().event);
          expect(events).toEqual(expect.arrayContaining(["PreToolUse", "PostToolUse", "SessionEnd"]));
        }
      },
    },
    {
      says: "Everywhere hooks observe, change or block what the agent does",
      check() {
        for (const [id, gate] of [
          ["claude", "PreToolUse"],
          ["cursor", "preToolUse"],
          ["opencode", "tool.execute.before"],
          ["openclaw", "before_tool_call"],
        ] as const)
          expectRow(id, gate, "PreToolUse", { allow: "native", deny: "native", modified_input: "native" });
      },
    },
    {
      says: "Hosts differ in how hooks are declared: JSON config, or a plugin in code",
      async check() {
        const place = { roots: [], home: "/h", platform: "linux", env: {} } as const;
        const syntax = async (id: string) => {
          const [file] = (await getHost(id).setup())
            .listConfigFiles(place)
            .filter(({ scope, target }) => target && scope === "user");
          return typeof file?.syntax === "object" ? "code" : file?.syntax;
        };
        expect(await Promise.all(COMPARED.map(syntax))).toEqual(["json", "json", "code", "code"]);
      },
    },
    {
      says: "Hosts differ in their events: lifecycle only, or system events as well",
      check() {
        const own = (id: string) =>
          Object.values(getHost(id).capabilities).filter((make) => make().event === "Native").length;
        for (const id of COMPARED) expect(own(id)).toBeGreaterThan(0);
      },
    },
    {
      says: "Hosts differ in what a hook can control: blocking, inputs, context",
      check() {
        const supports = COMPARED.map((id) =>
          Object.keys(getHost(id).capabilities).map((name) => {
            const { deny, additional_context } = getCapabilityRow(getHost(id), name);
            return JSON.stringify(
              [deny, additional_context].map((cells) => [cells].flat().map(({ support }) => support)),
            );
          }),
        );
        for (const all of supports) expect(new Set(all).size).toBeGreaterThan(1);
      },
    },
    {
      says: "A layer over several hosts has to adapt to each one and can't assume a common interface",
      async check() {
        const { collectCells } = await import("../../../src/cli/matrix/matrix.ts");
        expect(new Set(collectCells().map(({ cell }) => cell.support))).toEqual(
          new Set(["native", "emulated", "downgrade", "drop", "unenforceable"]),
        );
      },
    },
  ],
};
