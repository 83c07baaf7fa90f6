import { describe, expect, test } from "bun:test";
import type { ConfigScope } from "../../../src/policy/sources.ts";
import { change, type Documents } from "./support.ts";

const FILE = `{
  // Mine.
  "hooks": {
    "guard": { "most": 9 /* many */, "allow": ["a"] }, // and more
  },
  "rules": { "git/push": { "action": "ask" } },\r
}
`;

describe("a change of one key", () => {
  const CASES: [key: string, value: string | undefined, from: string, to: string][] = [
    ["hooks.guard.most", "10", '"most": 9 /*', '"most": 10 /*'],
    ["hooks.guard.label", "y", '["a"] }, //', '["a"], "label": "y" }, //'],
    ["hooks.guard.allow.1", "b", '["a"]', '["a", "b"]'],
    ["hooks.guard.allow.0", "b", '["a"]', '["b"]'],
    ["hooks.guard.allow", undefined, ' /* many */, "allow": ["a"] }', " /* many */ }"],
    ["rules.git/push.action", "deny", '"ask"', '"deny"'],
    ["rules.git/push.action", undefined, '\n  "rules": { "git/push": { "action": "ask" } },', ""],
    ["rules", undefined, '\n  "rules": { "git/push": { "action": "ask" } },', ""],
  ];
  for (const [key, value, from, to] of CASES)
    test(`keeps every other byte when ${key} becomes ${value ?? "unset"}`, async () => {
      expect(FILE).toContain(from);
      expect((await change({ user: FILE }, "user", key, value)).text).toBe(FILE.replace(from, to));
    });
  test("creates a missing file, and fills an empty one", async () => {
    const text = '{\n  "hooks": {\n    "guard": {\n      "most": 5\n    }\n  }\n}\n';
    expect(await change({}, "user", "hooks.guard.most", "5")).toEqual({
      said: "user/config.json:4:7: hooks.guard.most = 5 (was not set)",
      text,
    });
    expect((await change({ user: "" }, "user", "hooks.guard.most", "5")).text).toBe(text);
  });
});

const guard = (settings: object) => ({ hooks: { guard: settings } });
const LIST_OF_ONE = guard({ allow: ["a"] });

describe("config set and unset report", () => {
  const CASES: [
    name: string,
    documents: Documents,
    scope: ConfigScope,
    key: string,
    value: string | undefined,
    said: string,
  ][] = [
    [
      "that the value is already set",
      { user: guard({ most: 4 }) },
      "user",
      "hooks.guard.most",
      "4",
      "user/config.json:1:20: hooks.guard.most is already 4; no changes made",
    ],
    [
      "a number as a string if the setting is a string",
      {},
      "user",
      "hooks.guard.label",
      "5",
      'user/config.json:4:7: hooks.guard.label = "5" (was not set)',
    ],
    [
      "the position of a setting whose hook has a dot in its name",
      {},
      "user",
      "hooks.dotted.name.limits.most",
      "5",
      "user/config.json:5:9: hooks.dotted.name.limits.most = 5 (was not set)",
    ],
    [
      "that a stronger file overrides the new value",
      { managed: guard({ most: 1 }) },
      "user",
      "hooks.guard.most",
      "2",
      "user/config.json:4:7: hooks.guard.most = 2 (was not set)\nnote: this has no effect here: managed/config.json takes precedence; in force: 1",
    ],
    [
      "that a list is combined with another file's",
      { managed: guard({ deny: ["a"] }) },
      "user",
      "hooks.guard.deny",
      '["b"]',
      'user/config.json:4:7: hooks.guard.deny = ["b"] (was not set)\nnote: combined with values in other files; in force: ["a","b"]',
    ],
    [
      "that a weaker file's value no longer has an effect",
      { project: guard({ most: 1 }), user: guard({ most: 2 }) },
      "managed",
      "hooks.guard.most",
      "3",
      "managed/config.json:4:7: hooks.guard.most = 3 (was not set)\nnote: project/.bridge-hooks.json:1:20 (project): hooks.guard.most 1 no longer has an effect: managed/config.json takes precedence",
    ],
    [
      "that a value no longer has an effect because of a new lock",
      { user: guard({ most: 2 }) },
      "managed",
      "locked",
      '["guard"]',
      'managed/config.json:2:3: locked = ["guard"] (was not set)\nnote: user/config.json:1:20 (user): hooks.guard.most 2 no longer has an effect: managed/config.json locks the hook',
    ],
    [
      "that a value takes effect without the lock",
      { managed: { locked: true }, user: guard({ most: 2 }) },
      "managed",
      "locked",
      undefined,
      "managed/config.json:1:2: locked is no longer set (was true)\nnote: user/config.json:1:20 (user): hooks.guard.most 2 now takes effect",
    ],
    [
      "another file's value that now takes effect",
      { project: guard({ most: 1 }), user: guard({ most: 2 }) },
      "project",
      "hooks.guard.most",
      undefined,
      "project/.bridge-hooks.json:1:20: hooks.guard.most is no longer set (was 1)\nin force: 2, from user/config.json:1:20 (user)\nnote: user/config.json:1:20 (user): hooks.guard.most 2 now takes effect",
    ],
    [
      "that the default of a setting now takes effect",
      { user: guard({ most: 2 }) },
      "user",
      "hooks.guard.most",
      undefined,
      "user/config.json:1:20: hooks.guard.most is no longer set (was 2)\nin force: 3, the default",
    ],
    [
      "that the default of a rule now takes effect",
      { user: { rules: { "git/push": { action: "ask" } } } },
      "user",
      "rules.git/push",
      undefined,
      'user/config.json:1:11: rules.git/push is no longer set (was {"action":"ask"})\nin force: deny, the default',
    ],
    [
      "that a project's value takes effect because of new trust",
      { project: guard({ allow: ["x"] }) },
      "user",
      "trusted",
      '["**"]',
      'user/config.json:2:3: trusted = ["**"] (was not set)\nnote: project/.bridge-hooks.json:1:20 (project): hooks.guard.allow ["x"] now takes effect',
    ],
    [
      "that an exception no longer has an effect",
      { user: { exceptions: [{ rule: "git/push", reason: "r" }] } },
      "managed",
      "rules.git/push.action",
      "deny",
      'managed/config.json:4:7: rules.git/push.action = "deny" (was not set)\nto undo: bridge-hooks config unset --scope managed rules.git/push.action\nnote: user/config.json:1:16 (user): an exception to git/push no longer has an effect: managed/config.json sets the rule',
    ],
    [
      "the key $schema, which editors read",
      {},
      "user",
      "$schema",
      "./x.json",
      'user/config.json:2:3: $schema = "./x.json" (was not set)',
    ],
  ];
  for (const [name, documents, scope, key, value, said] of CASES)
    test(name, async () => expect((await change(documents, scope, key, value)).said).toBe(said));
});

const NOTHING = (scope: ConfigScope) =>
  `${scope === "project" ? "project/.bridge-hooks.json" : `${scope}/config.json`} (${scope}) was not changed: `;

describe("config set and unset", () => {
  const CASES: [
    name: string,
    documents: Documents,
    scope: ConfigScope,
    key: string,
    value: string | undefined,
    said: string | RegExp,
  ][] = [
    [
      "a value that the hook rejects",
      {},
      "user",
      "hooks.guard.most",
      "many",
      `${NOTHING("user")}hooks.guard.most: must be a number, not "many"`,
    ],
    [
      "an unknown setting",
      {},
      "user",
      "hooks.guard.mots",
      "4",
      `${NOTHING("user")}hooks.guard.mots: unknown setting "mots"; did you mean most?`,
    ],
    [
      "an unknown hook",
      {},
      "user",
      "hooks.gaurd.most",
      "4",
      `${NOTHING("user")}hooks.gaurd: no hook is named "gaurd"; did you mean guard?`,
    ],
    [
      "an unknown rule",
      {},
      "user",
      "rules.git/psh.action",
      "ask",
      `${NOTHING("user")}rules.git/psh: no rule has this id; did you mean git/push?`,
    ],
    [
      "a new rule that is incomplete",
      {},
      "user",
      "rules.acme/x.program",
      "x",
      `${NOTHING("user")}rules.acme/x: reason is missing`,
    ],
    [
      "the removal of a field that a rule needs",
      { user: { rules: { "acme/x": { program: "x", reason: "r" } } } },
      "user",
      "rules.acme/x.reason",
      undefined,
      `${NOTHING("user")}rules.acme/x: reason is missing`,
    ],
    [
      "a rule that config files can't set",
      {},
      "managed",
      "rules.hooks/off.enabled",
      "false",
      `${NOTHING("managed")}rules.hooks/off: config files can't change a rule of the hook fixed`,
    ],
    [
      "a locked hook",
      { managed: { locked: ["guard"] } },
      "user",
      "hooks.guard.most",
      "4",
      `${NOTHING("user")}hooks.guard.most: ignored: managed/config.json locks the hook`,
    ],
    [
      "a locked setting",
      { managed: { locked: ["guard/most"] } },
      "user",
      "hooks.guard.most",
      "4",
      `${NOTHING("user")}hooks.guard.most: ignored: managed/config.json locks this setting`,
    ],
    [
      "a locked rule",
      { managed: { locked: ["rules/git/*"] } },
      "user",
      "rules.git/push.action",
      "ask",
      `${NOTHING("user")}rules.git/push.action: ignored: managed/config.json locks this rule`,
    ],
    [
      "a rule that the managed file sets more strictly",
      { managed: { rules: { "git/push": { action: "deny" } } } },
      "user",
      "rules.git/push.enabled",
      "false",
      `${NOTHING("user")}rules.git/push.enabled: ignored: managed/config.json sets the action to deny, and your file can only make it stricter`,
    ],
    [
      "a setting that needs trust, in an untrusted project",
      {},
      "project",
      "hooks.guard.allow",
      '["x"]',
      /^\S+ \(project\) was not changed: hooks\.guard\.allow: ignored: this project is not trusted; to trust it, run \S+ config set trusted\.\+ \S+$/,
    ],
    [
      "a rule in an untrusted project",
      {},
      "project",
      "rules.git/pull.action",
      "deny",
      /^\S+ \(project\) was not changed: rules: ignored: this project is not trusted; to trust it, run /,
    ],
    [
      "a rule that a project's file loosens",
      { user: { trusted: ["**"] } },
      "project",
      "rules.git/push.action",
      "ask",
      `${NOTHING("project")}rules.git/push.action: ignored: a project's file can only make a rule stricter`,
    ],
    [
      "an exception in a project's file",
      {},
      "project",
      "exceptions",
      '[{"rule":"git/push","reason":"r"}]',
      `${NOTHING("project")}exceptions: ignored in a project's file`,
    ],
    [
      "a lock in a project's file",
      {},
      "project",
      "locked",
      "true",
      `${NOTHING("project")}locked: ignored in a project's file`,
    ],
    [
      "a lock that matches nothing",
      {},
      "user",
      "locked",
      '["gaurd"]',
      `${NOTHING("user")}locked.0: no hook is named "gaurd"; did you mean guard?`,
    ],
    [
      "trust that is not a list",
      {},
      "user",
      "trusted",
      "x",
      `${NOTHING("user")}trusted: must be a list of directories`,
    ],
    [
      "an expired exception",
      {},
      "user",
      "exceptions",
      '[{"rule":"git/push","reason":"r","until":"2020-01-01"}]',
      `${NOTHING("user")}exceptions.0.until: this exception ended on 2020-01-01`,
    ],
    [
      "an unknown version",
      {},
      "user",
      "version",
      "2",
      `${NOTHING("user")}version: version 2 is not supported (this executable supports 1)`,
    ],
    [
      "the removal of a key that is not set",
      { user: {} },
      "user",
      "hooks.guard.most",
      undefined,
      "hooks.guard.most is not set in user/config.json (user); to see where it is set: bridge-hooks config show --origin",
    ],
    [
      "an unknown key",
      {},
      "user",
      "hoks.guard.most",
      "4",
      'unknown key "hoks.guard.most"; did you mean hooks.guard.most?',
    ],
    [
      'a setting without "hooks."',
      {},
      "user",
      "guard.most",
      "4",
      'unknown key "guard.most"; did you mean hooks.guard.most?',
    ],
    [
      "a setting in the notation of locks",
      {},
      "user",
      "guard/most",
      "4",
      'unknown key "guard/most"; did you mean hooks.guard.most?',
    ],
    [
      'a rule without "rules."',
      {},
      "user",
      "git/push",
      "ask",
      'unknown key "git/push"; did you mean rules.git/push.action?',
    ],
    [
      "a key with an empty segment",
      {},
      "user",
      "hooks..most",
      "4",
      '"hooks..most" is not a valid key: a part between dots is empty',
    ],
    [
      "an index beyond the end of a list",
      { user: LIST_OF_ONE },
      "user",
      "hooks.guard.allow.5",
      "x",
      "hooks.guard.allow has 1 items; use hooks.guard.allow.0 to hooks.guard.allow.1",
    ],
    [
      "a key inside a number",
      { user: guard({ most: 4 }) },
      "user",
      "hooks.guard.most.x",
      "x",
      "user/config.json (user) was not changed: hooks.guard.most is 4, which has no items or fields",
    ],
    [
      "a list that is not JSON",
      {},
      "user",
      "hooks.guard.allow",
      "[a]",
      /^\[a\] is not valid JSON \(.*\); quote it for the shell: '\["a", "b"\]'$/,
    ],
    [
      "a file that is not valid JSON",
      { user: "{" },
      "user",
      "hooks.guard.most",
      "4",
      "user/config.json:1:2: not valid JSON (close brace expected); comments are allowed; no changes made",
    ],
    [
      "a file with a duplicate key",
      { user: '{ "hooks": { "guard": { "most": 1, "most": 2 } } }' },
      "user",
      "hooks.guard.most",
      "4",
      `${NOTHING("user")}it has a duplicate key; to find it: bridge-hooks config check user/config.json`,
    ],
  ];
  for (const [name, documents, scope, key, value, said] of CASES)
    test(`write nothing for ${name}`, async () => {
      const outcome = await change(documents, scope, key, value);
      expect(outcome).toEqual({ said: typeof said === "string" ? said : expect.stringMatching(said) });
    });
  test("write a valid value even if the file has errors elsewhere", async () => {
    const user = { hooks: { gaurd: {} }, locked: ["nothing"], rules: { "acme/x": {} } };
    expect((await change({ user }, "user", "hooks.guard.most", "4")).text).toBeDefined();
  });
});
