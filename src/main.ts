import { call } from "./run/call.ts";
import { entries } from "./run/hooks.ts";

const argv = process.argv.slice(2);
const [first] = argv;
const HELP = ["--help", "-h", "--version", "-v"];

// A host calls with flags (or nothing) and a pipe; a person types a command, or nothing at a terminal.
const typed = first === undefined ? (await import("node:tty")).isatty(0) : !first.startsWith("-") || HELP.includes(first);

if (first === "serve" && !argv.some((word) => HELP.includes(word))) {
  // Before anything asks for stdout: a stream that was made earlier would take a hook's output to the answers.
  const { serve } = await import("./run/serve.ts");
  await serve(entries, argv.slice(1), process.env);
} else if (typed) {
  const { main } = await import("./cli/main.ts");
  // Not exit: it would leave behind what a slow reader has not taken yet.
  process.exitCode = await main(argv);
} else {
  await call(entries, {}, argv);
}
