import { statSync } from "../../system/files.ts";
import type { AnyEvent } from "../../protocol/event.ts";
import type { Env, Host } from "../../protocol/host/host.ts";
import { mergeResponses } from "../../protocol/merge.ts";
import type { IHookResponse } from "../../protocol/response.ts";
import type { ScriptCodec, NativePayload } from "../../protocol/host/scripts.ts";
import { git } from "./git.ts";
import { filterPathVariable } from "../../hosts/find-program.ts";
import { type ProgramResult, MAX_OUTPUT_BYTES, runProgram } from "../../hosts/run-program.ts";
import type { HostCommand } from "./script.ts";
import { buildArgv } from "./command-argv.ts";

/**
 * Runs a command with an event's payload in its host's format, and returns the answer as a unified response. If the
 * event corresponds to several calls on that host, the calls are sent one by one until one is denied. Events that the
 * host doesn't report are skipped.
 * @throws Error if the command can't be run, or if its host would treat it as failed.
 */
export async function runHostCommand(order: HostCommand, event: AnyEvent, signal: AbortSignal): Promise<IHookResponse> {
  const { host, program, at } = order;
  const commandText = "line" in program ? program.line : program.argv.join(" ");
  try {
    const codec = await host.loadScriptCodec();
    const payloadList = codec.buildPayloads(event);
    const payloads = payloadList.filter(({ native_event }) => native_event === (at ?? payloadList[0]?.native_event));
    if (payloads.length === 0) return {};
    const command = { order, codec, argv: buildArgv(order) };
    const responses: IHookResponse[] = [];
    for (const payload of payloads) {
      const result = await runForPayload(command, payload, event, signal);
      responses.push(codec.parseAnswer(payload, result));
      if (responses.at(-1)?.decision === "deny") break;
    }
    const response = mergeResponses(responses);
    if (response.decision === "allow" && codec.allowsByHabit && event.host !== host.id) delete response.decision;
    if (response.modified_output !== undefined && payloads.length > 1)
      throw new Error(
        `this event corresponds to ${payloads.length} ${host.name} calls, and the result of just one can't be replaced; add context instead`,
      );
    if (response.modified_input && response.decision !== "deny" && payloads.length > 1)
      throw new Error(
        `this event corresponds to ${payloads.length} ${host.name} calls, and a change to just one can't be merged; deny instead`,
      );
    return response;
  } catch (error) {
    const { message } = error as Error;
    throw new Error(
      `${commandText}: ${message}${message.includes("; ") ? "" : `; the answer must be in the format of a ${host.name} hook`}`,
    );
  }
}

/** Exit codes that shells and similar programs use when a command can't be run. */
const [NOT_FOUND, NOT_EXECUTABLE] = [127, 126];

async function runForPayload(
  { order, codec, argv }: { order: HostCommand; codec: ScriptCodec; argv: readonly string[] },
  { payload }: NativePayload,
  event: AnyEvent,
  signal: AbortSignal,
) {
  const cwd = isFolder(event.cwd) ? event.cwd : process.cwd();
  const env = {
    ...buildCommandEnvironment(
      order.host,
      event,
      cwd,
      codec.buildScriptEnv(event.workspace_roots?.[0] ?? cwd, payload),
    ),
    ...order.env,
  };
  let result: ProgramResult;
  try {
    result = await runProgram({ argv, cwd, env, stdin: `${JSON.stringify(payload)}\n`, signal });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") throw new Error(`program "${argv[0]}" not found; install it or use its full path`);
    if (code === "EACCES") throw new Error(`${argv[0]} is not an executable file; make it executable`);
    throw error;
  }
  const { exit_code, stderr, stopped } = result;
  if (stopped === "overflow")
    throw new Error(`it printed more than ${MAX_OUTPUT_BYTES} bytes; print one short JSON document`);
  const details = stderr.trim() ? ` (${stderr.trim().slice(0, 500)})` : "";
  if (exit_code === null) throw new Error(`it was killed by a signal${details}; fix the crash`);
  if (exit_code === NOT_FOUND)
    throw new Error(`the command or a program that it runs was not found${details}; install the program`);
  if (exit_code === NOT_EXECUTABLE)
    throw new Error(`the command or a program that it runs is not executable${details}; make it executable`);
  return result;
}

const isFolder = (path: string) => path !== "" && (statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false);

/**
 * Environment variables that make an interpreter or the dynamic linker run other code. Hosts let a project set
 * variables for hooks, but the project must not be able to change what a script does.
 */
const FOREIGN_VARIABLES = new RegExp(
  `^(${[
    "BASH_ENV|ENV|SHELLOPTS|BASHOPTS|PS4|BASH_FUNC_.*|ZDOTDIR",
    "(BUN|NODE|DENO|LD|DYLD|LUA|PERL)_.*|(PYTHON|PERL5|RUBY).*|AWK(LIB)?PATH|PHPRC|PHP_INI_SCAN_DIR",
    "JAVA_TOOL_OPTIONS|JDK_JAVA_OPTIONS|_JAVA_OPTIONS|CLASSPATH|DOTNET_STARTUP_HOOKS",
  ].join("|")})$`,
  "i",
);

/**
 * Fallback PATH if no directory in PATH is trusted. With a missing or empty PATH, some shells search the current
 * directory.
 */
const DEFAULT_PATH = process.platform === "win32" ? "C:\\Windows\\System32" : "/usr/bin:/bin";

/**
 * Builds the environment and removes project directories from PATH. If the calling host is the command's host, its own
 * variables win over generated ones; otherwise, the generated ones win.
 */
function buildCommandEnvironment(host: Host, event: AnyEvent, cwd: string, variables: Env): Env {
  const ownVariables = Object.entries(process.env).filter(
    ([name]) => !FOREIGN_VARIABLES.test(name) && name.toUpperCase() !== "PATH",
  );
  const roots = [cwd, ...(event.workspace_roots ?? []), git({ cwd })?.root].filter((root) => root !== undefined);
  const environment = { ...Object.fromEntries(ownVariables), PATH: filterPathVariable(roots) || DEFAULT_PATH };
  return event.host === host.id ? { ...variables, ...environment } : { ...environment, ...variables };
}
