import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { defineHook, deny, guarded, homedir, type IHookResponse } from "bridge-hooks";

/** Moves a guarded file and replaces it with a link, checking before and after whether it's guarded. */
function moveGuarded(): IHookResponse {
  const [file, place] = [join(homedir(), "settings-kept.json"), join(homedir(), ".claude/settings.json")];
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(file, "{}");
  const isCovered = () => guarded({ cwd: homedir() }).covers(file);
  const before = isCovered();
  symlinkSync(file, place);
  return deny(`before ${before}, afterwards ${isCovered()}`);
}

/** Responses, keyed by command or prompt, so that tests can make one executable do anything. */
const responses: Record<string, () => unknown> = {
  deny: () => ({ decision: "deny", reason: "probe says no" }),
  ask: () => ({ decision: "ask", reason: "probe asks" }),
  throw: () => {
    throw new Error("probe broke");
  },
  "throw-later": async () => {
    setTimeout(() => {
      throw new Error("probe broke later");
    }, 5);
    await Bun.sleep(60_000);
  },
  "reject-later": async () => {
    void Bun.sleep(5).then(() => Promise.reject(new Error("probe rejected later")));
    await Bun.sleep(60_000);
  },
  stray: () => void Promise.reject(new Error("telemetry")),
  "stray-later": () =>
    void setTimeout(() => {
      throw new Error("telemetry");
    }, 5),
  rubbish: () => "yes",
  misspelled: () => ({ permission: "deny" }),
  never: () => new Promise(() => {}),
  loop: () => {
    for (;;);
  },
  "loop-async": async () => {
    await 1;
    for (;;);
  },
  "block-async": async () => {
    await 1;
    Bun.sleepSync(600_000);
  },
  exit: () => process.exit(0),
  chdir: () => process.chdir("/"),
  stdin: () => void Bun.spawnSync(["cat"], { stdin: "inherit" }),
  noise: async () => {
    console.log("noise 1");
    process.stdout.write("noise 2\n");
    await Bun.$`echo noise 3`;
    Bun.spawnSync(["sh", "-c", "echo noise 4"], { stdout: "inherit" });
    return { decision: "deny", reason: "through the noise" };
  },
  huge: () => ({ modified_input: { command: "x".repeat(1_000_000) } }),
  large: () => ({ additional_context: "x".repeat(300_000) }),
  guarded: moveGuarded,
  unicode: () => ({ decision: "deny", reason: "nein – 不 😀" }),
};

export default defineHook({
  event: ["PreToolUse", "UserPromptSubmit", "Stop", "Native"],
  handler(event) {
    if (event.event === "Native") return responses.deny?.() as IHookResponse;
    const text =
      event.event === "PreToolUse"
        ? event.tool === "Bash"
          ? event.input.command
          : ""
        : event.event === "Stop"
          ? event.last_message
          : event.prompt;
    const [, responseName] = /probe:([\w-]+)/.exec(text ?? "") ?? [];
    return (responseName ? responses[responseName]?.() : undefined) as IHookResponse | undefined;
  },
});
