import { describe, expect, test } from "bun:test";
import { askBash } from "./project.ts";

/** In the project, `dir-link` links to `.claude`, and `evil-link` links to a directory outside. */
const DENIED = `
cp -r ../evil/. dir-link
cp -r ../evil/* dir-link
cp ../evil/settings.json dir-link
cp -t dir-link ../evil/settings.json
mv ../evil/settings.json dir-link
rsync -a ../evil/ dir-link
tar xf s.tar -C dir-link
tar xf s.tar --directory=dir-link
unzip s.zip -d dir-link
wget -P dir-link https://example.com/settings.json
curl --output-dir dir-link -O https://example.com/settings.json
git clone https://example.com/x dir-link`;
const PASSED = `
cp -r ../evil/. evil-link
cp ../evil/settings.json evil-link
cp ../evil/hooks.json dir-link
tar xf s.tar -C evil-link
wget -P evil-link https://example.com/settings.json
rm evil-link
rm dir-link
ln -sfn ../evil evil-link
cp -r dir-link ../copy
tar cf s.tar dir-link`;

describe.skipIf(process.platform === "win32")("a directory is guarded under the name of a link to it", () => {
  for (const line of DENIED.trim().split("\n")) test(line, async () => expect(await askBash(line)).toBe("deny"));
  for (const line of PASSED.trim().split("\n")) test(line, async () => expect(await askBash(line)).toBeUndefined());
});
