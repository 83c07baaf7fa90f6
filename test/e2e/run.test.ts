import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { waitFor } from "../support/machine.ts";
import { findRunProblem } from "./driver.ts";
import { closeModel, openModel } from "./model.ts";
import { writeRunFile, runHost, type RunSetup } from "./run.ts";

/** Runs a program in place of a host. */
const runProgram = (command: string, setup: Partial<RunSetup> = {}) =>
  runHost(
    {
      release: { host: "none", version: "0", folder: "" },
      configure: (_setup, { home }) => writeRunFile(join(home, "config"), "made for this run\n"),
      start: () => ({ argv: ["sh", "-c", command], env: { MORE: "yes" } }),
    },
    { script: { main: [] }, ...setup },
    under,
  );
const under = mkdtempSync(join(tmpdir(), "bh-"));
afterAll(() => rmSync(under, { recursive: true, force: true }));

describe.skipIf(process.platform !== "linux")("a run of a host", () => {
  test("gets a separate home directory, project and environment", async () => {
    const { sessions, place } = await runProgram(`cat "$HOME/config"; pwd; env | cut -d= -f1 | sort | tr '\\n' ' '`);
    const [config, folder, names] = (sessions[0]?.stdout ?? "").split("\n");
    expect([config, folder]).toEqual(["made for this run", place.project]);
    // The shell might add variables of its own.
    const own = names?.split(" ").filter((name) => name && !["PWD", "_", "SHLVL"].includes(name));
    expect(own).toEqual([
      "BRIDGE_E2E_RUN",
      "GLIBC_TUNABLES",
      "HOME",
      "LANG",
      "MORE",
      "PATH",
      "TERM",
      "TMPDIR",
      "XDG_RUNTIME_DIR",
    ]);
  });

  test("is killed at its time limit if it hangs, and the problem is named", async () => {
    const run = await runProgram("sleep 30", { bound: 0.3 });
    expect(run.sessions[0]).toMatchObject({ hung: true, code: null });
    expect(findRunProblem(run)).toContain("did not end within its");
  });

  test("begins with the actions of the executable, and ends if one fails", async () => {
    const copy = "it's here/program";
    const deeds = [{ line: ["{run}"] }, { replace: Bun.which("false") ?? "/bin/false" }, { line: ["--again"] }];
    const run = await runProgram("true", {
      executable: Bun.which("echo") ?? "/bin/echo",
      copy,
      steps: [{}, { before: deeds }, {}],
    });
    expect([run.executableOutput[0], run.sessions.length]).toEqual([`${run.place.run}\n`, 1]);
    expect(findRunProblem(run)).toBe("--again: exit code 1: ");
  });

  test("names and ends a process left behind by the host", async () => {
    const run = await runProgram("setsid sleep 1000 >/dev/null 2>&1 & echo $! > pid");
    expect(run.leftProcesses).toEqual(["sleep 1000"]);
    expect(findRunProblem(run)).toContain("left processes running: sleep 1000");
    const pid = readFileSync(join(run.place.project, "pid"), "utf8").trim();
    const readState = () =>
      existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, "utf8").split(" ")[2] : "gone";
    await waitFor(() => ["gone", "Z"].includes(readState() ?? ""), "the end of the process");
  });
});

describe("the scripted model", () => {
  const post = (url: string, route: string, body: object) =>
    fetch(`${url}/${route}`, { method: "POST", body: JSON.stringify(body) }).then((response) => response.text());

  test("answers with its turns in order in both protocols, streaming, separately for each run", async () => {
    const script = {
      main: [{ calls: [{ name: "Bash", input: { command: "ls" } }] }, { text: "FINAL" }],
      subagent: [{ text: "SUBDONE" }],
    };
    const [one, two] = [openModel("one", script), openModel("two", script)];
    const user = (content: string) => [{ role: "user", content }];
    const tools = [{ name: "Bash" }];
    const first = await post(one.url, "v1/messages", { stream: true, tools, messages: user("do it") });
    expect(first).toContain('"partial_json":"{\\"command\\":\\"ls\\"}"');
    expect(await post(one.url, "v1/messages", { stream: true, tools, messages: user("SUBAGENT, do it") })).toContain(
      "SUBDONE",
    );
    expect(await post(one.url, "v1/messages", { stream: true, tools, messages: user("do it") })).toContain("FINAL");
    expect(await post(one.url, "v1/messages", { stream: true, tools, messages: user("do it") })).toContain("done");
    expect(await post(two.url, "v1/responses", { input: user("do it") })).toContain(
      '"arguments":"{\\"command\\":\\"ls\\"}"',
    );
    expect(one.requests.map(({ who }) => who)).toEqual(["main", "subagent", "main", "main"]);
    expect(two.requests.length).toBe(1);
    for (const run of ["one", "two"]) closeModel(run);
    expect((await fetch(one.url, { method: "POST" })).status).toBe(404);
  });

  test("answers with an error until a request contains the expected text", async () => {
    const { url } = openModel("three", { main: [{ status: 400, until: "once more" }, { text: "FINAL" }] });
    const ask = (content: string) => post(url, "v1/responses", { input: [{ role: "user", content }] });
    expect([await ask("x"), await ask("x")].every((text) => text.includes("scripted error"))).toBe(true);
    expect(await ask("once more")).toContain("FINAL");
    closeModel("three");
  });
});
