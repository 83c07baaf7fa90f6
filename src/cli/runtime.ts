import { closeSync, openSync, readSync, writeSync } from "node:fs";

/**
 * The runtime's own switches, decided one by one.
 *
 * An executable made by `bun build --compile` contains all of Bun, and Bun obeys environment variables: one of them turns
 * the executable into `bun` itself, another loads foreign code before ours. Hosts let a repository set variables for the
 * hooks they call, so names that are `off` are made unreachable in the runtime image: their first byte becomes 0xFF, which
 * no JSON text and no shell assignment can produce. The image is changed before Bun appends the program, and signed when that is in it.
 */
type Decision = "off" | "keep";

/** By prefix, first match counts. What is not listed fails the build, so a new Bun release is looked at before it ships. */
const NAMES: readonly [prefix: string, decision: Decision, why: string][] = [
  ["BUN_OPTIONS", "off", "adds command line flags, --preload among them"],
  ["BUN_BE_BUN", "off", "turns the executable into bun"],
  ["BUN_INSPECT", "off", "opens a debugger, or waits for one, or loads code for it"],
  ["BUN_JSC_", "off", "engine options; a wrong one ends the process"],
  ["BUN_BYTECODE_", "off", "writes files"],
  ["BUN_TCC_OPTIONS", "off", "options of the C compiler behind bun:ffi"],
  ["BUN_CONFIG_", "off", "network and install settings, one of them prints requests"],
  ["BUN_DEBUG_", "off", "prints"],
  ["BUN_FEATURE_FLAG_", "off", "changes how the runtime works"],
  ["BUN_INTERNAL_", "off", "changes how the runtime works"],
  ["BUN_RUNTIME_TRANSPILER_CACHE_PATH", "off", "code is loaded from there"],
  ["BUN_DISABLE_", "off", "changes how the runtime works"],
  ["BUN_ENABLE_", "off", "changes how the runtime works"],
  ["BUN_COMPILE_TARGET_TARBALL_URL", "off", "where a build gets its runtime"],
  ["BUN_CRASH_REPORT_URL", "off", "sends reports"],
  ["BUN_DESTRUCT_VM_ON_EXIT", "off", "slows the end down"],
  ["BUN_DUMP_", "off", "prints"],
  ["BUN_GARBAGE_COLLECTOR_LEVEL", "off", "slows everything down"],
  ["BUN_GC_", "off", "changes how the runtime works"],
  ["BUN_IDLE_GC_SECONDS", "off", "changes how the runtime works"],
  ["BUN_TRACE", "off", "writes files"],
  ["BUN_WATCHER_TRACE", "off", "writes files"],
  ["BUN_THREADPOOL_STATS", "off", "prints"],
  ["BUN_SHOW_BUN_STACKFRAMES", "off", "prints"],
  ["BUN_NO_CODESIGN_MACHO_BINARY", "off", "leaves a build unsigned"],
  ["BUN_CHROME_PATH", "off", "a program that would be run"],
  ["BUN_DEV_SERVER_TEST_RUNNER", "off", "changes how the runtime works"],
  ["BUN_ASSUME_PERFECT_INCREMENTAL", "off", "changes how the runtime works"],
  ["BUN_AGENT_RULE_DISABLED", "off", "changes how the runtime works"],
  ["NODE_CHANNEL_", "off", "a pipe that messages are read from"],
  ["NODE_UNIQUE_ID", "off", "makes the process a cluster worker"],
  ["NODE_COMPILE_CACHE", "off", "code is loaded from there"],
  ["NODE_V8_COVERAGE", "off", "writes files"],
  ["NODE_DEBUG", "off", "prints"],
  ["NODE_ICU_DATA", "off", "data is loaded from there"],
  ["NODE_REDIRECT_WARNINGS", "off", "writes files"],
  ["NODE_REPL_", "off", "code is loaded from there"],
  ["NODE_PATH", "off", "modules are loaded from there"],
  ["NODE_TLS_REJECT_UNAUTHORIZED", "off", "a hook's request to a policy server must not trust anybody"],
  ["NODE_PENDING_DEPRECATION", "off", "prints"],
  ["NODE_PRESERVE_SYMLINKS", "off", "changes which module is loaded"],

  ["BUN_INSTALL", "keep", "where a build finds runtimes; nothing at a hook call"],
  ["BUN_TMPDIR", "keep", "where a build writes; nothing at a hook call"],
  ["NODE_EXTRA_CA_CERTS", "keep", "a company's certificates, for hooks that ask a server"],
  ["NODE_USE_SYSTEM_CA", "keep", "a company's certificates, for hooks that ask a server"],
  ["NODE_USE_ENV_PROXY", "keep", "a company's proxy, for hooks that ask a server"],
  ["NODE_ENV", "keep", "read by libraries; set when the build runs"],
  ["NODE_OPTIONS", "keep", "Bun does not obey it (tried)"],
  ["NODE_NO_WARNINGS", "keep", "silences warnings"],
  ["NODE_NO_READLINE", "keep", "REPL only"],
  ["NODE_DISABLE_C", "keep", "no colours, no compile cache"],
  ["NODE_CLUSTER", "keep", "cluster only"],
  ["NODE_TEST_", "keep", "test runner only"],
  ["BUN_TEST_", "keep", "test runner only"],
  ["BUN_LINT_MEMORY", "keep", "linter only"],
  ["BUN_MANIFEST_CACHE", "keep", "package manager only"],
  ["BUN_CREATE_DIR", "keep", "project templates only"],
  ["BUN_INOTIFY_COALESCE_INTERVAL", "keep", "file watcher only"],
  ["BUN_ENV", "keep", "like NODE_ENV"],
  ["BUN_PORT", "keep", "a server's port"],
  ["NODE_PORT", "keep", "a server's port"],
  ["BUN_PUBLIC_", "keep", "text in templates"],
  ["BUN_STACKFRAMES", "keep", "the rest of a longer name"],
  ["BUN_FFI_", "keep", "no variable: a symbol"],
  ["BUN_WORKER_", "keep", "no variable: a symbol"],
  ["BUN_PLUGIN_NAME", "keep", "no variable: a symbol"],
  ["NODE_API_", "keep", "no variable: a symbol"],
  ["NODE_PERFORMANCE_", "keep", "no variable: a symbol"],
  ["NODE_MODULE", "keep", "no variable: a symbol or a folder"],
  ["NODE_HANDLE", "keep", "no variable: a message"],
  ["BUN_AUTO_UPDATE", "keep", "bun upgrade only"],
  ["BUN_CANARY", "keep", "bun upgrade only"],
  ["BUN_DRY_RUN", "keep", "package manager only"],
  ["BUN_WHICH_IGNORE_CWD", "keep", "keeps programs of the working directory out; nothing to gain by turning it on"],
  ["BUN_RUN", "keep", "no variable: a message"],
  ["BUN_INSTRUMENTS", "keep", "no variable: a message"],
  ["BUN_DATA__", "keep", "no variable: a symbol"],
  ["BUN_INTERNALS_", "keep", "no variable: a symbol"],
  ["NODE_TYPE_ERR", "keep", "no variable: an error code"],
  ["NODE_EXTENSION", "keep", "no variable: an error code"],
  ["NODE_START", "keep", "no variable: a symbol"],
  ["NODE_TLSI", "keep", "machine code that compares a longer name"],
  ["NODE_CHA", "keep", "machine code that compares a longer name"],
  ["NODE_OPT", "keep", "machine code that compares a longer name"],
];

/** mimalloc's options, one of which keeps the process from getting memory; the prefix is all that has to go. */
const ALLOCATOR = "mimalloc";

const UNREACHABLE = 0xff;

/** Bun compares this prefix in machine code, letter by letter, and not with the text. */
const ENGINE = "BUN_JSC_";

/**
 * Makes every switch that is off unreachable, in place.
 * @throws Error when the image holds a name nobody has decided about, or when a switch is not where it was expected.
 */
export function harden(image: Buffer): void {
  const unknown = new Set<string>();
  const text = image.toString("latin1");
  const name = /(?:BUN|NODE)_[A-Z][A-Z0-9_]+/g;
  for (let match = name.exec(text); match; match = name.exec(text)) {
    const [found] = match;
    const decided = NAMES.find(([prefix]) => found.startsWith(prefix));
    if (!decided) unknown.add(found);
    else if (decided[1] === "off") image[match.index] = UNREACHABLE;
    // Names stand next to each other without a gap: look on right behind the start of this one.
    name.lastIndex = match.index + (decided?.[0].length ?? 4);
  }
  if (unknown.size > 0) {
    throw new Error(`this Bun has switches that nobody has decided about (${[...unknown].join(", ")}); add them to src/cli/runtime.ts`);
  }
  for (let at = image.indexOf(ALLOCATOR); at >= 0; at = image.indexOf(ALLOCATOR, at + 1)) image[at] = UNREACHABLE;
  const comparisons = [...x64Comparison(text), ...arm64Comparison(image)];
  if (comparisons.length !== 1)
    throw new Error(`expected one place that compares ${ENGINE} in this Bun, found ${comparisons.length}; see src/cli/runtime.ts`);
  comparisons[0]?.();
  function* x64Comparison(code: string) {
    // cmp byte [reg], 'B'; jne; cmp byte [reg + 1], 'U'; jne; …
    const steps = [...ENGINE].map((letter, index) => (index === 0 ? letter : `(?:\\x41)?\\x80[\\x78-\\x7f]\\x0${index}${letter}`));
    for (const { index } of code.matchAll(new RegExp(steps.join("\\x75[\\x00-\\xff]"), "g"))) yield () => void (image[index] = UNREACHABLE);
  }
}

/**
 * What a copy needs in order to serve as a tool: to be `bun`, to get runtimes from where this machine gets its packages, and to
 * load no code from a cache.
 */
const LENT = ["BUN_BE_BUN", "BUN_COMPILE_TARGET_TARBALL_URL", "BUN_RUNTIME_TRANSPILER_CACHE_PATH"];

/**
 * Makes those switches reachable again in a file: for a private copy that runs tools and is gone afterwards.
 * @throws Error when it is no executable that `harden` has been at.
 */
export function lend(file: string): void {
  const wanted = new Set(LENT);
  const [chunk, seam] = [Buffer.alloc(8 * 1024 * 1024), 64];
  const image = openSync(file, "r+");
  try {
    for (let at = 0; wanted.size > 0; at += chunk.length - seam) {
      const part = chunk.subarray(0, readSync(image, chunk, 0, chunk.length, at));
      if (part.length === 0) throw new Error(`this executable has no ${[...wanted].join(", ")} that is off; see src/cli/runtime.ts`);
      for (const name of wanted) {
        const found = part.indexOf(Buffer.concat([Buffer.of(UNREACHABLE), Buffer.from(name.slice(1))]));
        if (found >= 0 && writeSync(image, name, at + found) > 0) wanted.delete(name);
      }
    }
  } finally {
    closeSync(image);
  }
}

/** cmp wN, #letter, one per letter, a few instructions apart. */
function* arm64Comparison(image: Buffer): Generator<() => void> {
  const isCompare = (at: number, letter: string) =>
    (image.readUInt32LE(at) & 0xfffffc1f) >>> 0 === (0x7100001f | (letter.charCodeAt(0) << 10)) >>> 0;
  const [head = "", ...rest] = ENGINE;
  for (let rn = 0; rn < 31; rn++) {
    const first = Buffer.alloc(4);
    first.writeUInt32LE((0x7100001f | (head.charCodeAt(0) << 10) | (rn << 5)) >>> 0);
    for (let at = image.indexOf(first); at >= 0; at = image.indexOf(first, at + 1)) {
      if (at % 4 !== 0 || at + 4 * 8 * rest.length > image.length) continue;
      let place = at;
      const all = rest.every((letter) => {
        const next = [1, 2, 3, 4, 5, 6, 7].find((step) => isCompare(place + 4 * step, letter));
        place += 4 * (next ?? 0);
        return next !== undefined;
      });
      // The compared letter is the instruction's 12-bit immediate.
      if (all) yield () => void image.writeUInt32LE(((image.readUInt32LE(at) & ~(0xfff << 10)) | (UNREACHABLE << 10)) >>> 0, at);
    }
  }
}
