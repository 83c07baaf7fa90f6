/** Maximum length of one call in characters. A call is sent as one line. */
const LONGEST_LINE = 32 * 1024 * 1024;
/** The executable's default time limit for a call, and the margin for the transport, in milliseconds. */
const [DEADLINE_MS, WAY_MS] = [4_000, 500];
/** Deadlines this close together, in milliseconds, may expire in any order. */
const SAME_MOMENT_MS = 20;
/** The longest timer delay in milliseconds; timers with a longer one fire immediately. */
const LONGEST_MS = 2 ** 31 - 1;

/** Returns the last value of a flag, parsed like in the executable: `--flag value` or `--flag=value`. */
function valueOf(args, flag) {
  const at = args.findLastIndex((word) => word === flag || word.startsWith(`${flag}=`));
  if (at < 0) return undefined;
  return args[at] === flag ? args[at + 1] : args[at].slice(flag.length + 1);
}

/**
 * Returns a call's overall deadline and its deadline in the shared process. A hanging call is stopped early enough for
 * another process to answer the calls queued after it.
 */
function timesOf({ args, timeout }) {
  const own = Number(valueOf(args, "--timeout-ms"));
  const limit = Math.min((own > 0 ? own : DEADLINE_MS) + WAY_MS, timeout > 0 ? timeout * 1000 : Infinity, LONGEST_MS);
  const until = (ms) => ({ ms, deadline: performance.now() + ms });
  return { own: until(limit), shared: until(limit - Math.min(300, limit / 4)) };
}

/** Returns the result for a failed call. An unknown policy counts as "deny", as in the executable. */
const failedCall = (entry, error) => ({
  failure: `bridge-hooks: ${entry?.command ?? "its plugin"}: ${error?.message ?? "it failed"}; run "bridge-hooks doctor"`,
  policy: (valueOf(entry?.args ?? [], "--on-error") ?? "allow") === "allow" ? "allow" : "deny",
});

/** Creates an error that this call probably did not cause, so another process may be able to answer it. */
const died = (why) => Object.assign(new Error(why), { died: true });

/** Spawns a process; some runtimes throw where others emit an error event. */
function started(spawned) {
  try {
    return spawned();
  } catch (error) {
    throw died(`it can't be started: ${error.message}`);
  }
}

/** Refs or unrefs the process and its pipes, so that they keep the host alive only while a call waits. */
const hold = ({ child, pipes }, way) => [child, ...pipes].forEach((one) => one[way]?.());

/** Kills a process and fails the calls that wait for it. */
function endProcess(running, why) {
  if (running.ended) return;
  running.ended = why;
  running.gone();
  running.child.kill("SIGKILL");
  hold(running, "unref");
  // Processes that inherited the other ends of the pipes may keep them open.
  for (const pipe of running.pipes) pipe.destroy();
  for (const { fail } of [...running.waiting.values()]) fail(died(why));
}

/** Delivers the answers of a process to the waiting calls. */
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
  // The host ran out of file descriptors, so this process has no pipe to report on.
  if (pipes.length < 3) throw died("it can't be started: the host has too many files open");
  // The last answers may still arrive after the exit, but processes that inherited the pipes can delay the close event
  // forever.
  child.on("close", (code, signal) => end(why(code, signal)));
  child.on("exit", (code, signal) => setTimeout(() => end(why(code, signal)), 100));
  child.stdin.on("error", () => end("it accepts no calls"));
  child.stdout.on("error", () => end("its answers can't be read"));
  child.stderr.on("error", () => {});
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (chunk) => {
    const lines = (text + chunk).split("\n");
    text = lines.pop();
    try {
      lines.forEach(take);
    } catch {
      end("it answered with invalid JSON");
    }
  });
  child.stderr.setEncoding("utf8").on("data", (chunk) => log(chunk.trimEnd().slice(0, 2_000)));
}

/**
 * Sends one call; kills the process if it has not answered by the deadline.
 * @throws Error
 */
const callProcess = (running, argv, payload, { ms, deadline }) =>
  new Promise((resolve, reject) => {
    const { child, waiting } = running;
    if (running.ended) return reject(died(running.ended));
    const id = ++running.last;
    const line = JSON.stringify({ id, argv, payload });
    if (line.length > LONGEST_LINE) throw new Error(`the call has ${line.length} characters, which is too long`);
    const expire = () => {
      // Timers of calls with the same deadline fire in any order. The oldest of these calls blocks the
      // others.
      const first = [...waiting.values()].find((one) => one.deadline <= deadline + SAME_MOMENT_MS);
      first?.fail(new Error(`it did not answer within ${first.ms} ms`));
      endProcess(running, "another call took too long");
    };
    // If the host itself was busy, read pending answers before giving up.
    let timer = setTimeout(() => (timer = setTimeout(expire, 20)), deadline - performance.now());
    const settled = (settle) => (value) => {
      clearTimeout(timer);
      if (waiting.delete(id) && waiting.size === 0 && !running.ended) hold(running, "unref");
      settle(value);
    };
    waiting.set(id, { done: settled(resolve), fail: settled(reject), ms, deadline });
    // Bun counts ref() calls [seen 1.4.5, 2026-11-22].
    if (waiting.size === 1) hold(running, "ref");
    child.stdin.write(`${line}\n`);
  });

/** Starts the resident process for an entry's command. The process answers calls until it ends. */
async function startProcess({ command, args }, log, gone = () => {}) {
  const { spawn } = await import("node:child_process");
  const { dirname } = await import("node:path");
  const { existsSync } = await import("node:fs");
  const options = {
    stdio: ["pipe", "pipe", "pipe"],
    windowsHide: true,
    // The host's working directory may no longer exist, and spawning in it would fail.
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
 * Interprets the executable's answer: exit code 0, with or without a document; 2 for a denial; 1 if the executable
 * failed and the failure policy lets the call run.
 * @throws Error for any other exit code.
 */
function readResult({ exit_code, stderr, answer }, denies) {
  const isNone = answer === null;
  const isDocument = typeof answer === "object" && !isNone && !Array.isArray(answer);
  if (typeof stderr === "string") {
    if (exit_code === 2 && (isNone || isDocument)) {
      if (isDocument && denies(answer)) return { document: answer, said: stderr };
      // This denial has no document that the plugin could show, so its text comes from stderr.
      return { failure: stderr.trim() || "bridge-hooks: denied without a reason", policy: "deny" };
    }
    if ((exit_code === 0 && (isNone || isDocument)) || (exit_code === 1 && isNone))
      return { document: answer, said: stderr };
  }
  throw new Error(`it gave an invalid answer (exit code ${JSON.stringify(exit_code)})`);
}

/** Creates the resident processes, one per command, shared by all calls of that command. */
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

  /** Retries a call in a separate process if the shared process died, since the call may not have caused its death. */
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
      own.end("its call has finished");
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
 * the host asks about an event, so it can't throw while the plugin loads.
 * @param {{ hooks?: Record<string, { command: string, args: string[], timeout: number }[]> }} config the entries by
 * native event, with timeouts in seconds.
 * @param {{ log?: (line: string) => void, denies?: (document: object) => boolean }} options `log` receives what the
 * process prints apart from answers; `denies` returns whether the host's plugin reads a document as a denial.
 */
function bridge(config, { log = () => {}, denies = () => false } = {}) {
  const { answerOf, end } = createProcesses(log);
  const entryOf = (event) => config.hooks?.[event]?.[0];
  return {
    wants: (event) => entryOf(event) !== undefined,
    /** Ends the processes when the host reloads its plugins. Calls that are waiting or arrive later start new ones. */
    end,
    /**
     * Asks the hooks about an event; never rejects. `document` is the answer in the host's format, or null; `said` is
     * the text for the user. On failure, `failure` describes the problem and the fix, and `policy` decides whether the
     * call runs.
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
    /** Returns the same result as a failed `ask`, for an error in the plugin itself. */
    failed: (event, error) => failedCall(entryOf(event), error),
  };
}
