// The thread that watches over a call where the system's timers are not used: it gets what is known of the call, each time anew, and
// when nothing else comes in time, it has a process go on with the call, or writes the last answer, and ends this process.
const OPEN = 0;
const TAKEN = 2;
let known;
let timer;

const LIBRARIES = {
  win32: ["kernel32.dll"],
  darwin: ["libSystem.B.dylib"],
  linux: ["libc.so.6", `libc.musl-${process.arch === "arm64" ? "aarch64" : "x86_64"}.so.1`],
};

/** Ends the process: only a thread of the engine ends by what the engine has. */
const exit = exitOf(process.platform === "win32" ? "ExitProcess" : "_exit");

function exitOf(name) {
  for (const library of LIBRARIES[process.platform] ?? []) {
    try {
      return Bun.FFI.dlopen(library, { [name]: { args: ["i32"], returns: "void" } }).symbols[name];
    } catch {
      // The other C library, then.
    }
  }
  return () => process.kill(process.pid, "SIGKILL");
}

globalThis.onmessage = ({ data }) => {
  known = { ...known, ...data };
  clearTimeout(timer);
  timer = setTimeout(end, known.ms);
};

function end() {
  const { claim, answer, takeover, handover, env, descriptors } = known;
  if (Atomics.compareExchange(claim, 0, OPEN, TAKEN) !== OPEN) return;
  const next = takeover && handover ? goOn(takeover, handover, env) : undefined;
  const { stdout, stderr, exit_code } = next ?? answer;
  write(descriptors.stderr, stderr);
  write(descriptors.stdout, stdout);
  exit(exit_code);
}

/** What a new process answers; nothing where it was ended itself. */
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
