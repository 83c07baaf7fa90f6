import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { EXECUTABLE } from "../support/fixtures.ts";
import { waitFor } from "../support/machine.ts";
import { createHome, createShellPayload, type LogHome, writeUserConfig } from "../call/log/log-support.ts";
import { findProgram } from "./programs.ts";

const program = findProgram("chromium");
const COMMANDS = ["git push --force origin main", "rm -rf /", "cat ~/.ssh/id_rsa", "git reset --hard"];
const BAD = `rm -rf / # <script>document.title="owned"</script><img src=http://127.0.0.1:9/x onerror=alert(1)>`;

const run = ({ env, project }: LogHome, argv: readonly string[], stdin: Uint8Array | null = null) =>
  Bun.spawnSync([EXECUTABLE, ...argv], { cwd: project, env: { PATH: process.env.PATH ?? "", ...env }, stdin });

interface BrowserEvent {
  method: string;
  params: Record<string, never>;
}

/** Starts a browser that is controlled through its debugging protocol. */
async function startBrowser(path: string, env: Record<string, string>, profile: string) {
  const flags = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--remote-debugging-port=0",
    `--user-data-dir=${profile}`,
  ];
  const child = Bun.spawn([path, ...flags, "about:blank"], {
    env: { ...process.env, ...env, HOME: profile },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let port = "";
  let printed = "";
  for await (const part of child.stderr) {
    printed += new TextDecoder().decode(part);
    port = /DevTools listening on ws:\/\/127\.0\.0\.1:(\d+)\//.exec(printed)?.[1] ?? "";
    if (port !== "") break;
  }
  const pages = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as {
    type: string;
    webSocketDebuggerUrl: string;
  }[];
  const socket = new WebSocket(pages.find(({ type }) => type === "page")?.webSocketDebuggerUrl ?? "");
  await new Promise((resolve) => socket.addEventListener("open", resolve, { once: true }));
  let last = 0;
  const events: BrowserEvent[] = [];
  const waiting = new Map<number, (result: Record<string, never>) => void>();
  socket.addEventListener("message", ({ data }) => {
    const message = JSON.parse(String(data)) as BrowserEvent & { id?: number; result: Record<string, never> };
    if (message.id === undefined) events.push(message);
    else waiting.get(message.id)?.(message.result);
  });
  const send = (method: string, params: object = {}): Promise<Record<string, never>> =>
    new Promise((resolve) => {
      waiting.set(++last, resolve);
      socket.send(JSON.stringify({ id: last, method, params }));
    });
  const evaluate = async (expression: string): Promise<unknown> =>
    ((await send("Runtime.evaluate", { expression, returnByValue: true })) as { result?: { value?: unknown } }).result
      ?.value;
  const stop = async () => {
    child.kill();
    await child.exited;
  };
  return { send, evaluate, events, stop };
}

/**
 * An expression that lists what is cut off on a page: elements wider than their box, and text that extends beyond the
 * page or its chart.
 */
const FIND_CUT = `[...document.querySelectorAll("body, body *")].flatMap((one) => {
  const box = one.getBoundingClientRect();
  if (box.width === 0) return [];
  const chart = one.ownerSVGElement?.getBoundingClientRect();
  const [left, right] = chart ? [chart.left, chart.right] : [0, document.documentElement.clientWidth];
  const isText = !one.ownerSVGElement || one.tagName === "text";
  const isBeyond = isText && (box.left < left - 0.5 || box.right > right + 0.5);
  const isWider = one instanceof HTMLElement && one.clientWidth > 0 && one.scrollWidth > one.clientWidth;
  return isBeyond || isWider ? [one.tagName + " " + one.textContent.trim().slice(0, 60)] : [];
})`;

describe.skipIf(!program)(
  program ? "Chromium" : "Chromium (skipped: not installed; `npm run programs` downloads it)",
  () => {
    const home = createHome();
    const file = join(home.project, "report.html");
    let browser: Awaited<ReturnType<typeof startBrowser>> | undefined;

    beforeAll(async () => {
      if (!program) return;
      const call = (command: string, cwd = home.project) =>
        run(home, ["--host", "claude"], Buffer.from(JSON.stringify(createShellPayload(command, { cwd }))));
      for (const command of [...COMMANDS, BAD]) call(command);
      const deep = join(home.project, "a-very-long-name-of-a-folder/".repeat(4), ".git");
      mkdirSync(deep, { recursive: true });
      const name = `a-very-long-id-of-a-rule-${"of-many-words-".repeat(5)}`.slice(0, -1);
      const rule = { program: "kubectl", pattern: "apply", reason: "it deploys" };
      writeUserConfig(home.home, {
        exceptions: [{ rule: "git/*", match: "git stash clear", reason: "ours" }],
        rules: { "git/push-force": { action: "ask" }, [`acme/${name}`]: { ...rule, action: "warn" } },
      });
      for (const command of ["git push --force origin main", "git stash clear", `kubectl apply -f ${"x/".repeat(90)}`])
        call(command);
      for (const mode of ["observe", "warn"]) {
        writeUserConfig(home.home, { mode });
        call(`git reset --hard ${"HEAD~1".repeat(60)}`, join(deep, ".."));
      }
      for (const folder of [".claude", ".codex", ".cursor"]) mkdirSync(join(home.home, folder), { recursive: true });
      for (const host of ["claude", "codex"]) run(home, ["install", "--host", host, "--yes"]);
      const settings = join(home.home, ".claude/settings.json");
      writeFileSync(settings, readFileSync(settings, "utf8").replace('"PreToolUse"', '"PostToolUseFailure"'));
      run(home, ["report", "--out", file]);
      browser = await startBrowser(program.path, program.env, join(home.home, "profile"));
    });
    afterAll(() => browser?.stop());

    /** Displays the report the way a device or a printer would. */
    async function showReport({ width, scheme, media = "screen" }: { width: number; scheme: string; media?: string }) {
      const { send, events } = browser as NonNullable<typeof browser>;
      events.length = 0;
      for (const domain of ["Page", "Log", "Network"]) await send(`${domain}.enable`);
      const size = { width, height: 900, deviceScaleFactor: 1, mobile: width < 500 };
      await send("Emulation.setDeviceMetricsOverride", size);
      await send("Emulation.setEmulatedMedia", { media, features: [{ name: "prefers-color-scheme", value: scheme }] });
      await send("Page.navigate", { url: pathToFileURL(file).href });
      await waitFor(() => events.some(({ method }) => method === "Page.loadEventFired"), "the page");
    }

    async function takeScreenshot(name: string): Promise<number> {
      const { send } = browser as NonNullable<typeof browser>;
      const { data = "" } = (await send("Page.captureScreenshot", { captureBeyondViewport: true })) as {
        data?: string;
      };
      const folder = process.env.SCREENSHOTS;
      if (folder) writeFileSync(join(folder, `${name}.png`), Buffer.from(data, "base64"));
      return data.length;
    }

    for (const width of [1_200, 768, 360, 320])
      for (const scheme of ["light", "dark"])
        test(`shows the report ${width} pixels wide in the ${scheme} scheme, without overflow, errors or other requests`, async () => {
          const { evaluate, events } = browser as NonNullable<typeof browser>;
          await showReport({ width, scheme });
          const of = (method: string) => events.filter((event) => event.method === method).map(({ params }) => params);
          // The browser requests nothing but the page, blocks nothing, and runs no script found in the log.
          expect(of("Network.requestWillBeSent").length).toBe(1);
          expect(of("Log.entryAdded")).toEqual([]);
          expect(await evaluate("document.title")).toMatch(/^bridge-hooks report, /);
          await evaluate("document.querySelector('details').open = true");
          expect(await evaluate(FIND_CUT)).toEqual([]);
          // Only one of the two charts is visible.
          const shown = "[...document.querySelectorAll('figure svg')].filter(one => one.getClientRects().length > 0)";
          expect(await evaluate(`${shown}.length`)).toBe(1);
          expect(await evaluate(`${shown}[0].querySelectorAll('rect').length`)).toBe(5);
          // The style sheet is applied because its hash is allowed.
          const [page, text] = (await evaluate(
            "[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]",
          )) as [string, string];
          expect(page).toBe(scheme === "light" ? "rgb(255, 255, 255)" : "rgb(15, 19, 24)");
          expect(text).toBe(scheme === "light" ? "rgb(27, 31, 36)" : "rgb(231, 235, 239)");
          expect(await takeScreenshot(`report-${width}-${scheme}`)).toBeGreaterThan(10_000);
        });

    test("clips nothing on paper", async () => {
      const { evaluate } = browser as NonNullable<typeof browser>;
      // A4 portrait, without margins.
      await showReport({ width: 718, scheme: "light", media: "print" });
      expect(await evaluate(FIND_CUT)).toEqual([]);
      await takeScreenshot("report-print");
    });

    test("detects clipped content", async () => {
      const { evaluate } = browser as NonNullable<typeof browser>;
      await showReport({ width: 360, scheme: "light" });
      await evaluate("document.querySelector('.lead').style.whiteSpace = 'nowrap'");
      expect(await evaluate(`${FIND_CUT}.length > 0`)).toBe(true);
    });
  },
);
