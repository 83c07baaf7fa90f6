import { expect, test } from "bun:test";
import { drawPicture } from "./picture.ts";

const ratio = { q1: 1.9, median: 2, q3: 2.1 };

test("the chart has bars to scale, colors for dark mode and escaped labels", () => {
  const svg = drawPicture("a note", [
    { title: "Calls", bars: [{ label: 'a && echo "b" <c>', ratio }] },
    { title: "Peers", bars: [{ label: "bash", ratio: { q1: 7, median: 7.5, q3: 8 }, isPeer: true }] },
  ]);
  expect(svg).toContain("a &amp;&amp; echo &quot;b&quot; &lt;c&gt;");
  expect(svg).toContain("prefers-color-scheme: dark");
  const [own, peer] = [...svg.matchAll(/<rect class="(\w+)".* width="([\d.]+)"/g)].map(([, kind, width]) => [
    kind,
    Number(width),
  ]);
  expect([own?.[0], peer?.[0]]).toEqual(["bar", "peer"]);
  expect((peer?.[1] as number) / (own?.[1] as number)).toBeCloseTo(3.75, 1);
  // Every such element is self-closing, so the only content is text.
  expect(svg.match(/<(rect|path) [^>]*[^/]>/)).toBeNull();
});
