/** Faults in a handler and in its response. */

const loopForever = (): never => {
  for (;;);
};

const throwUnprintable = (): never => {
  throw new Error("attack: this can't be shown");
};

const createRevokedProxy = (): object => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};

/** Values that can't be converted to a string, or whose conversion has side effects. */
const thrownValues: Record<string, () => unknown> = {
  "an object without a prototype": () => Object.create(null),
  "an error whose message is an object": () => Object.assign(new Error("x"), { message: Object.create(null) }),
  "an error whose message throws": () => Object.defineProperty(new Error("x"), "message", { get: throwUnprintable }),
  "an error whose name is a symbol": () => Object.assign(new Error(""), { name: Symbol("name") }),
  "an error whose message loops": () => Object.defineProperty(new Error("x"), "message", { get: loopForever }),
  "an object whose toString throws": () => ({ toString: throwUnprintable, [Symbol.toPrimitive]: throwUnprintable }),
  "an object whose toString loops": () => ({ toString: loopForever }),
  "a proxy that throws": () =>
    new Proxy({}, { get: throwUnprintable, getPrototypeOf: throwUnprintable, ownKeys: throwUnprintable }),
  "a revoked proxy": createRevokedProxy,
  "a symbol": () => Symbol("thrown"),
  undefined: () => undefined,
  "a multi-line text": () => `one\n  two\r\n${"x".repeat(100_000)}`,
};

const responses: Record<string, () => unknown> = {
  "a getter that throws": () => ({
    get decision() {
      return throwUnprintable();
    },
  }),
  "a getter that loops": () => ({
    get decision() {
      return loopForever();
    },
  }),
  "a toJSON that throws": () => ({ modified_input: { command: { toJSON: throwUnprintable } } }),
  "a toJSON that loops": () => ({ modified_input: { command: { toJSON: loopForever } } }),
  "a proxy whose traps throw": () => new Proxy({}, { ownKeys: throwUnprintable, getPrototypeOf: throwUnprintable }),
  "a proxy whose traps loop": () => new Proxy({}, { ownKeys: loopForever, getPrototypeOf: () => Object.prototype }),
  "a revoked proxy": createRevokedProxy,
  "a then method that throws": () => ({ then: throwUnprintable }),
  "a then method that loops": () => ({ then: loopForever }),
  "a then method that never calls back": () => ({ then: () => {} }),
  "a cycle": () => {
    const input: Record<string, unknown> = {};
    input.self = input;
    return { modified_input: input };
  },
  "deep nesting": () => {
    let input: Record<string, unknown> = {};
    for (let depth = 0; depth < 100_000; depth++) input = { input };
    return { modified_input: input };
  },
};

const others: Record<string, () => unknown> = {
  loops: loopForever,
  "loops after a wait": async () => {
    await 1;
    loopForever();
  },
  "loops after a timer": async () => {
    await Bun.sleep(1);
    loopForever();
  },
  "loops in a timer": () => void setTimeout(loopForever, 0),
  "loops in a timer while it waits": () => (setTimeout(loopForever, 5), Bun.sleep(50)),
  "queues microtasks forever": async () => {
    for (;;) await 1;
  },
  "loops in a regular expression": () => /^(\w+\s?)*$/.test(`${"word ".repeat(40)}!`),
  "loops in a regular expression after a wait": async () => {
    await 1;
    return /^(\w+\s?)*$/.test(`${"word ".repeat(40)}!`);
  },
  "recurses forever": function again(): unknown {
    return [again()];
  },
  "waits forever": () => new Promise(() => {}),
  "blocks on a child process": () => Bun.spawnSync(["sleep", "30"]),
  exits: () => process.exit(0),
  "exits later": () => (setTimeout(() => process.exit(0), 5), Bun.sleep(50)),
  "exits despite the guard": () => (process as unknown as { reallyExit: (code: number) => never }).reallyExit(0),
  aborts: () => process.abort(),
  "sets the exit code": () => void (process.exitCode = 7),
  "starts a child process that keeps running": () =>
    void Bun.spawn(["sleep", "30"], { stdio: ["inherit", "inherit", "inherit"] }),
  "starts a detached child process that keeps running": async () => {
    const { spawn } = await import("node:child_process");
    spawn("sleep", ["30"], { stdio: "inherit", detached: true }).unref();
  },
  "leaves a timer": () => void setInterval(() => {}, 1_000),
  "prints a lot": () => {
    for (let line = 0; line < 1_000; line++) console.log("x".repeat(100));
  },
};

export const handlers: Readonly<Record<string, () => unknown>> = {
  ...others,
  ...Object.fromEntries(Object.entries(responses).map(([name, make]) => [`returns ${name}`, make])),
  ...Object.fromEntries(
    Object.entries(thrownValues).map(([name, make]) => [
      `throws ${name}`,
      () => {
        throw make();
      },
    ]),
  ),
  "rejects with an object without a prototype": () => Promise.reject(Object.create(null)),
  "rejects with a revoked proxy": () => Promise.reject(createRevokedProxy()),
};
