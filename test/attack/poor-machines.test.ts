import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { BUILD_MS } from "../support/executables.ts";
import { getTarget } from "./cases.ts";
import {
  buildFaultyExecutable,
  findEvent,
  findProblem,
  folder,
  newFolder,
  removeFolder,
  runDeniedCall,
} from "./surroundings.ts";

beforeAll(buildFaultyExecutable, BUILD_MS);
afterAll(removeFolder);

const target = getTarget("claude");
const native_event = findEvent(target, "PreToolUse");
const become = 'exec "$0" "$@"';

/** Explains why a denial isn't enforced after this shell command has run; undefined if it is enforced. */
async function findLoss(line: string): Promise<string | undefined> {
  const ended = await runDeniedCall(target, native_event, { line }, newFolder());
  const why = await findProblem(target, native_event, ended, "denied");
  return why === undefined ? undefined : `${line}: ${why}`;
}

/** A program that blocks system calls by number and then executes another program. */
const FILTER = String.raw`
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>
int main(int count, char **given) {
  int refused = atoi(given[1]), error = atoi(given[2]);
  struct sock_filter filter[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, refused, 0, 1),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = { 4, filter };
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) return 99;
  execv(given[3], given + 3);
  return 98;
}
`;
const isLinuxX64 = process.platform === "linux" && process.arch === "x64";
const canFilter = isLinuxX64 && Bun.which("cc") !== null;
if (!canFilter) console.log("refused system calls are not tried: there is no C compiler for Linux x64");

const CALLS = {
  poll: 7,
  dup: 32,
  dup2: 33,
  alarm: 37,
  setitimer: 38,
  timer_create: 222,
  memfd_create: 319,
  statx: 332,
};
const [EPERM, ENOSYS] = [1, 38];

describe.skipIf(process.platform !== "linux")("a denial is enforced with", () => {
  for (let count = 5; count <= 40; count++)
    test(`${count} descriptors`, async () => expect(await findLoss(`ulimit -n ${count}; ${become}`)).toBeUndefined());

  for (const kilobytes of [400_000, 500_000, 1_000_000, 4_000_000])
    test(`${kilobytes} kB of memory`, async () =>
      expect(await findLoss(`ulimit -v ${kilobytes}; ${become}`)).toBeUndefined());

  for (const [name, number] of Object.entries(CALLS))
    test.skipIf(!canFilter)(`a system that blocks ${name}`, async () => {
      const [source, filter] = [join(folder, "filter.c"), join(folder, "filter")];
      writeFileSync(source, FILTER);
      expect(Bun.spawnSync(["cc", "-o", filter, source]).exitCode).toBe(0);
      for (const error of [EPERM, ENOSYS])
        expect(await findLoss(`exec "${filter}" ${number} ${error} "$0" "$@"`)).toBeUndefined();
    });
});
