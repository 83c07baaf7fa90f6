import { askBash, compareLinesBy } from "./project.ts";

compareLinesBy(
  async (command) => (await askBash(command))?.decision,
  "names of programs with unknown parts",
  ["/usr/bin/g? pr list", "g${x}h pr list", "gh.cmd pr list", "/bin/l? src", "va${x}lt status", "echo ${x}env"],
  [
    "/usr/bin/g? auth token",
    "g${x}h auth token",
    "gh.cmd auth token",
    "GH auth token",
    "sudo /usr/bin/va?lt kv get secret/x",
    "va${x}lt kv get secret/x",
    "printe?v",
    "/bin/c?t .env",
    "bash -c 'c${x}at .env'",
    "cd ~/.ss? && cat id_rsa",
  ],
);
