import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { diagnoseHosts } from "../../../src/cli/doctor/doctor.ts";
import { hosts } from "../../../src/hosts/index.ts";
import { writeTestFile } from "../../support/homes.ts";
import { createMachine, installEntries } from "./machine.ts";

const listFiles = (folder: string) => readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();

for (const { id, name } of hosts) {
  test(`doctor's probes leave no trace on ${name}, even if every call is logged`, async () => {
    using home = createMachine();
    await installEntries(home, id);
    const config = join(home.folder, "home", ".config", "bridge-hooks", "config.json");
    writeTestFile(config, '{ "log": { "level": "all", "record": true } }');
    const before = listFiles(home.folder);
    const [report] = (await diagnoseHosts([id], home, "0")).hosts;
    expect(report?.entries.flatMap(({ trials }) => trials).length).toBeGreaterThan(2);
    expect(listFiles(home.folder)).toEqual(before);
  });
}
