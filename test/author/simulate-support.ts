import type { GivenEvent } from "../../src/author/testing/index.ts";
import { allow, defineHook, deny } from "../../src/index.ts";
import * as z from "zod";

export const guardHook = defineHook({
  name: "guard",
  event: "PreToolUse",
  tool: "Bash",
  options: z.strictObject({ most: z.number().default(3) }),
  handler: (event, { options, log }) => {
    log(`looked at ${event.input.command}`);
    return event.input.command.length > options.most ? deny(`longer than ${options.most}`) : allow();
  },
});

export const createBashEvent = (command: string): GivenEvent => ({
  event: "PreToolUse",
  tool: "Bash",
  input: { command },
});
