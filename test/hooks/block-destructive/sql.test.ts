import { describe, expect, test } from "bun:test";
import { listDialects } from "../../../hooks/_destructive/sql/dialects.ts";
import { findDestructiveStatement } from "../../../hooks/_destructive/sql/find-loss.ts";
import { readSqlTokens } from "../../../hooks/_destructive/sql/tokens.ts";
import { createRandom } from "../../call/screen/differential.ts";
import { formatClientLine, SQL_FAMILIES } from "./sql-texts.ts";
import { askLine } from "./support.ts";

describe("block-destructive reads SQL by its structure", () => {
  for (const [name, { client, denied, allowed }] of Object.entries(SQL_FAMILIES))
    test(name, async () => {
      const answers: Record<string, string> = {};
      for (const text of [...denied, ...allowed])
        answers[text] = (await askLine(formatClientLine(client, text)))?.decision ?? "pass";
      const expected = [...denied.map((text) => [text, "deny"]), ...allowed.map((text) => [text, "pass"])];
      expect(answers).toEqual(Object.fromEntries(expected));
    });
});

const isDestroying = (text: string, client = "psql") =>
  findDestructiveStatement(text, listDialects(client)) !== undefined;

describe("the SQL parser", () => {
  const families = Object.values(SQL_FAMILIES).filter(({ client }) => client.startsWith("psql"));
  const texts = families.flatMap(({ denied, allowed }) => [...denied, ...allowed]);

  test("gives the same result with comments, line breaks and other letter case between and in the words", () => {
    const [dialect = {}] = listDialects("psql");
    for (const text of texts.filter((one) => !/\\|\$/.test(one))) {
      const tokens = readSqlTokens(text, dialect);
      const spaced = tokens.reduceRight((all, { at }) => `${all.slice(0, at)} /* '; */ -- "\n${all.slice(at)}`, text);
      const cased = tokens.reduceRight(
        (all, { kind, at, end }) =>
          kind === "word" ? all.slice(0, at) + all.slice(at, end).toUpperCase() + all.slice(end) : all,
        text,
      );
      const isHarmful = isDestroying(text);
      // Keep tokens such as `::` and `>=` intact; a comment in the middle would split them.
      expect([text, isDestroying(spaced), isDestroying(cased)]).toEqual([text, isHarmful, isHarmful]);
    }
  });

  test("terminates for any text, and parses a statement whatever the previous one is", () => {
    const random = createRandom(7);
    const pieces = [
      ..."()[]{}',\"`$;:=<>!?@#%\\/*-+.|&~ \n\t",
      ..."'' $$ $a$ -- /* */ /*! << >> :: := \\g \\gexec".split(" "),
      ..."begin end case when then else loop do if go delimiter declare as with delete from where and or not in".split(
        " ",
      ),
      ..."create function trigger execute prepare merge update set drop table alter explain analyze 1 x 'a'".split(" "),
    ];
    const pick = () => pieces[Math.floor(random() * pieces.length)] as string;
    for (let round = 0; round < 3_000; round++) {
      const text = Array.from({ length: 1 + Math.floor(random() * 40) }, pick).join(random() < 0.5 ? " " : "");
      for (const client of ["psql", "mysql", "sqlcmd", "sqlite3", "sqlplus", ""])
        expect(() => isDestroying(`${text} drop`, client)).not.toThrow();
    }
    for (const text of texts.filter((one) => !isDestroying(one) && !/--|BEGIN|\\/i.test(one)))
      expect([text, isDestroying(`${text};\nDROP TABLE users`)]).toEqual([text, true]);
  });

  test("parses long texts in linear time", () => {
    const length = 150_000;
    const texts = [
      ...["'", "(", ")", "()", "('", "/*", "--\n", "$a$", ";", "begin ", "case when ", "not ", "as (", "execute 'x' "],
      ...["or a ", "[a", "\\g ", "go\n", ".a\n", "<<", "delimiter $\n", "with x as (", "copy (", "explain analyze "],
    ].map((piece) => `delete from t where ${piece.repeat(length / piece.length)} drop`);
    for (const text of texts) {
      const start = process.cpuUsage().user;
      isDestroying(text, "");
      expect([text.slice(20, 40), (process.cpuUsage().user - start) / 1_000 < 1_500]).toEqual([
        text.slice(20, 40),
        true,
      ]);
    }
  });
});
