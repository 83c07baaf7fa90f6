import { expect, test } from "bun:test";
import { hosts } from "../../src/hosts/index.ts";
import { makeSamples, samplesFile } from "../../tools/samples.ts";

for (const { id } of hosts)
  test(`${id}: samples.json is made of the recordings; "npm run samples" makes it anew`, async () => {
    const text = await Bun.file(samplesFile(id)).text();
    expect(JSON.stringify(JSON.parse(text))).toBe(await makeSamples(id));
  });
