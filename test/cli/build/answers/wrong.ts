/** A module with one faulty line, which ends in `// ✗ TEXT`. The error message must contain TEXT. */
export interface WrongHook {
  title: string;
  code: string;
  /** Whether an editor shows the error as well. An editor has the types but not `build`'s checks. */
  editor?: true;
  extension?: "ts" | "js" | "mjs" | "mts";
}

/** Builds a hook for shell calls with the given handler body. */
const body = (text: string, { head = "", async = false, tool = '"Bash"' } = {}) => `${head}export default defineHook({
  event: "PreToolUse",
  tool: ${tool},
  ${async ? "async " : ""}handler(event) {
${text}
    return undefined;
  },
});
`;
const handler = (text: string, tool = 'tool: "Bash", ') =>
  `export default defineHook({ event: "PreToolUse", ${tool}handler: ${text}\n});\n`;

const NOT_RETURNED = 'is not returned, so it has no effect; write "return" before it';
const LATER = "const later = async (x: string) => (x ? deny(x) : undefined);\n";
const JUDGE = 'function judge(x: string) {\n  return x ? ({ decision: "deny", reason: x } as const) : undefined;\n}\n';

export const WRONG_HOOKS: readonly WrongHook[] = [
  ...[
    ["deny", `    deny("x"); // ✗ the response of deny(…) ${NOT_RETURNED}`],
    ["ask after a condition", `    if (event.cwd) ask("x"); // ✗ the response of ask(…) ${NOT_RETURNED}`],
    ["allow", `    allow(); // ✗ the response of allow(…) ${NOT_RETURNED}`],
    ["context", `    context("x"); // ✗ the response of context(…) ${NOT_RETURNED}`],
    ["warn", `    warn("x"); // ✗ the response of warn(…) ${NOT_RETURNED}`],
    ["modify", `    modify({ command: "x" }); // ✗ the response of modify(…) ${NOT_RETURNED}`],
    ["modifyOutput", `    modifyOutput("x"); // ✗ the response of modifyOutput(…) ${NOT_RETURNED}`],
    ["a void expression", `    void deny("x"); // ✗ is not returned, so it has no effect; return it`],
    [
      "an object",
      `    ({ decision: "deny", reason: "x" }); // ✗ the response is not returned, so it has no effect; return it`,
    ],
    ["the right side of &&", `    event.cwd && deny("x"); // ✗ the response of deny(…) is not returned`],
    ["a branch of ?:", `    event.cwd ? deny("x") : undefined; // ✗ the response of deny(…) is not returned`],
    ["the left side of a comma", `    if (event.cwd) return deny("x"), undefined; // ✗ the response of deny(…) is not`],
    ["a type assertion", `    deny("x") as unknown; // ✗ the response of deny(…) is not returned`],
    [
      "in a loop",
      `    for (const { program } of commands(event)) if (program) deny(program); // ✗ the response of deny(…)`,
    ],
    [
      "in a switch",
      `    switch (event.cwd) {\n      case "x":\n        deny("x"); // ✗ the response of deny(…)\n    }`,
    ],
    ["in a catch", `    try {\n      git(event);\n    } catch {\n      deny("x"); // ✗ the response of deny(…)\n    }`],
    ["a variable", `    const answer = deny("x"); // ✗ the response in "answer" is never returned; return it`],
    [
      "a variable assigned later",
      `    let answer;\n    if (event.cwd) answer = deny("x"); // ✗ the response in "answer" is never`,
    ],
    ["a variable that is only changed", `    const a = deny("x"); // ✗ the response in "a"\n    a.user_message = "y";`],
    [
      "forEach",
      `    commands(event).forEach(() => deny("x")); // ✗ commands(event).forEach, which ignores it; use a "for" loop`,
    ],
    [
      "forEach with a block",
      `    commands(event).forEach(({ program }) => {\n      if (program === "npm") return deny("x"); // ✗ which ignores it\n      return undefined;\n    });`,
    ],
    ["map", `    commands(event).map(() => deny("x")); // ✗ the responses of commands(event).map(…) are not used`],
    [
      "a timer",
      `    setTimeout(() => deny("x"), 1); // ✗ the response is returned to setTimeout, which ignores it; return it`,
    ],
    ["throw", `    if (event.cwd) throw deny("x"); // ✗ throwing a response makes the hook fail; return the response`],
  ].map(([title, text]) => ({ title: title as string, code: body(text as string) })),
  ...[
    ["a function's response", JUDGE, `    judge(event.cwd); // ✗ the response of judge(…) ${NOT_RETURNED}`],
    ["a promise", LATER, `    later("x"); // ✗ the response of later(…) ${NOT_RETURNED}`],
    ["an awaited promise", LATER, `    await later("x"); // ✗ the response of later(…) is not returned`],
    ["a promise's then", LATER, `    later("x").then(() => deny("y")); // ✗ is not returned`],
    [
      "several promises",
      LATER,
      `    await Promise.all([later("x")]); // ✗ the responses of Promise.all(…) are not used`,
    ],
    ["deny under another name", "const stop = deny;\n", `    stop("x"); // ✗ the response of stop(…)`],
    [
      "a method's response",
      "const rules = { judge: deny };\n",
      `    rules.judge("x"); // ✗ the response of rules.judge(…)`,
    ],
  ].map(([title, head, text]) => ({ title: title as string, code: body(text as string, { head, async: true }) })),
  {
    title: "a response in a function that returns nothing",
    code: body("    check(event.cwd);", {
      head: 'function check(x: string) {\n  if (x) deny("x"); // ✗ the response of deny(…)\n}\n',
    }),
  },
  {
    title: "deny as a member of the module",
    code: `import * as bridge from "bridge-hooks";\n${body('    bridge.deny("x"); // ✗ the response of bridge.deny(…)')}`,
  },
  ...[
    ["a handler whose only answer is lost", `(event) => {\n  if (event.cwd) deny("x"); // ✗ ${NOT_RETURNED}\n}`],
    [
      "a path whose answer is lost",
      `({ cwd }) => {\n  if (cwd) return deny("x");\n  ask("y"); // ✗ ${NOT_RETURNED}\n}`,
    ],
    ["an async handler without an answer", "async () => { // ✗ the handler returns nothing\n  await 1;\n}"],
    [
      "a handler that logs",
      "(_, { log }) => log('x') // ✗ the handler returns nothing; return a response, or undefined",
    ],
    ["an empty handler", "() => {} // ✗ the handler returns nothing"],
    ["a text", "() => 'deny' // ✗ a handler can't return \"deny\"; return a response such as deny("],
    ["a boolean", "() => true // ✗ a handler can't return true"],
    ["a list", "() => [deny('x')] // ✗ a handler can't return IHookResponse[]"],
    ["the function itself", "() => deny // ✗ a handler can't return (reason: string, "],
    ["an unknown decision", '() => ({ decision: "block" }) // ✗ unknown decision "block"; known: allow, deny, ask'],
    [
      "a misspelled field of a patch",
      '() => ({ modified_input: { comand: "x" } }) // ✗ "comand"; did you mean command?',
    ],
    ["a reason that is a number", '() => ({ reason: 1 }) // ✗ the response field "reason" must be string, not number'],
    [
      "a reason without a decision",
      `() => ({ reason: "x" }) // ✗ "reason" has no effect without a decision; add decision: "deny"`,
    ],
    [
      "a reason with a missing decision",
      '({ cwd }) => {\n  const answer = { reason: "x" }; // ✗ "reason" has no effect without a decision\n  return cwd ? deny("y") : answer;\n}',
    ],
    ["a response field that no host has", '() => ({ permission: "deny" }) // ✗ a response has no field "permission"'],
    [
      "a misspelled patch",
      '() => modify({ comand: "x" }) // ✗ the tool input has no field "comand"; did you mean command?',
    ],
    ["a misspelled patch next to a valid field", '() => modify({ command: "x", comand: "y" }) // ✗ no field "comand"'],
    [
      "a patch of another tool",
      "(_) => modify({ file_path: 'x' }) // ✗ the tool input has no field \"file_path\"; known: command",
    ],
    ["a patch of another type", "() => modify({ command: 1 }) // ✗ 'number' is not assignable to type 'string'"],
    ["a patch that is a string", "({ input }) => modify(input.command) // ✗ has no properties in common"],
    [
      "an async misspelled patch",
      'async ({ cwd }) => {\n  if (cwd) return modify({ comand: "x" }); // ✗ "comand"\n  return undefined;\n}',
    ],
    ["a conditional misspelled patch", '({ cwd }) => (cwd ? modify({ comand: "x" }) : undefined) // ✗ "comand"'],
    [
      "a path without an answer",
      '({ cwd }) => { // ✗ Not all code paths return a value; return a response there\n  if (cwd) return deny("x");\n}',
    ],
  ].map(([title, text]) => ({
    title: title as string,
    code: handler(text as string),
    // The types can't express these errors, so an editor doesn't show them.
    ...(!/lost|^a reason w/.test(title as string) && { editor: true as const }),
  })),
  {
    title: "a misspelled patch in a hook for all tools",
    code: handler('() => modify({ comand: "x" }) // ✗ no field "comand"; did you mean command?', ""),
    editor: true,
  },
  {
    title: "a misspelled patch in a hook for several tools",
    code: handler(
      '() => modify({ contents: "x" }) // ✗ no field "contents"; did you mean content?',
      'tool: ["Write", "Bash"], ',
    ),
    editor: true,
  },
  ...[
    [
      "a patch of another tool, without an event",
      "() => modify({ file_path: 'x' }) // ✗ the tool input has no field \"file_path\"; known: command",
    ],
    [
      "a misspelled decision next to a reason",
      '() => ({ decission: "deny", reason: "x" }) // ✗ a response has no field "decission"; did you mean decision?',
    ],
    ["an async misspelled decision", 'async () => ({ decission: "deny", reason: "x" }) // ✗ no field "decission"'],
    [
      "a misspelled decision in a union",
      '({ cwd }) => (cwd ? deny("x") : { desicion: "deny", reason: "x" }) // ✗ no field "desicion"; did you mean decision?',
    ],
    [
      "a misspelled decision in a variable",
      '() => {\n  const answer = { decison: "deny", reason: "x" }; // ✗ no field "decison"\n  return answer;\n}',
    ],
    [
      "a misspelled field next to a spread",
      '() => ({ ...deny("x"), usermessage: "y" }) // ✗ no field "usermessage"; did you mean user_message?',
    ],
    [
      "a misspelled patch in a variable",
      '() => {\n  const patch = { command: "x", comand: "y" }; // ✗ no field "comand"\n  return modify(patch);\n}',
    ],
  ].map(([title, text]) => ({ title: title as string, code: handler(text as string) })),
  {
    title: "a misspelled decision from a function",
    code: `const judge = () => ({ decission: "deny", reason: "x" }); // ✗ no field "decission"\n${handler("judge")}`,
  },
  ...[
    ["deny in JavaScript", body(`    deny("x"); // ✗ the response of deny(…) ${NOT_RETURNED}`)],
    [
      "a misspelled decision in JavaScript",
      handler('() => ({ decission: "deny", reason: "x" }) // ✗ did you mean decision?'),
    ],
    ["an unknown decision in JavaScript", handler('() => ({ decision: "block" }) // ✗ unknown decision "block"')],
    ["a misspelled patch in JavaScript", handler('() => modify({ comand: "x" }) // ✗ did you mean command?')],
    [
      "a promise in JavaScript",
      `const later = async () => deny("x");\n${body("    later(); // ✗ the response of later(…)")}`,
    ],
  ].map(([title, code]) => ({ title: title as string, code: code as string, extension: "js" as const })),
  { title: "deny in an .mjs module", code: body('    deny("x"); // ✗ is not returned'), extension: "mjs" },
  { title: "deny in an .mts module", code: body('    deny("x"); // ✗ is not returned'), extension: "mts" },
];
