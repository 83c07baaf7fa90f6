#!/usr/bin/env node
// Runs the executable that npm installed for this platform. Entries in hosts' configs name the executable itself, which
// `bridge-hooks install` copies out of node_modules.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { arch, platform } from "node:process";

const isMusl = () => {
  if (platform !== "linux") return false;
  process.report.excludeNetwork = true;
  return process.report.getReport().header.glibcVersionRuntime === undefined;
};

const require = createRequire(import.meta.url);
const name = `@bridge-hooks/${platform}-${arch}${isMusl() ? "-musl" : ""}`;
// If the calling entry requires failures to deny, exit with the code for a denial.
const failure = process.argv.join(" ").includes("--on-error deny") ? 2 : 1;

let executable;
try {
  executable = require.resolve(`${name}/bridge-hooks${platform === "win32" ? ".exe" : ""}`);
} catch {
  console.error(
    `bridge-hooks: the package ${name} is not installed; install bridge-hooks again without leaving out optional dependencies, or build it from source`,
  );
  process.exit(failure);
}

const child = spawn(executable, process.argv.slice(2), { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  console.error(`bridge-hooks: ${executable} can't be run (${error.code}); install bridge-hooks again`);
  process.exit(failure);
});
child.on("exit", (code, signal) => {
  if (signal === null) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
