import { afterAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildMdmFiles, writePack } from "../../src/operate/mdm/mdm.ts";
import { hosts } from "../../src/hosts/index.ts";
import { EXECUTABLE } from "../support/fixtures.ts";
import { createPackOrder } from "../support/pack-orders.ts";
import { findProgram, isProgramsRun } from "./programs.ts";

const program = isProgramsRun ? findProgram("ansible-playbook") : undefined;
const CALL = JSON.stringify({
  ...{ hook_event_name: "PreToolUse", session_id: "s", cwd: "/", tool_name: "Bash" },
  tool_input: { command: "git push --force origin main" },
});

interface Outcome {
  code: number | null;
  changed: string;
  output: string;
}

describe.skipIf(!program)(
  program ? "Ansible" : "Ansible (skipped: npm run programs fetches it, and takes minutes)",
  () => {
    const work = mkdtempSync(join(tmpdir(), "bridge-hooks-ansible-"));
    afterAll(() => rmSync(work, { recursive: true, force: true }));
    const [pack, root] = [join(work, "pack"), join(work, "a root")];
    const files = () => readdirSync(root, { recursive: true, encoding: "utf8" }).filter(isFile).sort();
    const isFile = (path: string) => statSync(join(root, path)).isFile();
    const findChangeTime = (path: string) => statSync(join(root, path), { bigint: true }).ctimeNs;
    const installed = join(root, "opt/bridge-hooks/bridge-hooks");

    /** Runs the pack's playbook on the root directory, as the current user. */
    function play(variables: Readonly<Record<string, unknown>> = {}, ...flags: string[]): Outcome {
      const { uid, gid } = statSync(work);
      const given = { bridge_hooks_root: root, ...variables };
      const owner = { bridge_hooks_owner: uid, bridge_hooks_group: gid, ansible_become: false };
      const extra = JSON.stringify({ ...owner, ansible_python_interpreter: "/usr/bin/python3", ...given });
      const argv = [program?.path ?? "", "-i", "client,", "-c", "local", "playbook.yml", "-e", extra, ...flags];
      const env = {
        ...{ PATH: process.env.PATH ?? "", HOME: work, LC_ALL: "C.UTF-8", ...program?.env },
        ...{
          ANSIBLE_NOCOWS: "1",
          ANSIBLE_NOCOLOR: "1",
          ANSIBLE_HOME: join(work, "ansible"),
          ANSIBLE_LOCAL_TEMP: work,
          ANSIBLE_PIPELINING: "1",
        },
      };
      const { exitCode, stdout, stderr } = Bun.spawnSync(argv, { cwd: join(pack, "ansible"), env });
      const output = `${stdout}${stderr}`;
      return { code: exitCode, changed: /changed=(\d+)/.exec(output)?.[1] ?? "none", output };
    }
    async function writePackOf(ids: readonly string[], text = '{ "mode": "enforce" }') {
      const order = createPackOrder([{ events: ["PreToolUse", "PostToolUse", "Stop"] }]);
      const chosen = hosts.filter(({ id }) => ids.includes(id));
      const config = { bytes: Buffer.from(text), hash: "0", modes: { general: { mode: "enforce" } } } as const;
      const made = await buildMdmFiles(order, chosen, [], config);
      writePack(pack, made);
      return made.flatMap(({ target, os }) => (target !== undefined && os.includes("linux") ? [target.slice(1)] : []));
    }
    const PROGRAM = "opt/bridge-hooks/bridge-hooks";
    const CLAUDE = "etc/claude-code/managed-settings.d/50-bridge-hooks.json";
    const CONFIG = "etc/bridge-hooks/config.json";
    const FIRST = ["claude", "codex", "opencode"];
    const RECORD = "etc/bridge-hooks/placed.sha256";

    test("shows in check mode what would change, and changes nothing", async () => {
      mkdirSync(root);
      await writePackOf(FIRST);
      const { code, changed, output } = play({}, "--check", "--diff");
      expect([code, changed === "0", files()]).toEqual([0, false, []]);
      expect(output).toContain("50-bridge-hooks.json");
    });
    test("places the executable and every file, so that calls are denied; a second run changes nothing", async () => {
      const placed = await writePackOf(FIRST);
      expect(play({ bridge_hooks_executable: EXECUTABLE }).code).toBe(0);
      expect(files()).toEqual([...placed, PROGRAM, RECORD].sort());
      expect(play({ bridge_hooks_executable: EXECUTABLE })).toMatchObject({ code: 0, changed: "0" });
      for (const path of placed) expect([path, statSync(join(root, path)).mode & 0o777]).toEqual([path, 0o644]);
      const argv = [installed, "--host", "claude", "--event", "PreToolUse", "--on-error", "deny"];
      const { exitCode, stdout } = Bun.spawnSync(argv, { stdin: Buffer.from(CALL), env: { HOME: work } });
      expect([exitCode, stdout.toString()]).toEqual([2, expect.stringContaining('"permissionDecision":"deny"')]);
      const check = Bun.spawnSync(["sh", join(pack, "rollout/linux/place-files.sh"), root, "", "", "check"]);
      expect(check.exitCode).toBe(0);
    });
    test("replaces files that were changed after it placed them, and nothing else", async () => {
      const placed = await writePackOf(FIRST);
      const policy = join(root, CONFIG);
      writeFileSync(policy, '{ "mode": "observe" }');
      rmSync(join(root, CLAUDE));
      symlinkSync(policy, join(root, CLAUDE));
      const [last = ""] = placed.filter((path) => path !== CONFIG && path !== CLAUDE);
      chmodSync(join(root, last), 0o666);
      const before = placed.filter((path) => ![CONFIG, CLAUDE, last].includes(path)).map(findChangeTime);
      expect(play()).toMatchObject({ code: 0, changed: "1" });
      expect(readFileSync(policy, "utf8")).toBe('{ "mode": "enforce" }');
      expect(lstatSync(join(root, CLAUDE)).isFile()).toBe(true);
      for (const path of placed) expect([path, statSync(join(root, path)).mode & 0o777]).toEqual([path, 0o644]);
      expect(placed.filter((path) => ![CONFIG, CLAUDE, last].includes(path)).map(findChangeTime)).toEqual(before);
      expect(play()).toMatchObject({ code: 0, changed: "0" });
    });
    test("stops before any change if it finds content that no pack placed", async () => {
      await writePackOf(["claude", "cursor"], '{ "mode": "observe" }');
      mkdirSync(join(root, "etc/cursor"), { recursive: true });
      writeFileSync(join(root, "etc/cursor/hooks.json"), "{}");
      const before = files();
      const stopped = play();
      expect([stopped.code, stopped.changed, files()]).toEqual([2, "0", before]);
      expect(stopped.output).toContain("etc/cursor/hooks.json was not placed by a pack");
    });
    test("replaces its own files, and removes files that are no longer needed", () => {
      expect(play({ bridge_hooks_hosts: ["claude"] }).code).toBe(0);
      expect(files()).toEqual([CLAUDE, CONFIG, RECORD, "etc/cursor/hooks.json", PROGRAM].sort());
      expect(readFileSync(join(root, CONFIG), "utf8")).toBe('{ "mode": "observe" }');
      expect(readFileSync(join(root, "etc/cursor/hooks.json"), "utf8")).toBe("{}");
    });
    test("removes everything except files that were changed since", () => {
      writeFileSync(join(root, CLAUDE), "{}");
      const taken = play({ bridge_hooks_state: "absent" });
      expect([taken.code, taken.output]).toEqual([
        0,
        expect.stringContaining(`${CLAUDE} was changed after it was placed`),
      ]);
      expect(files()).toEqual([CLAUDE, "etc/cursor/hooks.json"]);
      expect(existsSync(join(root, "opt/bridge-hooks"))).toBe(false);
      expect(play({ bridge_hooks_state: "absent" })).toMatchObject({ code: 0, changed: "0" });
    });
  },
);
