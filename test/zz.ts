import { buildExecutable } from "../src/cli/build/build.ts";
const { metafile } = (await buildExecutable({ hooks: "hooks", outfile: "/tmp/q/mm" })) as any;
const o = metafile.outputs;
const e = Object.keys(o).find((k) => o[k].entryPoint?.endsWith("src/main.ts"))!;
const seen = new Set<string>();
const go = (p: string, d: number) => {
  if (seen.has(p)) return;
  seen.add(p);
  console.log(
    " ".repeat(d) + p,
    o[p]?.bytes,
    Object.entries(o[p]?.inputs ?? {})
      .map(([k, v]: any) => k + ":" + v.bytesInOutput)
      .join(" ")
      .slice(0, 1500),
  );
  for (const i of o[p]?.imports ?? []) if (i.kind === "import-statement") go(i.path, d + 1);
};
go(e, 0);
console.log(o[e].imports.filter((i: any) => i.kind !== "import-statement").length);
