/** Characters of the longest call, as one line. */
const LONGEST_LINE = 32 * 1024 * 1024;
/** Default time limit of a call in the executable, and the margin for the transport, in milliseconds. */
const [DEADLINE_MS, WAY_MS] = [4_000, 500];
/** Calls with deadlines this close to each other may expire in any order. */
const SAME_MOMENT_MS = 20;
/** Timers with a longer delay fire at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** Returns a flag's value as the executable reads it: in either form, and the last one wins. */
function valueOf(args, flag) {
  const at = args.findLastIndex((word) => word === flag || word.startsWith(`${flag}=`));
  if (at < 0) return undefined;
  return args[at] === flag ? args[at + 1] : args[at].slice(flag.length + 1);
}

/**
 * Returns the deadlines of a call: overall, and in the shared process. A blocked call is ended early enough that
 * concurrent calls behind it can still be answered by another process.
 */
function timesOf({ args, timeout }) {
  const own = Number(valueOf(args, "--timeout-ms"));
  const limit = Math.min((own > 0 ? own : DEADLINE_MS) + WAY_MS, timeout > 0 ? timeout * 1000 : Infinity, LONGEST_MS);
  const until = (ms) => ({ ms, deadline: performance.now() + ms });
  return { own: until(limit), shared: until(limit - Math.min(300, limit / 4)) };
}

/** The result of a call that failed. An unknown policy counts as the stricter one, like in the executable. */
const failedCall = (entry, error) => ({
  failure: `bridge-hooks: ${entry?.command ?? "its plugin"}: ${error?.message ?? "it failed"}; run "bridge-hooks doctor"`,
  policy: (valueOf(entry?.args ?? [], "--on-error") ?? "allow") === "allow" ? "allow" : "deny",
});

/** An error that is probably not this call's fault: another process may answer it. */
const died = (why) => Object.assign(new Error(why), { died: true });

/** Some runtimes throw where others emit an event. */
function started(spawned) {
  try {
    return spawned();
  } catch (error) {
    throw died(`it can't be started: ${error.message}`);
  }
}

/** The process keeps the host alive only while a call waits. */
const hold = ({ child, pipes }, way) => [child, ...pipes].forEach((one) => one[way]?.());

/** Ends a process, and fails the calls that wait for it. */
function endProcess(running, why) {
  if (running.ended) return;
  running.ended = why;
  running.gone();
  running.child.kill("SIGKILL");
  hold(running, "unref");
  // Processes that inherited the other ends may keep them open.
  for (const pipe of running.pipes) pipe.destroy();
  for (const { fail } of [...running.waiting.values()]) fail(died(why));
}

/** Passes the process's answers on to the calls that wait for them. */
function listen(running) {
  const { child, pipes, waiting, log } = running;
  const end = (why) => endProcess(running, why);
  const take = (line) => {
    const { id, exit_code, stderr, answer } = JSON.parse(line);
    if (id === null) log(stderr);
    waiting.get(id)?.done({ exit_code, stderr, answer });
  };
  const why = (code, signal) => `it ended with ${signal ?? `exit code ${code}`}`;
  child.on("error", (error) => end(`it can't be started: ${error.message}`));
  // File descriptors ran out: this process can't report anything.
  if (pipes.length < 3) throw died("it can't be started: the host has too many files open");
  // The last answers may still arrive. Don't wait for processes that inherited the pipes.
  child.on("close", (code, signal) => end(why(code, signal)));
  child.on("exit", (code, signal) => setTimeout(() => end(why(code, signal)), 100));
  child.stdin.on("error", () => end("it takes no calls"));
  child.stdout.on("error", () => end("its answers can't be read"));
  child.stderr.on("error", () => {});
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (chunk) => {
    const lines = (text + chunk).split("\n");
    text = lines.pop();
    try {
      lines.forEach(take);
    } catch {
      end("it answered something else than JSON");
    }
  });
  child.stderr.setEncoding("utf8").on("data", (chunk) => log(chunk.trimEnd().slice(0, 2_000)));
}

/**
 * Makes one call; a process that hangs is killed at the deadline.
 * @throws Error
 */
const callProcess = (running, argv, payload, { ms, deadline }) =>
  new Promise((resolve, reject) => {
    const { child, waiting } = running;
    if (running.ended) return reject(died(running.ended));
    const id = ++running.last;
    const line = JSON.stringify({ id, argv, payload });
    if (line.length > LONGEST_LINE)
      throw new Error(`the call has ${line.length} characters, more than can be looked at`);
    const expire = () => {
      // Timers fire in any order for calls of one moment: the first of those calls blocks the others.
      const first = [...waiting.values()].find((one) => one.deadline <= deadline + SAME_MOMENT_MS);
      first?.fail(new Error(`it did not answer within ${first.ms} ms`));
      endProcess(running, "another call took too long");
    };
    // If the host itself was busy, read pending answers first.
    let timer = setTimeout(() => (timer = setTimeout(expire, 20)), deadline - performance.now());
    const settled = (settle) => (value) => {
      clearTimeout(timer);
      if (waiting.delete(id) && waiting.size === 0 && !running.ended) hold(running, "unref");
      settle(value);
    };
    waiting.set(id, { done: settled(resolve), fail: settled(reject), ms, deadline });
    // Bun counts them [seen 1.4.5, 2026-11-22].
    if (waiting.size === 1) hold(running, "ref");
    child.stdin.write(`${line}\n`);
  });

/** Starts the process of an entry's command, which answers calls until it ends. */
async function startProcess({ command, args }, log, gone = () => {}) {
  const { spawn } = await import("node:child_process");
  const { dirname } = await import("node:path");
  const { existsSync } = await import("node:fs");
  const options = {
    stdio: ["pipe", "pipe", "pipe"],
    windowsHide: true,
    // The host's working directory may no longer exist, and nothing can start in it.
    cwd: [dirname(process.execPath), "/"].find(existsSync),
  };
  const child = started(() => spawn(command, ["serve", "--host", valueOf(args, "--host")], options));
  const pipes = [child.stdin, child.stdout, child.stderr].filter(Boolean);
  const running = { child, pipes, waiting: new Map(), ended: undefined, last: 0, log, gone };
  listen(running);
  hold(running, "unref");
  return {
    end: (why) => endProcess(running, why),
    call: (argv, payload, times) => callProcess(running, argv, payload, times),
  };
}

/**
 * Interprets the executable's answers: 0, with or without a document; 2, a denial; and 1, when it failed and the
 * failure policy lets the call pass.
 * @throws Error for any other.
 */
function readResult({ exit_code, stderr, answer }, denies) {
  const isNone = answer === null;
  const isDocument = typeof answer === "object" && !isNone && !Array.isArray(answer);
  if (typeof stderr === "string") {
    if (exit_code === 2 && (isNone || isDocument)) {
      if (isDocument && denies(answer)) return { document: answer, said: stderr };
      // It would have blocked without a message that the host could show.
      return { failure: stderr.trim() || "bridge-hooks: denied without a reason", policy: "deny" };
    }
    if ((exit_code === 0 && (isNone || isDocument)) || (exit_code === 1 && isNone))
      return { document: answer, said: stderr };
  }
  throw new Error(`it gave an invalid answer (exit code ${JSON.stringify(exit_code)})`);
}

/** Creates the processes that answer calls: one for each command, which its calls share. */
function createProcesses(log) {
  const processes = new Map();

  /** Returns the process that all calls of a command share. */
  function sharedBy(entry) {
    const { command } = entry;
    if (!processes.has(command)) {
      const forget = () => processes.get(command) === running && processes.delete(command);
      const running = startProcess(entry, log, forget);
      running.catch(forget);
      processes.set(command, running);
    }
    return processes.get(command);
  }

  /**
   * A call whose process dies is repeated in a process of its own: whatever killed the first one may spare the second.
   */
  async function answerOf(entry, payload) {
    const { args } = entry;
    const times = timesOf(entry);
    try {
      return await (await sharedBy(entry)).call(args, payload, times.shared);
    } catch (error) {
      if (!error?.died) throw error;
    }
    const own = await startProcess(entry, log);
    try {
      return await own.call(args, payload, times.own);
    } finally {
      own.end("its call is over");
    }
  }

  return {
    answerOf,
    end() {
      for (const running of processes.values())
        running.then(
          ({ end }) => end("the host unloaded the plugin"),
          () => {},
        );
    },
  };
}

/**
 * The client of the resident process, embedded in the plugins that `bridge-hooks install` writes. It does nothing until
 * a host asks about an event, so it can't throw while the plugin loads.
 * @param {{ hooks?: Record<string, { command: string, args: string[], timeout: number }[]> }} config the entries, by
 * native event; timeouts in seconds.
 * @param {{ log?: (line: string) => void, denies?: (document: object) => boolean }} options `log` receives what the
 * process prints outside of its answers. `denies` tells whether the host's plugin reads a document as a denial.
 */
function bridge(config, { log = () => {}, denies = () => false } = {}) {
  const { answerOf, end } = createProcesses(log);
  const entryOf = (event) => config.hooks?.[event]?.[0];
  return {
    wants: (event) => entryOf(event) !== undefined,
    /** Ends the processes, for a host that reloads its plugins; a waiting or later call starts a new one. */
    end,
    /**
     * Asks the hooks about an event; never rejects. `document` is the answer in the host's format (null: none), `said`
     * the text for the user. `failure` says what happened and what to do; `policy` decides what happens to the call
     * then.
     */
    async ask(event, payload) {
      const entry = entryOf(event);
      if (!entry) return { document: null, said: "" };
      try {
        return readResult(await answerOf(entry, payload), denies);
      } catch (error) {
        return failedCall(entry, error);
      }
    },
    /** Returns the result for an error in the plugin itself, in the form of a failed `ask`. */
    failed: (event, error) => failedCall(entryOf(event), error),
  };
}
