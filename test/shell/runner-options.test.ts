import { expect, test } from "bun:test";
import { commandsIn } from "../../src/shell/index.ts";
import { LOCAL_RUNNERS } from "./local-runners.ts";
import { REMOTE_RUNNERS } from "./remote-runners.ts";

const findRemovals = (line: string) => commandsIn(line).filter(({ program }) => program === "rm");

for (const line of LOCAL_RUNNERS)
  test(`the command that ${JSON.stringify(line)} runs here is found`, () => {
    expect(findRemovals(line).some(({ args, remote }) => args[0] === "a" && !remote)).toBe(true);
  });

for (const line of REMOTE_RUNNERS)
  test(`the command that ${JSON.stringify(line)} runs elsewhere is found, and marked as remote`, () => {
    const found = findRemovals(line);
    expect(found.some(({ args }) => args[0] === "a")).toBe(true);
    expect(found.every(({ remote }) => remote)).toBe(true);
  });

/** Command lines in which the same programs run something other than `rm`, and which programs those are. */
const OTHERS: readonly [line: string, ...programs: string[]][] = [
  ["su -c 'ls'", "su", "ls"],
  ["su - me", "su"],
  ["xargs -I{} echo {}", "echo"],
  ["fish -n 'rm a'", "fish"],
  ["bash -n -c 'rm a'", "bash"],
  ["bash x.sh -c 'rm a'", "bash"],
  ["bash -c 'ls' rm a", "bash", "ls"],
  ["script -a rm.log", "script"],
  ["git rebase -X theirs rm", "git"],
  ["git commit -m '-x rm a'", "git"],
  ["cmake --build rm", "cmake"],
  ["docker build -t exec .", "docker"],
  ["kubectl get pods -n exec", "kubectl"],
  ["heroku logs -a rm", "heroku"],
  ["gcloud compute instances list --filter='rm a'", "gcloud"],
  ["aws s3 ls s3://rm", "aws"],
  ["flock -n x true", "flock", "true"],
  ["env -u rm ls", "ls"],
  ["systemd-inhibit --list", "systemd-inhibit"],
  ["mise use rm", "mise"],
  ["perf report rm", "perf"],
  ["echo -- rm a", "echo"],
  ["tmux send-keys Enter", "tmux"],
  ["and", "and"],
  ["time -p ls", "ls"],
];

for (const [line, ...programs] of OTHERS)
  test(`${JSON.stringify(line)} runs nothing but ${programs.join(", ")}`, () => {
    expect(commandsIn(line).map(({ program }) => program)).toEqual(programs);
  });
