import { defineHook, deny, git, paths, state } from "bridge-hooks";
import { dlopen } from "bun:ffi";
import { Database } from "bun:sqlite";
import { promises } from "node:dns";
import { tmpdir, userInfo } from "node:os";
import { runInNewContext } from "node:vm";

/**
 * On the command "busy", does typical hook work, so that the runtime reads every environment variable such work
 * requires.
 */
export default defineHook({
  event: "PreToolUse",
  matcher: "Bash(busy)",
  async handler(event) {
    dlopen("libc.so.6", { getpid: { args: [], returns: "i32" } }).symbols.getpid();
    const worker = new Worker(URL.createObjectURL(new Blob(["postMessage(1)"], { type: "application/javascript" })));
    await new Promise((done) => {
      worker.onmessage = worker.onerror = done;
    });
    const server = Bun.serve({ port: 0, fetch: () => new Response("x") });
    await (await fetch(server.url)).text();
    await fetch("https://127.0.0.1:9/").catch(() => {});
    server.stop(true);
    await promises.lookup("localhost");
    Bun.spawnSync(["true"]);
    await Bun.$`true`.quiet();
    new Database(":memory:").query("select 1").all();
    runInNewContext("1", {}, { timeout: 100 });
    console.table([{ user: userInfo().username, folder: tmpdir(), day: new Date().toLocaleString() }]);
    void git({ cwd: process.cwd() })?.dirty;
    paths(event);
    state(event);
    for (let at = 0, sum = 0; at < 3e6; at++) sum += at % 7;
    return deny("busy");
  },
});
