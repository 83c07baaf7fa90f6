import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Command, measureInTurn, runCommand } from "./measure.ts";
import { computeMedian, computePairRatios, type Quartiles } from "./statistics.ts";

/** A program that checks Claude Code's calls: it denies a force push to main and allows all other commands. */
export interface Peer {
  name: string;
  /** Arguments, or a command for `sh -c`. */
  command: string | readonly string[];
}

/** Measurements of a peer, or the reason it was skipped. */
export interface PeerResult {
  name: string;
  skipped?: string;
  /** Times for an allowed and a denied command. */
  passed?: PeerTimes;
  denied?: PeerTimes;
}

export interface PeerTimes {
  ms: number;
  /** Ratio to the `node:fs` floor. */
  ratio: Quartiles;
}

const BASH_SCRIPT = `#!/usr/bin/env bash
command=$(jq -r '.tool_input.command // empty')
if [[ $command == *"git push"* && $command == *--force* && $command == *main* ]]; then
  echo "main is not force-pushed: open a pull request instead" >&2
  exit 2
fi
`;

const PYTHON_SCRIPT = `import json
import re
import sys

command = json.load(sys.stdin).get("tool_input", {}).get("command", "")
if re.search(r"\\bgit push\\b", command) and "--force" in command and "main" in command:
    print("main is not force-pushed: open a pull request instead", file=sys.stderr)
    sys.exit(2)
`;

const NODE_SCRIPT = `import { readFileSync } from "node:fs";

const command = JSON.parse(readFileSync(0, "utf8")).tool_input?.command ?? "";
if (/\\bgit push\\b/.test(command) && command.includes("--force") && command.includes("main")) {
  console.error("main is not force-pushed: open a pull request instead");
  process.exit(2);
}
`;

/** Runs a program and returns its output; undefined if the program isn't installed. */
function askProgram(...words: string[]): string | undefined {
  if (Bun.which(words[0] as string) === null) return undefined;
  const { exitCode, stdout } = Bun.spawnSync(words, { stdin: "ignore", stdout: "pipe", stderr: "ignore" });
  return exitCode === 0 ? `${stdout}`.trim() : undefined;
}

/**
 * Writes the peers' programs for the benchmark. Interpreters are called directly rather than through a version
 * manager's wrapper script.
 */
function writePeers(folder: string): (Peer | { name: string; skipped: string })[] {
  const write = (file: string, text: string) => {
    writeFileSync(join(folder, file), text);
    return join(folder, file);
  };
  const bash = Bun.which("bash");
  const python = askProgram("python3", "-c", "import sys; print(sys.executable)");
  const node = askProgram("node", "-p", "process.execPath");
  const jq = askProgram("jq", "--version");
  return [
    bash && jq
      ? { name: "bash and jq", command: [bash, write("hook.sh", BASH_SCRIPT)] }
      : { name: "bash and jq", skipped: `${bash ? "jq" : "bash"} is not installed` },
    python
      ? { name: "Python script", command: [python, write("hook.py", PYTHON_SCRIPT)] }
      : { name: "Python script", skipped: "python3 is not installed" },
    node
      ? { name: "Node script", command: [node, write("hook.mjs", NODE_SCRIPT)] }
      : { name: "Node script", skipped: "node is not installed" },
  ];
}

/** Parses a list of additional peers. @throws Error if it isn't a valid list. */
export function parsePeers(text: string, file: string): Peer[] {
  const list: unknown = JSON.parse(text);
  const isPeer = (one: unknown): one is Peer => {
    const { name, command } = (one ?? {}) as Partial<Record<keyof Peer, unknown>>;
    const isWords = Array.isArray(command) && command.length > 0 && command.every((word) => typeof word === "string");
    return typeof name === "string" && (typeof command === "string" || isWords);
  };
  if (!Array.isArray(list) || !list.every(isPeer))
    throw new Error(`${file}: not a list of { "name": …, "command": … }; a command is a line, or a list of words`);
  return list;
}

/** Whether a program denied a call in a format Claude Code understands. */
const isDenial = ({ exitCode, stdout }: { exitCode: number | null; stdout: string }) =>
  exitCode === 2 || /"(permissionDecision|decision)":\s*"(deny|block)"/.test(stdout);

interface PeerSettings {
  folder: string;
  /** File that lists additional peers. */
  file: string | undefined;
  /** Our executables, keyed by display name. */
  own: ReadonlyMap<string, Command>;
  floor: Command;
  payloads: { passed: string; denied: string };
  rounds: number;
}

/** Measures all programs in the same rounds. */
export function measurePeers({ folder, file, own, floor, payloads, rounds }: PeerSettings): PeerResult[] {
  const inputs = { passed: Buffer.from(payloads.passed), denied: Buffer.from(payloads.denied) };
  const commands = new Map<string, Command>(own);
  const skipped: PeerResult[] = [];
  const further = file === undefined ? [] : parsePeers(readFileSync(file, "utf8"), file);
  for (const peer of [...writePeers(folder), ...further]) {
    if ("skipped" in peer) {
      skipped.push(peer);
      continue;
    }
    const words = typeof peer.command === "string" ? ["/bin/sh", "-c", peer.command] : peer.command;
    const command = { ...floor, words };
    const [passed, denied] = [runCommand(command, inputs.passed), runCommand(command, inputs.denied)];
    if (passed.exitCode !== 0 || isDenial(passed))
      skipped.push({ name: peer.name, skipped: `it denies an ordinary command: ${passed.stderr.trim()}` });
    else if (!isDenial(denied)) skipped.push({ name: peer.name, skipped: "it does not deny a force push to main" });
    else commands.set(peer.name, command);
  }
  const measure = (input: Buffer) => {
    const times = measureInTurn(new Map([["floor", floor], ...commands]), () => [{ args: [], stdin: input }], rounds);
    const base = times.get("floor") as number[];
    return (name: string): PeerTimes => {
      const samples = times.get(name) as number[];
      return { ms: computeMedian(samples), ratio: computePairRatios(samples, base) };
    };
  };
  const [passed, denied] = [measure(inputs.passed), measure(inputs.denied)];
  return [...[...commands.keys()].map((name) => ({ name, passed: passed(name), denied: denied(name) })), ...skipped];
}
