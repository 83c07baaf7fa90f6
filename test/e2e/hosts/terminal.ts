/**
 * Runs an interactive session in a pseudo-terminal: `bun terminal.ts LIMIT ACTIONS HOST ARGS…`. ACTIONS is a JSON array
 * of strings to type, patterns between slashes to wait for, and delays as `+milliseconds`. Patterns are matched against
 * the screen with whitespace removed and must appear within LIMIT milliseconds. The screen is printed as text.
 */
const [limit = "", list = "[]", program = "", ...args] = process.argv.slice(2);

let raw = "";
const decoder = new TextDecoder();
const host = Bun.spawn([program, ...args], {
  terminal: {
    cols: 180,
    rows: 60,
    data(terminal, bytes) {
      const text = decoder.decode(bytes, { stream: true });
      raw += text;
      // The host queries the terminal for its cursor position and type.
      if (text.includes("\x1b[6n")) terminal.write("\x1b[1;1R");
      if (text.includes("\x1b[c")) terminal.write("\x1b[?62;c");
    },
  },
});

/** Removes terminal control sequences, except that those moving the cursor right become spaces. */
const stripControlSequences = (text: string) =>
  text
    .replace(/\x1b\[\d*C/g, " ")
    .replace(/\x1b\[[0-9;?<>=]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[()][A-Z0-9]|\x1b[=>78]/g, "");

let from = 0;
let hasMissed = false;
for (const action of JSON.parse(list) as string[]) {
  const pattern = /^\/(.*)\/$/s.exec(action)?.[1];
  if (action.startsWith("+")) {
    await Bun.sleep(Number(action));
    continue;
  }
  if (pattern === undefined) {
    from = raw.length;
    // Type first and then press Enter. If sent together, the keys would count as pasted text.
    host.terminal?.write(action.replace(/\r$/, ""));
    await Bun.sleep(150);
    if (action.endsWith("\r")) host.terminal?.write("\r");
    continue;
  }
  const until = performance.now() + Number(limit);
  while (
    !new RegExp(pattern).test(stripControlSequences(raw.slice(from)).replace(/\s+/g, "")) &&
    performance.now() < until
  )
    await Bun.sleep(50);
  hasMissed ||= performance.now() >= until;
}
const ended = await Promise.race([host.exited, Bun.sleep(Number(limit))]);
if (ended === undefined) host.kill("SIGKILL");
console.log(stripControlSequences(raw).replace(/\r\n?/g, "\n"));
// Report a missing pattern through the exit code, because a message would look like part of the screen.
process.exit(hasMissed ? 3 : (ended ?? 1));

export {};
