import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { diagnoseHosts } from "../../../src/cli/doctor/doctor.ts";
import { resolveMachineContext } from "../../../src/operate/machine/install-context.ts";
import { CONFIG_CASES, writeLinkedTree } from "../../support/project-configs.ts";
import { createMachine, installEntries } from "./machine.ts";

for (const { host, file, text, outcomes } of CONFIG_CASES)
  describe(`doctor, with hooks turned off by ${file},`, () => {
    for (const [start, folder, outcome] of outcomes)
      test(`is ${outcome === "off" ? "red" : "green"} in ${start} if it is in ${folder} (${host})`, async () => {
        using home = createMachine();
        const [project = ""] = home.machine.roots;
        mkdirSync(join(project, ".git"), { recursive: true });
        writeFileSync(join(project, ".git/HEAD"), "ref: refs/heads/main\n");
        writeLinkedTree(project);
        mkdirSync(join(project, start), { recursive: true });
        await installEntries(home, host, "user");
        const path = join(project, folder, file);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, text);
        const here = { ...home, machine: { ...home.machine, roots: [join(project, start)] } };
        const found = (await diagnoseHosts([host], here, "0")).hosts[0]?.findings ?? [];
        expect(found.filter(({ check }) => check === "hooks-disabled").map(({ what }) => what.includes(path))).toEqual(
          outcome === "off" ? [true] : [],
        );
      });
  });

describe("doctor, with entries in the project's root,", () => {
  for (const [host, isRead] of [
    ["claude", false],
    ["gemini", false],
    ["copilot", false],
    ["codex", true],
    ["opencode", true],
  ] as const)
    test(`reports whether ${host} reads them in a session that starts in a subdirectory`, async () => {
      using home = createMachine();
      const [project = ""] = home.machine.roots;
      mkdirSync(join(project, ".git"), { recursive: true });
      mkdirSync(join(project, "a/b"), { recursive: true });
      await installEntries(home, host, "project");
      const here = { ...home, machine: { ...home.machine, roots: [join(project, "a/b")] } };
      const [report] = (await diagnoseHosts([host], here, "0")).hosts;
      const checks = report?.findings.map(({ check }) => check) ?? [];
      expect([checks.includes("not-read-here"), checks.includes("not-installed")]).toEqual([!isRead, !isRead]);
      expect((report?.entries.length ?? 0) > 0).toBe(isRead);
      const [atRoot] = (await diagnoseHosts([host], home, "0")).hosts;
      expect(atRoot?.findings.map(({ check }) => check)).not.toContain("not-read-here");
    });
});

test("a project in a home directory that is a repository is the directory, and the home directory isn't a project", () => {
  using home = createMachine();
  const [project = ""] = home.machine.roots;
  const [before, folder] = [process.env.HOME, process.cwd()];
  mkdirSync(join(project, ".git"), { recursive: true });
  mkdirSync(join(project, "code/shop"), { recursive: true });
  const roots = (place: string, scope?: "project") => {
    process.chdir(place);
    return resolveMachineContext(undefined, scope).roots;
  };
  try {
    process.env.HOME = project;
    expect(roots(join(project, "code/shop"), "project")).toEqual([join(project, "code/shop")]);
    expect(roots(project, "project")).toEqual([]);
    process.env.HOME = dirname(project);
    expect(roots(join(project, "code/shop"), "project")).toEqual([project]);
    expect(roots(join(project, "code/shop"))).toEqual([join(project, "code/shop")]);
  } finally {
    process.env.HOME = before;
    process.chdir(folder);
  }
});
