import { expect, test } from "bun:test";
import { collectCells } from "../../../src/cli/matrix/cells.ts";
import { formatMatrix, formatSummary } from "../../../src/cli/matrix/matrix.ts";
import { FIELD_TITLES, abbreviateHostIds, SUPPORT_SYMBOLS } from "../../../src/cli/matrix/grid.ts";
import { paintPlain } from "../../../src/cli/terminal/colors.ts";
import { CAPABILITY_FIELDS } from "../../../src/protocol/capability.ts";
import { EVENTS, type EventName } from "../../../src/protocol/event.ts";
import { hosts } from "../../../src/hosts/index.ts";

const WIDTHS = [60, 80, 120];
const findWide = (text: string, width: number) => text.split("\n").filter((line) => Bun.stringWidth(line) > width);

test("the host abbreviations differ, and have three letters", () => {
  const heads = abbreviateHostIds(hosts.map(({ id }) => id));
  expect(new Set(heads).size).toBe(hosts.length);
  expect(heads.filter((head) => head.length > 3)).toEqual([]);
  expect(abbreviateHostIds(["opencode", "openclaw", "opel"])).toEqual(["ope", "opw", "opl"]);
});

test("the summary fits each width, has no trailing spaces, and at 80 columns fewer than 80 lines", () => {
  for (const width of WIDTHS) {
    const text = formatSummary({ width, paint: paintPlain }, undefined);
    expect([width, findWide(text, width)]).toEqual([width, []]);
    expect(text.split("\n").filter((line) => line !== line.trimEnd())).toEqual([]);
  }
  expect(formatSummary({ width: 80, paint: paintPlain }, undefined).split("\n").length).toBeLessThan(80);
});

test("each symbol in the summary matches the capability table's latest releases", () => {
  let checked = 0;
  const cells = collectCells();
  for (const event of EVENTS.filter((one): one is EventName => one !== "Native")) {
    const text = formatSummary({ width: 200, paint: paintPlain }, event);
    const [head = "", ...rows] = text.slice(0, text.indexOf("\n\n")).split("\n");
    expect(head.trimEnd().split(/ +/)).toEqual([event, ...abbreviateHostIds(hosts.map(({ id }) => id))]);
    for (const row of rows) {
      const field = CAPABILITY_FIELDS.find((one) => FIELD_TITLES[one] === row.slice(0, 20).trim());
      for (const [at, host] of hosts.entries()) {
        const own = cells.filter((one) => one.host === host && one.row.event === event && one.field === field);
        const aliases = Object.keys(host.eventAliases ?? {});
        const newest = own.filter((one) => !aliases.includes(one.native_event) && one.cell.versions === undefined);
        const marks = new Set(newest.map(({ cell }) => SUPPORT_SYMBOLS[cell.support]));
        const mark = row.slice(20 + at * 4, 24 + at * 4).trim();
        expect([host.id, event, field, mark]).toEqual([
          host.id,
          event,
          field,
          marks.size > 1 ? "/" : ([...marks][0] ?? ""),
        ]);
        checked++;
      }
    }
  }
  expect(checked).toBeGreaterThan(1000);
});

test("the tables of each host fit each width", () => {
  for (const host of hosts)
    for (const width of WIDTHS)
      for (const notes of [false, true]) {
        // Paths in notes are never split, so a line that contains one may be longer.
        const wide = findWide(formatMatrix({ host, notes }, { width }), width).filter(
          (line) => !/[\\/]\S{30}/.test(line),
        );
        expect([host.id, width, wide]).toEqual([host.id, width, []]);
      }
});
