import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { defineHook, type IHookResponse } from "bridge-hooks";
import { type Call, type Rule, RUN, type Way } from "../plan.ts";

const ways: Record<Way, (answer: IHookResponse | undefined) => unknown> = {
  throw: () => {
    throw new Error("PROBE-BROKE");
  },
  hang: () => new Promise(() => {}),
  loop: () => {
    for (;;);
  },
  noise: (answer) => {
    console.log("NOISE");
    process.stdout.write('{"noise": true}\n');
    return answer;
  },
  exit: () => process.exit(0),
  rubbish: () => ({ permission: "deny" }),
};

/** Records every call in the run's folder, and does what the run's plan says. */
export default defineHook({
  event: [
    "SessionStart",
    "PreToolUse",
    "PostToolUse",
    "UserPromptSubmit",
    "Stop",
    "SessionEnd",
    "PostToolUseFailure",
    "PermissionRequest",
    "SubagentStart",
    "SubagentStop",
    "PreCompact",
    "PostCompact",
    "Notification",
    "Native",
  ],
  handler(event): IHookResponse | undefined | Promise<never> {
    const folder = process.env[RUN];
    if (!folder) return undefined;
    const tool = "tool_name" in event ? event.tool_name : undefined;
    const call: Call = { native_event: event.native_event, event: event.event, tool, payload: event._native, argv: process.argv.slice(2) };
    mkdirSync(join(folder, "calls"), { recursive: true });
    const file = join(folder, "calls", `${(performance.timeOrigin + performance.now()).toFixed(3)}-${process.pid}`);
    writeFileSync(`${file}.part`, JSON.stringify(call));
    renameSync(`${file}.part`, `${file}.json`);
    const plan = JSON.parse(readFileSync(join(folder, "plan.json"), "utf8")) as Rule[];
    const rule = plan.find(
      (one) =>
        one.event === event.native_event &&
        (one.tool === undefined || one.tool === tool) &&
        (one.agent === undefined || one.agent === (event.agent_id !== undefined)),
    );
    return (rule?.way ? ways[rule.way](rule.answer) : rule?.answer) as IHookResponse | undefined;
  },
});
