import { describe, expect, test } from "bun:test";
import { type CapabilityCells, evidenceKey, pickCell, type Support } from "../../src/protocol/capability.ts";
import { collectCells } from "../../src/cli/matrix/cells.ts";
import { formatMatrix } from "../../src/cli/matrix/matrix.ts";
import { hosts } from "../../src/hosts/index.ts";
import type { Host } from "../../src/protocol/host/host.ts";
import { listCases, filterVersions, drivers } from "../e2e/drivers.ts";
import { releases } from "../e2e/releases.ts";

describe("the evidence", () => {
  for (const host of hosts) {
    const driver = drivers.find((one) => one.host === host);
    const cases = driver ? listCases(driver) : [];
    test(`of ${host.name} names a case of the same cell for each claim`, async () => {
      const table = await host.loadEvidence();
      const claims = Object.entries(table).flatMap(([native_event, fields]) =>
        Object.entries(fields).map(([key, evidence]) => ({ native_event, key, evidence })),
      );
      for (const { native_event, key, evidence } of claims) {
        const covering = cases.find(
          ({ name, cell }) =>
            name === evidence.test &&
            cell?.native_event === native_event &&
            evidenceKey(cell.field, cell.versions) === key,
        );
        expect([native_event, key, covering?.name]).toEqual([native_event, key, evidence.test]);
        const field = covering?.cell?.field ?? "deny";
        const shown = pickCell(
          host.capabilities[native_event]?.()[field] as CapabilityCells<Support>,
          driver?.says,
        ).support;
        expect([native_event, key, shown]).toEqual([native_event, key, evidence.support]);
        expect(evidence.date).toMatch(/^20\d\d-\d\d-\d\d$/);
        expect(
          driver?.versions ?? releases.filter((release) => release.host === host.id).map(({ version }) => version),
        ).toContain(evidence.version);
      }
      expect(claims.length).toBe(collectCells([host]).filter(({ evidence }) => evidence).length);
    });

    test(`of ${host.name} has a run of each case of a cell`, async () => {
      const table = await host.loadEvidence();
      const versions = releases.filter((release) => release.host === host.id).map(({ version }) => version);
      for (const one of cases.filter(({ cell }) => cell)) {
        const { native_event, field, versions: range } = one.cell as NonNullable<typeof one.cell>;
        const seen = table[native_event]?.[evidenceKey(field, range)];
        expect([one.name, seen?.test ?? "run `npm run e2e -- --record`"]).toEqual([one.name, one.name]);
        // Evidence must come from the latest release the case covers.
        if (!driver?.versions)
          expect([one.name, seen?.version]).toEqual([one.name, filterVersions(one, versions).at(-1)]);
      }
    });
  }

  test("comes from a driver of each host, and the matrix states that a host without a driver was never run", async () => {
    for (const { host } of drivers) expect(formatMatrix({ host })).not.toContain("has never been tested");
    const unseen = { ...hosts[0], id: "unseen", name: "Unseen", loadEvidence: async () => ({}) } as Host;
    for (const host of [unseen, ...hosts.filter((one) => !drivers.some((driver) => driver.host === one))]) {
      expect([host.id, await host.loadEvidence()]).toEqual([host.id, {}]);
      expect(formatMatrix({ host })).toContain(`${host.name} has never been tested`);
    }
  });

  test("is from cases with unique names per host", () => {
    for (const driver of drivers) {
      const names = listCases(driver).map(({ name }) => name);
      expect(names.length).toBeGreaterThan(100);
      expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
    }
  });

  test("is marked in the matrix as seen, documented or unverified", () => {
    const text = formatMatrix();
    for (const mark of ["+●", "+○", "<?"]) expect(text.includes(mark) || mark).toBe(true);
  });
});

test("each event of a host's table has a scenario, or a reason for none", () => {
  for (const { host, scenarios, unprovoked } of drivers) {
    const events = Object.keys(host.capabilities);
    expect(events.filter((event) => !scenarios[event] && !unprovoked[event])).toEqual([]);
    expect([...Object.keys(scenarios), ...Object.keys(unprovoked)].sort()).toEqual(events.sort());
  }
});
