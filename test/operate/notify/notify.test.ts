import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { formatNotification, showDenials } from "../../../src/operate/notify/desktop.ts";
import { formatPost, signPost } from "../../../src/operate/notify/webhook.ts";
import type { LogLine } from "../../../src/call/log/log-line.ts";
import { WEBHOOK_FORM } from "../../../src/policy/vocabulary.ts";
import { EXECUTABLE } from "../../support/fixtures.ts";
import { waitFor } from "../../support/machine.ts";
import { PROBE_SESSION } from "../../../src/protocol/probe.ts";
import {
  createHome,
  createShellPayload,
  folder,
  getHomeLog,
  type LogHome,
  writeUserConfig,
} from "../../call/log/log-support.ts";

const SECRET = "a made-up secret of a webhook";
const TOKEN = `ghp_${"aB3".repeat(12)}`;
/** Time limit for tests that wait until attempts have failed. */
const FAILING_MS = 30_000;

const createLine = (more: Partial<LogLine>): LogLine => ({
  ...{ v: 1, id: "a", time: new Date().toISOString(), decision: "deny", mode: "enforce", content: "redacted", ms: 1 },
  ...more,
});

interface Post {
  path: string;
  headers: Headers;
  body: string;
}

type Respond = (request: Request) => Response | Promise<Response>;
const servers: { stop: (isForced?: boolean) => unknown }[] = [];
afterAll(() => void servers.forEach((server) => server.stop(true)));

/** Starts a receiver on this machine, using plain HTTP unless `tls` is given. */
function startReceiver(respond: Respond = () => new Response(), tls?: { cert: string; key: string }) {
  const posts: Post[] = [];
  const server = Bun.serve({
    ...{ port: 0, hostname: "127.0.0.1", idleTimeout: 255 },
    ...(tls && { tls }),
    async fetch(request) {
      posts.push({ path: new URL(request.url).pathname, headers: request.headers, body: await request.text() });
      return respond(request);
    },
  });
  servers.push(server);
  return { posts, url: `${tls ? "https" : "http"}://127.0.0.1:${server.port}/hook` };
}

const spawn = ({ env, project }: LogHome, argv: readonly string[], more: Record<string, string> = {}, stdin = "") =>
  Bun.spawn([EXECUTABLE, ...argv], {
    cwd: project,
    env: { PATH: process.env.PATH ?? "", ...env, ...more },
    stdin: Buffer.from(stdin),
    stdout: "pipe",
    stderr: "pipe",
  });

async function run(home: LogHome, argv: readonly string[], more: Record<string, string> = {}, stdin = "") {
  const child = spawn(home, argv, more, stdin);
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { stdout, stderr, exitCode: await child.exited };
}

const call = (home: LogHome, command: string, more: Record<string, string> = {}) =>
  run(home, ["--host", "claude"], more, JSON.stringify(createShellPayload(command, { cwd: home.project })));

const getStateFile = ({ env }: LogHome, name: string) => join(env.XDG_STATE_HOME, "bridge-hooks", name);
const waitForEnd = (home: LogHome) => waitFor(() => !existsSync(getStateFile(home, "notify.running")), "the notifier");

describe("a denied call", () => {
  test("is posted after the answer, signed, without secrets, whatever the log contains", async () => {
    const { posts, url } = startReceiver();
    const secretFile = join(folder, "secret");
    writeFileSync(secretFile, `${SECRET}\n`);
    const home = createHome({ log: { content: "full", notify: { webhook: url, secretFile } } });
    const answer = async (where: LogHome) =>
      JSON.stringify(await call(where, `git reset --hard # ${TOKEN}`)).replace(/allow \w{8}\b/, "allow ID");
    expect(await answer(home)).toBe(await answer(createHome()));
    await waitFor(() => posts.length > 0, "the post");
    await waitForEnd(home);
    expect(posts.length).toBe(1);
    const [{ headers, body, path } = {} as Post] = posts;
    const post = JSON.parse(body) as LogLine & { machine: string; text: string };
    expect(post).toMatchObject({ v: 1, decision: "deny", host: "claude", rule: "git/reset-hard", tool: "Bash" });
    expect([path, post.text]).toEqual(["/hook", expect.stringContaining("deny: git reset --hard")]);
    expect(body).not.toContain(TOKEN.slice(0, 12));
    expect(Object.keys(post)).not.toContain("asked");
    const signature = headers.get("bridge-hooks-signature") ?? "";
    expect(signature).toBe(signPost(body, SECRET, Number(/^t=(\d+),v1=[0-9a-f]{64}$/.exec(signature)?.[1])));
    expect(headers.get("bridge-hooks-id")).toBe(post.id);
    // If the policy or a mode allows a call, it isn't a denial.
    await call(home, "ls");
    writeUserConfig(home.home, { mode: "observe", log: { notify: { webhook: url } } });
    await call(home, "git reset --hard");
    expect(existsSync(getStateFile(home, "notify.running"))).toBe(false);
  });
  test("starts nothing because of a project's file, trusted or not", async () => {
    const { posts, url } = startReceiver();
    const home = createHome();
    writeUserConfig(home.home, { trusted: [home.project] });
    writeFileSync(
      join(home.project, ".bridge-hooks.json"),
      JSON.stringify({ log: { notify: { webhook: url, desktop: true } } }),
    );
    await call(home, "git reset --hard");
    expect([readdirSync(getStateFile(home, ".")).filter((name) => name.startsWith("notify")), posts]).toEqual([[], []]);
  });
  test("is answered, and its process ends, while the receiver hangs", async () => {
    const { posts, url } = startReceiver(() => new Promise<Response>(() => {}));
    const home = createHome({ log: { notify: { webhook: url } } });
    const answered = await call(home, "git reset --hard");
    // Although the receiver doesn't respond, the call's streams are closed.
    await waitFor(() => posts.length > 0, "the post");
    expect([answered.exitCode, answered.stdout.includes('"deny"')]).toEqual([2, true]);
    expect(existsSync(getStateFile(home, "notify.running"))).toBe(true);
  });
  test("among many concurrent ones is posted once, by one process", async () => {
    const { posts, url } = startReceiver();
    const home = createHome({ log: { notify: { webhook: url } } });
    await Promise.all(Array.from({ length: 12 }, (_, at) => call(home, `git reset --hard HEAD~${at + 1}`)));
    await waitFor(() => posts.length >= 12, "12 posts");
    await waitForEnd(home);
    const ids = posts.map(({ headers }) => headers.get("bridge-hooks-id"));
    expect([ids.length, new Set(ids).size]).toEqual([12, 12]);
  });
  test("is only logged if it is old, or one of too many", async () => {
    const { posts, url } = startReceiver();
    const home = createHome({ log: { notify: { webhook: url } } });
    const old = { time: new Date(Date.now() - 11 * 60_000).toISOString() };
    const lines = [
      ...Array.from({ length: 5 }, (_, at) => createLine({ id: `old${at}`, ...old })),
      createLine({ id: "probe", session: PROBE_SESSION }),
      createLine({ id: "asked", decision: "ask" }),
      ...Array.from({ length: 30 }, (_, at) => createLine({ id: `new${at}` })),
    ];
    mkdirSync(getStateFile(home, "."), { recursive: true });
    writeFileSync(getHomeLog(home), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const { stdout } = await run(home, ["export", "--notify"]);
    expect(stdout).toBe(`${new URL(url).origin}: 20 denials sent\n`);
    expect(posts.map(({ headers }) => headers.get("bridge-hooks-id"))).toEqual(lines.slice(-20).map(({ id }) => id));
    expect((await run(home, ["export", "--notify"])).stdout).toBe(`${new URL(url).origin}: 0 denials sent\n`);
  });
  test("is the first denial sent to a new receiver, whatever was denied before", async () => {
    const home = createHome();
    await call(home, "git reset --hard HEAD~1");
    for (const round of [2, 4]) {
      // A different address counts as a different receiver.
      const { posts, url } = startReceiver();
      writeUserConfig(home.home, { log: { notify: { webhook: url } } });
      for (const at of [round, round + 1]) {
        await call(home, `git reset --hard HEAD~${at}`);
        await waitForEnd(home);
      }
      expect(posts.map(({ body }) => (JSON.parse(body) as LogLine).subject)).toEqual([
        `git reset --hard HEAD~${round}`,
        `git reset --hard HEAD~${round + 1}`,
      ]);
    }
  });
  test("is posted by serve as well", async () => {
    const { posts, url } = startReceiver();
    const home = createHome({ log: { notify: { webhook: url } } });
    const payload = createShellPayload("git reset --hard", { cwd: home.project });
    await run(home, ["serve"], {}, `${JSON.stringify({ id: 1, argv: ["--host", "claude"], payload })}\n`);
    await waitFor(() => posts.length > 0, "the post");
  });
  test("can't be silenced or sent elsewhere by an agent", async () => {
    const home = createHome();
    for (const command of [
      `bridge-hooks config set log.notify '{"webhook":"https://other.example/"}'`,
      "bridge-hooks export --notify",
      `touch ${getStateFile(home, "notify.running")}`,
    ])
      expect([command, (await call(home, command)).stdout]).toEqual([command, expect.stringContaining('"deny"')]);
  });
});

describe("a webhook", () => {
  const keys = { cert: "", key: "" };
  beforeAll(async () => {
    const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
    const made = Bun.spawnSync(
      ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"].concat(
        ["-keyout", key, "-out", cert, "-days", "2", "-subj", "/CN=127.0.0.1"],
        ["-addext", "subjectAltName=IP:127.0.0.1"],
      ),
    );
    expect(made.exitCode).toBe(0);
    Object.assign(keys, { cert: readFileSync(cert, "utf8"), key: readFileSync(key, "utf8") });
  });
  /** Returns the output of the command that a denied call would start. */
  const tryOut = (notify: object, more: Record<string, string> = {}) =>
    run(createHome({ log: { notify } }), ["export", "--notify", "--trial"], more);

  test("with an untrusted certificate gets nothing, whatever the environment is", async () => {
    const { posts, url } = startReceiver(undefined, keys);
    const switches = {
      NODE_TLS_REJECT_UNAUTHORIZED: "0",
      NODE_EXTRA_CA_CERTS: join(folder, "cert.pem"),
      SSL_CERT_FILE: join(folder, "cert.pem"),
    };
    const home = createHome({ log: { notify: { webhook: url } } });
    await call(home, "git reset --hard", switches);
    await waitFor(() => existsSync(getStateFile(home, "notify.failed")), "the failure");
    expect(readFileSync(getStateFile(home, "notify.failed"), "utf8")).toMatch(/did not accept the denial: .*CERT/);
    const reported = await run(home, ["doctor", "--json"]);
    const { findings } = JSON.parse(reported.stdout) as { findings: { check: string; what: string }[] };
    expect(findings.find(({ check }) => check === "denial-not-told")?.what).toContain("did not accept the denial");
    const typed = await tryOut({ webhook: url }, { NODE_TLS_REJECT_UNAUTHORIZED: "0" });
    expect([typed.exitCode, typed.stderr]).toEqual([1, expect.stringContaining("CERT")]);
    expect(posts).toEqual([]);
    const known = await tryOut({ webhook: url, caFile: join(folder, "cert.pem") });
    expect([known.exitCode, known.stderr, posts.length]).toEqual([0, "", 1]);
  });
  test("is not followed if it redirects, and not retried if it rejects the post", async () => {
    const other = startReceiver();
    for (const [status, attempts] of [
      [302, 1],
      [307, 1],
      [403, 1],
    ] as const) {
      const { posts, url } = startReceiver(() => new Response(null, { status, headers: { location: other.url } }));
      const { exitCode, stderr } = await tryOut({ webhook: url });
      expect([status, exitCode, stderr, posts.length]).toEqual([
        status,
        1,
        expect.stringContaining(`did not accept the denial: status ${status}`),
        attempts,
      ]);
    }
    expect(other.posts).toEqual([]);
  });
  test(
    "is tried three times if it fails, and gets the post once it recovers",
    async () => {
      const broken = startReceiver(() => new Response(null, { status: 500 }));
      const slow = startReceiver(async () => {
        await Bun.sleep(2_000);
        return new Response(null, { status: slow.posts.length > 1 ? 200 : 503 });
      });
      const [failed, recovered] = await Promise.all([broken, slow].map(({ url }) => tryOut({ webhook: url })));
      expect([failed?.exitCode, broken.posts.length]).toEqual([1, 3]);
      expect([recovered?.exitCode, recovered?.stdout, slow.posts.length]).toEqual([
        0,
        `${new URL(slow.url).origin}: 1 trial sent\n`,
        2,
      ]);
      const gone = await tryOut({ webhook: "http://127.0.0.1:9/" });
      expect([gone.exitCode, gone.stderr]).toEqual([1, expect.stringContaining("did not accept the denial")]);
    },
    FAILING_MS,
  );
  test("has a URL that is encrypted or stays on this machine", () => {
    const good = ["https://hooks.example/a?b=c", "https://10.0.0.1:8443", "http://localhost:8080/x", "http://[::1]/"];
    const bad = [
      "http://hooks.example/",
      "https://user:pass@hooks.example/",
      "http://localhost.evil.example/",
      "ftp://x",
    ];
    const worse = [
      "http://127.0.0.1@evil.example/",
      "https://a.example\\@b.example/",
      "file:///etc/passwd",
      "https:///x",
    ];
    expect([...good, ...bad, ...worse].filter((url) => WEBHOOK_FORM.test(url))).toEqual(good);
  });
  test("reads its URL from a file, never shows the URL's path, and reports errors in the file", async () => {
    const { posts, url } = startReceiver();
    const file = join(folder, "url");
    writeFileSync(file, `${url}/a-secret-of-the-url\n`);
    const { stdout, exitCode } = await tryOut({ webhookFile: file, format: "slack" });
    expect([exitCode, stdout]).toEqual([0, `${new URL(url).origin}: 1 trial sent\n`]);
    expect(Object.keys(JSON.parse(posts[0]?.body ?? "") as object)).toEqual(["text"]);
    writeFileSync(file, "http://elsewhere.example/");
    expect((await tryOut({ webhookFile: file })).stderr).toContain(`the URL in ${file} must be an HTTPS URL`);
    expect((await tryOut({})).stderr).toContain("no receivers for denials are configured");
  });
  test("gets a model's text without control characters, links and mentions", async () => {
    const line = { v: 1, id: "a", time: "2026-11-24T10:00:00.000Z", decision: "deny", mode: "enforce", ms: 1 } as const;
    const subject = "rm <!channel> <http://evil.example|x> \u001b[31m\n\u202e";
    const body = await formatPost({ ...line, content: "redacted", subject }, "slack");
    expect(JSON.parse(body)).toEqual({
      text: expect.stringContaining("&lt;!channel&gt; &lt;http://evil.example|x&gt;"),
    });
    expect(/[\u0000-\u001f\u202e]/.test(body)).toBe(false);
  });
});

describe.skipIf(process.platform === "win32")("a desktop notification", () => {
  const line = (subject: string) => createLine({ subject });
  test("contains text that is neither an option, markup nor a command, and no secret", async () => {
    const shown = await formatNotification([line("x"), line(`curl -H 'Authorization: Bearer ${TOKEN}' x`)]);
    expect(shown.title).toBe("bridge-hooks denied 2 calls");
    expect(shown.text).not.toContain(TOKEN.slice(0, 12));
  });
  test(
    "is shown at most once in ten seconds, with its arguments unchanged",
    async () => {
      const home = createHome();
      mkdirSync(getStateFile(home, "."), { recursive: true });
      const [path, printed] = [join(home.home, "notify-send"), join(home.home, "printed")];
      writeFileSync(path, `#!/bin/sh\nprintf '%s\\0' "$@" >> '${printed}'\n`);
      chmodSync(path, 0o755);
      const { DESKTOP_PROGRAMS } = await import("../../../src/operate/notify/desktop.ts");
      const program = { ...(DESKTOP_PROGRAMS.linux as NonNullable<typeof DESKTOP_PROGRAMS.linux>), path };
      const began = performance.now();
      const bad = '--help "$(touch owned)" `id` <a href="http://evil.example">x</a> & y';
      await showDenials([line(bad)], home.env, program);
      expect(performance.now() - began).toBeLessThan(9_000);
      await showDenials([line("a"), line("b")], home.env, program);
      expect(performance.now() - began).toBeGreaterThan(9_500);
      expect(readFileSync(printed, "utf8").split("\0").slice(0, -1)).toEqual([
        ...["--app-name=bridge-hooks", "--", "bridge-hooks denied 1 call"],
        'deny: --help "$(touch owned)" `id` &lt;a href="http://evil.example"&gt;x&lt;/a&gt; &amp; y',
        ...["--app-name=bridge-hooks", "--", "bridge-hooks denied 2 calls", "newest: deny: b"],
      ]);
      expect(statSync(getStateFile(home, "notify.shown")).size).toBe(0);
      await expect(showDenials([line("a")], home.env, { ...program, path: "/nowhere/x" })).rejects.toThrow(
        "no such file: /nowhere/x; install it or set log.notify.desktop to false",
      );
    },
    FAILING_MS,
  );
});
