import { beginCall } from "./call/begin-call.ts";

const argv = process.argv.slice(2);
const [first] = argv;
const loadBinding = () => import("./author/bind-call.ts");
const HELP_AND_VERSION_FLAGS = ["--help", "-h", "--version", "-v", "-V"];

// Most calls end here.
const earlyCallInput = first === undefined || first.startsWith("--") ? await beginCall(argv) : undefined;

const isCommand = (word = "") => /^[^-]/.test(word) || HELP_AND_VERSION_FLAGS.includes(word);

/** Whether global options precede a command. A host's entry never contains global options. */
function followsGlobalOptions(): boolean {
  let at = 0;
  while (/^--(?:no-pager$|color(?:$|=))/.test(argv[at] ?? "")) at += argv[at] === "--color" ? 2 : 1;
  return at > 0 && isCommand(argv[at]);
}

/**
 * Whether a user may have typed this command line, i.e. nothing or one unknown option such as `--verison`. Options in
 * an entry have values.
 */
const mayBeTyped = argv.length === 0 || (argv.length === 1 && /^--?\w+$/.test(first ?? ""));

// A host passes flags, or no arguments, and connects a pipe. An empty argument is a broken flag in a host's entry. Such
// a call fails, and the failure policy decides.
const isTyped =
  isCommand(first) ||
  followsGlobalOptions() ||
  (mayBeTyped && earlyCallInput?.payload === undefined && (await import("node:tty")).isatty(0));

/** Turns on normal compilation for code that runs longer than a call. */
const enableNormalCompilation = () => Bun.unsafe.setJITPolicy(1);

if (first === "serve" && !argv.some((word) => HELP_AND_VERSION_FLAGS.includes(word))) {
  enableNormalCompilation();
  // Import this module before anything touches stdout. A stream created earlier would send a hook's output to the
  // client as answers.
  const { serveCalls } = await import("./call/serve.ts");
  const { entries } = await import("./call/built/hooks.ts");
  await serveCalls(entries, argv.slice(1), process.env, loadBinding);
} else if (isTyped) {
  enableNormalCompilation();
  const { dropForcedColors } = await import("./cli/terminal/colors.ts");
  dropForcedColors();
  const { main } = await import("./cli/main.ts");
  const code = await main(argv);
  // Exit as soon as a slow reader has taken all output. Without this exit, a timer or a pipe that another program still
  // holds would keep users waiting.
  const flushed = (stream: NodeJS.WriteStream) => new Promise<void>((resolve) => void stream.end(() => resolve()));
  await Promise.all([process.stdout, process.stderr].map(flushed));
  process.exit(code);
} else {
  const { entries, runCall } = await import("./call/hook-call.ts");
  if (first === "--resume") await (await import("./call/deadline/resume.ts")).resumeCall(entries, argv[1] ?? "");
  await runCall(entries, {}, argv, {
    takeover: [process.execPath, "--resume"],
    earlyInput: earlyCallInput,
    loadBinding,
  });
}
