import { expect, test } from "bun:test";
import { hosts } from "../../src/hosts/index.ts";
import { makeSamples, samplesFile } from "../../tools/samples.ts";

for (const { id } of hosts)
  test(`samples.json of ${id} matches the recordings (npm run samples rewrites it)`, async () => {
    const text = await Bun.file(samplesFile(id)).text();
    expect(JSON.stringify(JSON.parse(text))).toBe(await makeSamples(id));
  });
