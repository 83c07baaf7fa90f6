import { askBash, compareLinesBy } from "./project.ts";

const decide = async (command: string) => (await askBash(command))?.decision;
const encode = (line: string) => btoa(line);

compareLinesBy(
  decide,
  "lines that are encoded in other lines",
  [
    `echo ${encode("ls -la src")} | base64 -d | sh`,
    `bash -c "$(echo ${encode("cat README.md")} | base64 -d)"`,
    `eval "$(base64 -d <<< ${encode("printenv HOME")})"`,
    `echo ${encode("cat .env")} | base64 -d`,
    `echo ${encode("cat .env")}`,
    "echo hello | base64",
    "echo 6c73202d6c61 | xxd -r -p | sh",
    "xxd -l 64 dist/app.bin",
    String.raw`printf '\154\163' | sh`,
  ],
  [
    `echo ${encode("cat .env")} | base64 -d | sh`,
    `base64 -d <<< ${encode("printenv")} | bash`,
    `bash -c "$(echo ${encode("cat ~/.ssh/id_rsa")} | base64 -d)"`,
    `eval "$(echo ${encode("gh auth token")} | base64 --decode)"`,
    `eval "$(base64 -d <<< ${encode("env")})"`,
    `cat $(echo ${encode(".env")} | base64 -d)`,
    "echo 636174202e656e76 | xxd -r -p | sh",
    String.raw`$'\x63at' $'.\x65nv'`,
    String.raw`printf '\143at .\145nv' | sh`,
  ],
);
