/**
 * The client of the resident process, inside the plugins that `bridge-hooks install` writes. Nothing in it runs, and so nothing
 * can throw, before a host asks about an event.
 *
 * @param {{ hooks?: Record<string, { command: string, args: string[], timeout: number }[]> }} config the entries, by native event; timeouts in seconds.
 * @param {{ log?: (line: string) => void }} options `log`: what the process says outside of its answers.
 */
function bridge(config, { log = () => {} } = {}) {
  const MOST_TRIES = 2;
  const processes = new Map();
  const entryOf = (event) => config.hooks?.[event]?.[0];

  /** Starts the process of a command, which answers all calls until it ends. */
  async function start(command, host) {
    const { spawn } = await import("node:child_process");
    const waiting = new Map();
    const child = spawn(command, ["serve", "--host", host], { stdio: ["pipe", "pipe", "pipe"], windowsHide: true });
    const pipes = [child.stdin, child.stdout, child.stderr];
    // Only while a call waits does the process keep the host from ending.
    const hold = (way) => [child, ...pipes].forEach((one) => one[way]?.());
    let ended;
    const end = (why) => {
      if (ended) return;
      ended = why;
      processes.delete(command);
      child.kill("SIGKILL");
      hold("unref");
      for (const { fail } of [...waiting.values()]) fail(new Error(why), true);
    };
    const take = (line) => {
      const { id, exit_code, stderr, answer } = JSON.parse(line);
      if (id === null) log(stderr);
      waiting.get(id)?.done({ exit_code, stderr, answer });
    };
    child.on("error", (error) => end(`it can't be started: ${error.message}`));
    const why = (code, signal) => `it ended with ${signal ?? `exit code ${code}`}`;
    // Its last answers may still be on their way; whoever has inherited its pipes is not waited for.
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
    hold("unref");
    let last = 0;
    return {
      end,
      /** One call. @throws Error, with `died` where it is the process that ended. */
      call: (argv, payload) =>
        new Promise((resolve, reject) => {
          if (ended) return reject(Object.assign(new Error(ended), { died: true }));
          const id = ++last;
          const leave = () => waiting.delete(id) && waiting.size === 0 && !ended && hold("unref");
          const done = (answer) => (leave(), resolve(answer));
          const fail = (error, died) => (leave(), reject(Object.assign(error, { died })));
          waiting.set(id, { done, fail });
          // Bun counts them.
          if (waiting.size === 1) hold("ref");
          child.stdin.write(`${JSON.stringify({ id, argv, payload })}\n`);
        }),
    };
  }

  function processFor({ command, args }) {
    if (!processes.has(command)) processes.set(command, start(command, args[args.indexOf("--host") + 1]));
    return processes.get(command);
  }

  /** A call whose process dies is made once more, in another. */
  async function tried(entry, payload, current, tries = 1) {
    const running = await processFor(entry);
    current.end = running.end;
    try {
      return await running.call(entry.args, payload);
    } catch (error) {
      if (!error.died || current.late || tries === MOST_TRIES) throw error;
      return tried(entry, payload, current, tries + 1);
    }
  }

  /** The answer within the entry's timeout, or an error: a process that hangs is ended, and its other calls go to the next. */
  async function answerOf(entry, payload) {
    const current = {};
    let timer;
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => {
        current.late = true;
        reject(new Error(`it did not answer within ${entry.timeout} s`));
        current.end?.("a call took too long");
      }, entry.timeout * 1000);
    });
    try {
      return await Promise.race([tried(entry, payload, current), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    /** Whether there is an entry for an event. */
    wants: (event) => entryOf(event) !== undefined,
    /** Ends the processes, for a host that loads its plugins anew; a call that still waits, or comes later, starts another. */
    end() {
      for (const running of processes.values())
        running.then(
          ({ end }) => end("the host unloaded the plugin"),
          () => {},
        );
    },
    /**
     * What the hooks say about an event; never rejects. `document` is the answer in the host's form (null: nothing), `said` what
     * people are to know. A `failure` says what happened and what to do; `policy` what is to become of the call then.
     */
    async ask(event, payload) {
      const entry = entryOf(event);
      if (!entry) return { document: null, said: "" };
      const policy = entry.args[entry.args.indexOf("--on-error") + 1] === "deny" ? "deny" : "allow";
      const failed = (why) => ({ failure: `bridge-hooks: ${entry.command}: ${why}; run "bridge-hooks doctor"`, policy });
      try {
        const { exit_code, stderr, answer } = await answerOf(entry, payload);
        if (typeof exit_code !== "number" || typeof answer !== "object") return failed("its answer is none");
        // It would have blocked without a word.
        if (exit_code === 2 && answer === null) return { failure: stderr, policy: "deny" };
        return { document: answer, said: stderr };
      } catch (error) {
        return failed(error.message);
      }
    },
  };
}
