import { dlopen } from "bun:ffi";
import { defineHook } from "bridge-hooks";

if (process.env.FAULT_AT_TOP) for (;;);

const loopForever = () => {
  for (;;);
};
const objectPrototype = Object.prototype as { old?: unknown; toJSON?: unknown };

/** Faults that affect the process before the next hook runs, keyed by command. */
const faults: Record<string, () => unknown> = {
  loop: loopForever,
  "print-and-loop": () => {
    console.log("printed to stdout");
    console.error("printed to stderr");
    loopForever();
  },
  regex: () => void /^x*x*x*x*x*x*x*x*x*x*y$/.test("x".repeat(400)),
  "loop-after-await": async () => {
    await Bun.sleep(5);
    loopForever();
  },
  getter: () => Object.defineProperty({}, "decision", { enumerable: true, get: loopForever }),
  "getter-after-await": async () => {
    await Bun.sleep(5);
    return Object.defineProperty({}, "decision", { enumerable: true, get: loopForever });
  },
  "to-json": () => ({ modified_input: { toJSON: loopForever } }),
  proxy: () => new Proxy({}, { ownKeys: loopForever }),
  exit: () => process.exit(0),
  "really-exit": () => (process as unknown as { reallyExit: (code: number) => never }).reallyExit(0),
  abort: () => process.abort(),
  "native-abort": () => dlopen("libc.so.6", { abort: { args: [], returns: "void" } }).symbols.abort(),
  child: () => void Bun.spawn(["sleep", "8"], { stdio: ["inherit", "inherit", "inherit"] }),
  "object-prototype": () => void (objectPrototype.old = () => "a polyfill"),
  "prototype-to-json": () => void (objectPrototype.toJSON = () => "a polyfill"),
  stringify: () =>
    void (JSON.stringify = () => {
      throw new Error("a broken polyfill");
    }),
  "no-prototype": () => {
    throw Object.create(null);
  },
  "no-message": () => {
    throw Object.assign(new Error(), { message: { toString: null } });
  },
  large: () => ({ decision: "deny", reason: "x".repeat(1_000_000) }),
};

export default defineHook({
  event: ["PreToolUse", "PermissionRequest", "Stop"],
  timeoutMs: 150,
  handler(event) {
    const text = event.event === "Stop" ? (event.last_message ?? "") : event.tool === "Bash" ? event.input.command : "";
    return faults[text.split(" ")[0] ?? ""]?.() as undefined;
  },
});
