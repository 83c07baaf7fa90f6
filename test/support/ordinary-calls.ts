type OrdinaryCall = readonly [tool_name: string, input: Readonly<Record<string, unknown>>];

/** Builds calls to one tool, each with its own input. */
const buildCalls = (tool_name: string, ...inputs: OrdinaryCall[1][]): OrdinaryCall[] =>
  inputs.map((input) => [tool_name, input]);
/** Builds calls to one tool that differ in a single field. */
const buildCallsByField = (
  tool_name: string,
  field: string,
  values: readonly unknown[],
  more: OrdinaryCall[1] = {},
): OrdinaryCall[] => values.map((value) => [tool_name, { ...more, [field]: value }]);

/** JavaScript for web pages. */
const PAGE = [
  "document.querySelector('#login').click()",
  "document.addEventListener('keydown', (e) => { if (e.key === 'Enter') submit(e.key); });",
  "return document.title",
  "const rows = [...document.querySelectorAll('tr')].map((row) => row.innerText);\nreturn rows;",
  "window.scrollTo(0, document.body.scrollHeight)",
  "() => { const el = document.querySelector('input'); el.value = 'x'; return el.value; }",
  "async () => { await new Promise((r) => setTimeout(r, 500)); return location.href; }",
  "(() => { return localStorage.getItem('theme'); })()",
  "(async () => (await fetch('/api/config.json')).json())()",
  "// find every link\nconst links = Array.from(document.links);\nreturn links.map((a) => a.href).filter((h) => h.includes('.pem'));",
  "let total = 0;\nfor (const price of document.querySelectorAll('.price')) { total += Number(price.textContent); }\ntotal",
  "document.body.innerText.includes('rm -rf /') ? 'warned' : 'clean'",
  "Object.keys(localStorage).filter((key) => key.startsWith('auth.key'))",
  "var config = window.__CONFIG__; JSON.stringify(config.key)",
  "function find(text) {\n  return [...document.querySelectorAll('button')].find((b) => b.textContent === text);\n}\nfind('Save')?.click();",
  "document.cookie.split('; ').map((pair) => pair.split('=')[0])",
  "$('#menu').toggle()",
  "return performance.getEntriesByType('resource').map(({ name }) => name)",
  "if (document.readyState === 'complete') { window.ready = true }",
  "element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Tab' }))",
];

/** Python code for notebooks, sandboxes and programs that embed Python. */
const PYTHON = [
  "import pandas as pd\ndf = pd.read_csv('sales.csv')\nprint(df.head())",
  "from pathlib import Path\nprint(sorted(Path('.').glob('*.py')))",
  "import bpy\nbpy.ops.mesh.primitive_cube_add(size=2)",
  "x = [1, 2, 3]\nprint(sum(x))",
  "def area(r):\n    return 3.14 * r * r\narea(2)",
  "for obj in bpy.data.objects:\n    print(obj.name, obj.key)",
  "# plot\nimport matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()",
  "with open('data.json') as f:\n    data = json.load(f)",
  "print('hello')",
  "df.groupby('key').size()",
];

/** Database statements. */
const SQL = [
  "SELECT * FROM users LIMIT 10",
  "select count(*) from events where type = 'login'",
  "INSERT INTO notes (title) VALUES ('x')",
  "UPDATE users SET name = 'a' WHERE id = 1",
  "CREATE TABLE IF NOT EXISTS t (id INT PRIMARY KEY)",
  "EXPLAIN ANALYZE SELECT * FROM orders",
  "WITH recent AS (SELECT * FROM orders) SELECT * FROM recent",
  "PRAGMA table_info(users)",
  "DELETE FROM sessions WHERE expires < now()",
  "MATCH (n:Person) RETURN n LIMIT 5",
];

/** Shell commands that users run without a second thought. */
const SHELL = [
  "npm test",
  "ls -la",
  "git status --short && git diff --stat",
  "cat package.json | jq .scripts",
  "python3 -m pytest -q",
  "grep -rn TODO src | head",
  "docker ps -a",
  "kubectl get pods -n web",
  "rm -rf dist && npm run build",
  "find . -name '*.ts' -newer tsconfig.json",
  "curl -s http://localhost:3000/health",
  "echo done",
  "mkdir -p build/out && cd build/out && cmake ../..",
  "Get-ChildItem -Recurse -Filter *.cs | Select-Object Name",
  "tail -n 50 logs/app.log",
];

/** MCP calls of the kind agents make, modeled on public servers. None of them should be denied. */
export const ORDINARY_CALLS: readonly OrdinaryCall[] = [
  ...buildCallsByField("mcp__puppeteer__puppeteer_evaluate", "script", PAGE),
  ...buildCallsByField("mcp__browser__execute_script", "script", PAGE),
  ...buildCallsByField("mcp__chrome-devtools__evaluate_script", "function", PAGE),
  ...buildCallsByField("mcp__playwright__browser_run_code", "code", PAGE),
  ...buildCallsByField("mcp__selenium__run_script", "script", PAGE, { session: "1" }),
  ...buildCallsByField("mcp__blender__execute_blender_code", "code", PYTHON),
  ...buildCallsByField("mcp__jupyter__execute_code", "code", PYTHON, { kernel: "python3" }),
  ...buildCallsByField("mcp__sandbox__run_code", "code", PYTHON, { language: "python" }),
  ...buildCallsByField("mcp__unreal__execute_python", "script", PYTHON),
  ...buildCallsByField(
    "mcp__desktop-commander__interact_with_process",
    "input",
    [...PYTHON, ...SQL, "y", "exit", "n\n", "1"],
    {
      pid: 4242,
    },
  ),
  ...buildCallsByField("mcp__postgres__query", "sql", SQL),
  ...buildCallsByField("mcp__sqlite__execute", "command", SQL),
  ...buildCallsByField("mcp__db__run_command", "command", SQL),
  ...buildCallsByField("mcp__db__run_script", "script", SQL),
  ...buildCallsByField("mcp__desktop-commander__start_process", "command", SHELL, { timeout_ms: 10_000 }),
  ...buildCallsByField("mcp__iterm__write_to_terminal", "command", SHELL),
  ...buildCallsByField("mcp__ssh__exec", "cmd", SHELL, { host: "build-1" }),
  ...buildCallsByField("mcp__shell__run_script", "script", [
    SHELL.join("\n"),
    `#!/usr/bin/env bash\nset -euo pipefail\n${SHELL.join("\n")}`,
  ]),
  ...buildCallsByField("mcp__redis__execute_command", "command", [
    "DEL session:1",
    "GET key",
    "SET a b",
    "KEYS user:*",
    "HGETALL config.key",
    "INFO",
    "PING",
    "EXPIRE a 60",
    "LRANGE jobs 0 -1",
  ]),
  ...buildCalls(
    "mcp__redis__redis_command",
    { command: "SET", args: ["key", "value"] },
    { command: "DEL", args: ["a", "b"] },
    { command: "EVAL", args: ["return redis.call('GET', KEYS[1])", "1", "a"] },
  ),
  ...buildCallsByField("mcp__redis__eval", "script", [
    "return redis.call('GET', KEYS[1])",
    "local v = redis.call('GET', KEYS[1])\nreturn v",
  ]),
  ...buildCallsByField("mcp__mongo__run_command", "command", [
    "db.users.find({ age: { $gt: 3 } })",
    "db.stats()",
    "show collections",
  ]),
  ...buildCalls(
    "mcp__mongo__run-command",
    { command: { ping: 1 } },
    { command: { find: "users", filter: { key: 1 } }, database: "shop" },
    { command: { dropIndexes: "users", index: "a" } },
  ),
  ...buildCallsByField("mcp__editor__str_replace_based_edit_tool", "command", ["view", "create", "insert"], {
    path: "src/a.ts",
    file_text: "x",
  }),
  ...buildCallsByField("mcp__memory__memory", "command", ["view", "create", "delete"], {
    path: "/memories/notes.md",
    file_text: "x",
  }),
  ...buildCallsByField("mcp__docs__document", "command", ["export", "set", "env", "print", "declare", "reboot"], {
    format: "pdf",
  }),
  ...buildCallsByField("mcp__player__control", "cmd", ["start", "stop", "pause", "next", "halt"]),
  ...buildCallsByField("mcp__drone__fly", "command", ["takeoff", "land", "set speed 3", "up 20"]),
  ...buildCallsByField("mcp__home__assist", "command", [
    "turn on the kitchen lights",
    "set the thermostat to 20",
    "kill the lights in the hall",
  ]),
  ...buildCallsByField("mcp__minecraft__rcon", "command", [
    "list",
    "say hello",
    "kill @e[type=zombie]",
    "/give @p stone",
    "time set day",
  ]),
  ...buildCallsByField("mcp__gdb__gdb_command", "command", [
    "bt",
    "info locals",
    "print $rax",
    "x/10x $rsp",
    "break main",
    "set var x = 1",
    "run",
  ]),
  ...buildCallsByField("mcp__nvim__vim_command", "command", [
    ":w",
    ":%s/foo/bar/g",
    ":e src/main.ts",
    "normal ggVG",
    ":set number",
  ]),
  ...buildCallsByField("mcp__mac__applescript", "script", [
    'tell application "Finder" to get name of every window',
    'tell application "Mail"\n  count messages of inbox\nend tell',
    'display notification "Done" with title "Build"',
    "set x to 5\nreturn x",
  ]),
  ...buildCallsByField("mcp__figma__execute", "script", [
    "figma.currentPage.selection[0].fills",
    "const node = figma.createFrame();\nnode.name = 'A';",
  ]),
  ...buildCallsByField("mcp__photoshop__run_script", "script", [
    "var doc = app.activeDocument;\ndoc.artLayers.add();",
    "app.documents.length",
  ]),
  ...buildCallsByField("mcp__roblox__run_code", "command", [
    "local part = Instance.new('Part')\npart.Parent = workspace",
    "print(game.Workspace:GetChildren())",
    "for _, p in pairs(game.Players:GetPlayers()) do print(p.Name) end",
  ]),
  ...buildCallsByField("mcp__r__execute_r", "script", [
    "x <- c(1, 2, 3)\nmean(x)",
    "library(ggplot2)\nsummary(mtcars)",
  ]),
  ...buildCallsByField("mcp__kubernetes__kubectl", "command", [
    "get pods",
    "describe node a",
    "logs web-1 --tail 20",
    "apply -f deploy.yaml",
  ]),
  ...buildCallsByField(
    "mcp__k8s__pods_exec",
    "command",
    [
      ["ls", "/tmp"],
      ["cat", "/etc/hostname"],
      ["sh", "-c", "ps | head"],
    ],
    { name: "web-1" },
  ),
  ...buildCallsByField(
    "mcp__docker__run_container",
    "command",
    ["npm start", ["python", "-m", "http.server"], "sleep infinity"],
    {
      image: "node:22",
    },
  ),
  ...buildCallsByField("mcp__git__git", "command", ["status", "log --oneline -5", "diff HEAD~1", "commit -m 'fix: x'"]),
  ...buildCallsByField("mcp__aws__call_aws", "cli_command", [
    "aws s3 ls",
    "aws ec2 describe-instances --region eu-west-1",
    "aws sts get-caller-identity",
  ]),
  ...buildCalls(
    "mcp__config__write",
    {
      mcpServers: {
        a: { command: "npx", args: ["-y", "some-server"] },
        b: { command: "uvx", args: ["other-server"], env: { A: "b" } },
      },
    },
    { services: { web: { image: "nginx", command: ["nginx", "-g", "daemon off;"] }, db: { image: "postgres" } } },
    { tasks: [{ label: "build", command: "npm run build" }] },
  ),
  ...buildCalls(
    "mcp__notion__append_blocks",
    {
      blocks: [
        { type: "code", code: { language: "bash", rich_text: [{ text: { content: "rm -rf / # never do this" } }] } },
      ],
    },
    { blocks: [{ type: "code", language: "bash", code: "cat .env" }] },
  ),
  ...buildCalls(
    "mcp__carbon__make_image",
    { code: "echo $API_TOKEN", language: "bash" },
    { code: "env | sort", language: "shell" },
  ),
  ...buildCalls(
    "mcp__slack__post_message",
    { channel: "dev", text: "please don't run rm -rf / on prod" },
    { channel: "dev", text: "cat .env" },
  ),
  ...buildCalls("mcp__github__create_issue", { title: "x", body: "Run `rm -rf /` and see", labels: ["bug"] }),
  ...buildCalls("mcp__github__search_code", { query: "rm -rf / language:shell" }),
  ...buildCalls("mcp__docs__search", { query: "how does printenv work", input: "cat .bashrc" }),
  ...buildCalls("mcp__thinking__sequentialthinking", { thought: "I should not run rm -rf /", nextThoughtNeeded: true }),
  ...buildCalls("mcp__computer__type_text", { text: "git commit -m 'x'" }, { text: "Hello, world!" }),
  ...buildCalls(
    "mcp__browser__browser_type",
    { element: "search", text: "cat .env" },
    { element: "name", text: "it's me" },
  ),
  ...buildCalls("mcp__images__process", { input: "a.png", text: "x" }, { data: "aGVsbG8=", keys: ["a", "b"] }),
  ...buildCalls("mcp__payments__process_payment", { data: "reboot", input: "order 5" }),
  ...buildCalls("mcp__i18n__set_strings", { data: { keys: ["a.title", "b.title"] }, input: "de" }),
  ...buildCalls(
    "mcp__tmux__send_keys",
    { pane: "1", keys: ["C-c"] },
    { pane: "1", keys: "Enter" },
    { keys: ["i", "it's text", "Escape", ":wq", "Enter"] },
  ),
];
