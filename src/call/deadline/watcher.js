// The thread that watches a call if system timers aren't available. It receives the call's progress. If the next
// message doesn't arrive in time, it starts a process that resumes the call, or writes the last answer, and then ends
// this process.
const OPEN = 0;
const TAKEN = 2;
let known;
let timer;
let busyTimer;
/** Interval between checks of the processor time, in milliseconds. */
const BUSY_CHECK_MS = 100;

/** Returns the processor time that this process has used, in milliseconds. */
function getProcessorTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const LIBRARIES = {
  win32: ["kernel32.dll"],
  darwin: ["/usr/lib/libSystem.B.dylib"],
  linux: ["libc.so.6", `libc.musl-${process.arch === "arm64" ? "aarch64" : "x86_64"}.so.1`],
};

/** Ends the process. The engine's own exit would only end this thread. */
const exit = exitOf(process.platform === "win32" ? "ExitProcess" : "_exit");

function exitOf(name) {
  for (const library of LIBRARIES[process.platform] ?? []) {
    try {
      return Bun.FFI.dlopen(library, { [name]: { args: ["i32"], returns: "void" } }).symbols[name];
    } catch {
      // Try the other C library.
    }
  }
  return () => process.kill(process.pid, "SIGKILL");
}

globalThis.onmessage = ({ data }) => {
  known = { ...known, ...data };
  clearTimeout(timer);
  clearInterval(busyTimer);
  // An exit code arrives after the answer.
  if (known.exit_code !== undefined) {
    timer = setTimeout(() => exit(known.exit_code), known.ms);
    return;
  }
  timer = setTimeout(end, known.ms);
  const busyUntil = getProcessorTime() + known.busyMs;
  busyTimer = setInterval(() => getProcessorTime() >= busyUntil && end(), BUSY_CHECK_MS);
};

function end() {
  clearInterval(busyTimer);
  const { claim, answer, takeover, handover, env, descriptors } = known;
  if (Atomics.compareExchange(claim, 0, OPEN, TAKEN) !== OPEN) return;
  const next = takeover && handover ? goOn(takeover, handover, env) : undefined;
  const { stdout, stderr, exit_code } = next ?? answer;
  write(descriptors.stderr, stderr);
  write(descriptors.stdout, stdout);
  exit(exit_code);
}

/** Returns the answer of a new process that resumes the call, or undefined if that process was killed. */
function goOn(takeover, handover, env) {
  try {
    const stdin = new TextEncoder().encode(JSON.stringify(handover));
    const { stdout, stderr, exitCode } = Bun.spawnSync(takeover, {
      stdin,
      stdout: "pipe",
      stderr: "pipe",
      env,
      windowsHide: true,
    });
    return exitCode === null
      ? undefined
      : { stdout: stdout.toString(), stderr: stderr.toString(), exit_code: exitCode };
  } catch {
    return undefined;
  }
}

function write(descriptor, text) {
  const { writeSync } = require("node:fs");
  let rest = new TextEncoder().encode(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest));
    } catch (error) {
      if (error.code !== "EAGAIN") return;
    }
  }
}
