import { compileProgram } from "/work/main/src/cli/build/bundle.ts";
import { withWorkshop } from "/work/main/src/cli/build/workshop.ts";
import { detectTarget } from "/work/main/src/cli/build/image.ts";
import { writeFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
const [src, out] = process.argv.slice(2);
await withWorkshop("/tmp/q/ws", async (shop: any) => {
  const e = join(shop.folder, "f.ts");
  writeFileSync(e, readFileSync(src!));
  await compileProgram(e, join(shop.folder, "o"), detectTarget(), shop);
  writeFileSync(out!, readFileSync(join(shop.folder, "o")), { mode: 0o755 });
});
