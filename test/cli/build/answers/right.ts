const handler = (text: string, fields = 'tool: "Bash", ') =>
  `export default defineHook({ event: "PreToolUse", ${fields}handler: ${text} });\n`;

/** Correct modules, keyed by title. */
export const RIGHT_HOOKS: Readonly<Record<string, string>> = {
  "no decision": handler("() => undefined"),
  null: handler("() => null"),
  "a void expression that is not a response": handler("(_, { log }) => void log('x')"),
  "a method": 'export default defineHook({ event: "Stop", handler() { return deny("x"); } });\n',
  "an async handler": handler("async ({ cwd }) => (cwd ? deny('x') : undefined)"),
  "a handler that returns on every path": handler("({ cwd }) => { if (cwd) return deny('x'); return undefined; }"),
  "a handler that always throws": handler("() => { throw new Error('x'); }"),
  "an object": handler('() => ({ decision: "ask", reason: "x" })'),
  "a conditional decision": handler('({ cwd }) => ({ decision: cwd ? "deny" : "ask", reason: "x" })'),
  "a computed reason": handler('() => ({ modified_output: "x", reason: "y" })'),
  "a reason with a conditional decision": handler(
    '({ cwd }) => ({ reason: "x", ...(cwd ? { decision: "deny" } : {}) })',
  ),
  "a response with additional fields": handler('() => ({ ...deny("x"), user_message: "y" })'),
  "a response that is changed and returned": handler('() => { const a = deny("x"); a.user_message = "y"; return a; }'),
  "a response assigned in a branch": handler(
    '({ cwd }) => { let a: IHookResponse | undefined; if (cwd) a = deny("x"); return a; }',
  ),
  "responses in an array": handler(
    "(event) => { const all: IHookResponse[] = []; for (const { program } of commands(event)) all.push(deny(program)); all.sort(); return all.pop(); }",
  ),
  "an array from map": handler("(event) => commands(event).map(({ program }) => deny(program))[0]"),
  "a response in a map": handler(
    '({ cwd }) => { const known = new Map<string, IHookResponse>(); known.set("x", deny("x")); return known.get(cwd); }',
  ),
  "a helper's response": `const judge = (x: string): IHookResponse | undefined => (x ? deny(x) : undefined);\n${handler("({ cwd }) => judge(cwd)")}`,
  "a helper's patch": `const change = (command: string) => modify({ command });\n${handler("({ input }) => change(input.command)")}`,
  "a helper's promise": `const later = async () => deny("x");\n${handler("() => later()")}`,
  "an awaited response that is used": `const later = async (x: string) => (x ? deny(x) : undefined);\n${handler('async () => { const a = await later("x"); if (a) return a; return undefined; }')}`,
  "the first response of several": `const later = async (x: string) => (x ? deny(x) : undefined);\n${handler('async () => (await Promise.all([later(""), later("x")])).find(Boolean)')}`,
  "a patch": handler('() => modify({ command: "x" })'),
  "a patch over the input": handler('({ input }) => modify({ ...input, command: "x", timeout_ms: 1 })'),
  "a patch of several tools": handler(
    '(event) => (event.tool === "Bash" ? modify({ command: "x" }) : modify({ content: "x" }))',
    'tool: ["Bash", "Write"], ',
  ),
  "a patch in a hook for all tools": handler(
    '({ tool }) => (tool === "Bash" ? modify({ command: "x" }) : undefined)',
    "",
  ),
  "a patch of an MCP tool's own fields": handler('() => modify({ path: "x" })', 'tool: "MCP", '),
  "a patch of an MCP tool's arguments": handler(
    "({ input }) => modify({ arguments: { ...input.arguments, a: 1 } })",
    'tool: "MCP", ',
  ),
  "a patch of an unknown tool": handler("({ input }) => modify({ ...input, a: 1 })", 'tool: "Other", '),
  "a patch of a host's own field": handler(
    "() => modify<Record<string, unknown>>({ dangerouslyDisableSandbox: false })",
  ),
  "a response's own field": handler('() => ({ modified_input: { command: "x" }, additional_context: "y" })'),
  "a result":
    'export default defineHook({ event: "PostToolUse", handler: ({ output }) => modifyOutput(output.text) });\n',
  variables:
    'export default defineHook({ event: "SessionStart", handler: () => ({ session_env: { A: "1" }, additional_context: "x" }) });\n',
  "a callback whose response is used": handler("(event) => commands(event).map(() => deny('x')).at(0)"),
  "a callback that assigns": handler(
    "(event) => { let answer: ReturnType<typeof deny> | undefined; commands(event).forEach((c) => (answer = c.program === 'npm' ? deny('x') : answer)); return answer; }",
  ),
  "a callback that returns nothing": handler("(event) => { commands(event).forEach(() => {}); return undefined; }"),
  "a handler's own verdict type": `const verdict = (x: string) => ({ decision: "deny" as const, risk: x.length });\n${handler("({ cwd }) => { verdict(cwd); return undefined; }")}`,
  options: `import * as z from "zod";\n${handler("(_, { options }) => (options.most > 1 ? deny('x') : undefined)", "options: z.object({ most: z.number() }), ")}`,
  "an exported response": `export const DENIAL = deny("x");\n${handler("() => DENIAL")}`,
  "a module without an import": 'export default { event: "Stop", handler: () => undefined };\n',
};

/** Correct JavaScript modules, keyed by title. */
export const RIGHT_SCRIPTS: Readonly<Record<string, string>> = {
  JavaScript: handler("({ cwd }) => { if (cwd) return deny('x'); }"),
  "JavaScript that logs": handler("(_, { log }) => log('x')"),
  "a host's own field in JavaScript": handler("() => modify({ dangerouslyDisableSandbox: false })"),
};
