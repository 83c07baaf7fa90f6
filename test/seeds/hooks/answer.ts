import { writeFileSync } from "node:fs";
import { defineHook, type IHookResponse } from "bridge-hooks";
import { EVENTS } from "../../../src/protocol/event.ts";

/** Returns the environment variables that hosts set. */
const variables = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => /^(CURSOR|CLAUDE)_/.test(name)));

/** Writes the event that the hook receives to a file, and responds as the case says. */
export default defineHook({
  event: EVENTS,
  handler(event): IHookResponse | undefined {
    if (process.env.SEEDS_EVENT)
      writeFileSync(process.env.SEEDS_EVENT, JSON.stringify({ ...event, variables: variables() }));
    return JSON.parse(process.env.SEEDS_ANSWER ?? "{}") as IHookResponse;
  },
});
