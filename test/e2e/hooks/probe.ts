import { type AnyEvent, defineHook, type IHookResponse } from "bridge-hooks";
import { EVENTS } from "../../../src/protocol/event.ts";
import { recordCall, type ProbeFault, WAIT_MS } from "../plan.ts";

const ways: Record<ProbeFault, (answer: IHookResponse | undefined, payload: AnyEvent["_native"]) => unknown> = {
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
  wait: async (answer, { stop_hook_active }) => {
    if (stop_hook_active !== true) await Bun.sleep(WAIT_MS);
    return answer;
  },
  rubbish: () => ({ permission: "deny" }),
};

/** Records every call in the run's directory and does what the run's plan says. */
export default defineHook({
  event: EVENTS,
  handler(event): IHookResponse | undefined | Promise<never> {
    const tool = "tool_name" in event ? event.tool_name : undefined;
    const { native_event, agent_id: agent, _native: payload } = event;
    const rule = recordCall({ native_event, tool, agent, payload, argv: process.argv.slice(2) });
    return (rule?.way ? ways[rule.way](rule.answer, payload) : rule?.answer) as IHookResponse | undefined;
  },
});
