import { describe, expect, test } from "bun:test";
import type { Command } from "bridge-hooks";
import { findSecretInCode } from "../../../hooks/_secrets/code.ts";
import { expectLinear, repeatToSize } from "../../attack/growth.ts";
import { pickRepresentatives } from "../../support/fuzz.ts";
import { measureRawCpuTime } from "../../support/machine.ts";
import { splitRows } from "./project.ts";

const isSecret = (name: string) => /(?:KEY|TOKEN|PASSWORD)$/.test(name);
const toCommand = (program: string, args: string[]): Command => ({
  ...{ program, args, words: [], env: {}, dynamic: {}, via: [], redirects: [], patched: [] },
});
const findIn = (program: string, code: string) => findSecretInCode(toCommand(program, ["-e", code]), isSecret);

/** Splits rows of the form `program code`, in which `<nl>` in the code stands for a newline. */
const splitCases = (rows: string): [program: string, code: string][] =>
  splitRows(rows).map((row) => {
    const at = row.indexOf(" ");
    return [row.slice(0, at), row.slice(at + 1).replaceAll("<nl>", "\n")];
  });

const SHOWN = splitCases(String.raw`
node const {env: e}=process; console.log(e.API_KEY)
node console.log(require("process").env)
node const {env}=process;console.log(env)
node console.log(process.env["API_"+"KEY"])
python3 import os; k="API_KEY"; print(os.environ[k])
python3 import os<nl>for k in os.environ:<nl>    print(f"{k}={os.environ[k]}")
python3 print("\n".join(k + "=" + v for k, v in os.environ.items() if "KEY" in k))
python3 print({k: v for k, v in os.environ.items()})
python3 print("%s" % os.environ["API_KEY"])
python3 print(f"{os.environ['API_KEY']=}")
python3 print("""a " b""", os.environ["API_KEY"])
python3 key = os.environ.get("API_KEY", ""); print(key[:4] + "..." if key else "unset")
python3 h = {"Authorization": os.environ["X_TOKEN"]}; print(h)
python3 a, b = os.environ["A_KEY"], os.environ["B_KEY"]; print(a)
python3 print(*[os.environ[k] for k in ["API_KEY"]])
python3 print(os.environ["API_KEY"]
python3 # don't<nl>print(os.environ["API_KEY"]) # it's
node const o = { url: "u", token: process.env.API_KEY }; console.log(o)
node const o = { url: "u", token: process.env.API_KEY }; console.log(o.token)
node const get = () => process.env.API_KEY; console.log(get())
node Object.values(process.env).forEach(v => console.log(v))
node Object.entries(process.env).forEach(console.log)
node for (const v of Object.values(process.env)) console.log(v)
node /["']/.test(x); console.log(process.env.API_KEY)
node const { API_KEY, ...rest } = process.env; console.log(rest)
node const x: string = process.env.API_KEY; console.log(x)
node const a = process.env.API_KEY, b = a; console.log(b)
node console.log([process.env.API_KEY].join(","))
node console.log(${"`"}a ${"$"}{${"`"}b ${"$"}{process.env.API_KEY}${"`"}}${"`"})
ruby ENV.each_pair do |k, v| puts "#{k} #{v}" end
ruby ENV.to_a.each { |e| p e }
ruby puts "a #{"b #{ENV["API_KEY"]}"}"
perl print "@{[%ENV]}"
perl while (my ($k, $v) = each %ENV) { print "$k $v\n" }
php foreach ($_ENV as $v) { echo $v; }
php echo getenv("API_KEY") ?: "none";
php echo "a {$_ENV['API_KEY']}";
awk BEGIN { k = ENVIRON["API_KEY"]; printf "%s", k }
jq env<nl>| .API_KEY
jq "\(env.API_KEY)"
lua print(os.getenv("API_KEY"))
`);

const HIDDEN = splitCases(String.raw`
node const {env}=process;console.log(env.NODE_ENV)
node console.log(process.env["NODE_"+"ENV"])
python3 import os; k="NAME"; print(os.environ[k])
python3 import os<nl>for k in sorted(os.environ):<nl>    print(k)
python3 print([k for k, v in os.environ.items() if v])
python3 print({k: "***" for k in os.environ})
python3 if os.environ.get("API_KEY"):<nl>    print("set")
python3 print(bool(os.environ.get("API_KEY")), os.environ.get("HOME"))
python3 key = os.environ.get("API_KEY", ""); print("set" if key else "unset", len(key))
python3 h = {"Authorization": os.environ["X_TOKEN"]}; print(h["Accept"])
python3 c = dict(password=os.environ["DB_PASSWORD"], host="h"); print(c["host"])
python3 def main():<nl>    """Prints os.environ, doesn't it."""<nl>    print("x")
python3 def main():<nl>    key = os.environ["API_KEY"]<nl>    r = get(u, key)<nl>    print(r.json())
python3 env = {**os.environ, "X": "1"}; print(subprocess.check_output(["ls"], env=env))
python3 # print(os.environ["API_KEY"])
python3 env = environ.Env(); print(env("DEBUG"))
node const o = { url: "u", token: process.env.API_KEY }; console.log(o.url)
node const get = async () => { const t = process.env.API_KEY; return fetch(u, { t }) }; get().then(console.log)
node if (process.env.API_KEY) { console.log("yes") } else { console.log("no") }
node console.log("API_KEY" in process.env)
node console.log(Object.entries(process.env).map(([k, v]) => k + v.length))
node for (const [k] of Object.entries(process.env)) console.log(k)
node const { HOME, ...rest } = process.env; console.log(HOME)
node console.log("process.env.API_KEY is needed") // process.env.API_KEY
node process.env.API_KEY = "x"; console.log(1)
ruby ENV.each { |k, v| puts k }
ruby puts ENV["API_KEY"].nil?
ruby puts 'a #{ENV["API_KEY"]}'
perl for my $k (sort keys %ENV) { print "$k\n" }
perl my $k = $ENV{API_KEY} or die "no key"; print length $k
php foreach ($_ENV as $k => $v) { echo $k; }
php echo isset($_ENV['API_KEY']) ? 1 : 0;
awk BEGIN { if (ENVIRON["API_KEY"] != "") print "set" }
jq env | .HOME
jq .[] | select(.name == env.API_KEY)
jq .env.API_KEY
jq .[$env]
`);

describe("findSecretInCode", () => {
  for (const [program, code] of SHOWN)
    test(`finds the secret that ${program} prints: ${code}`, () =>
      expect(findIn(program, code)).toEndWith(` in ${program}`));
  for (const [program, code] of HIDDEN)
    test(`finds nothing in ${program}: ${code}`, () => expect(findIn(program, code)).toBeUndefined());
  test("finds nothing in a variable passed to jq", () => {
    const args = ["--arg", "env", "prod", ".[$env]"];
    expect(findSecretInCode(toCommand("jq", args), isSecret)).toBeUndefined();
  });
});

/** Strings that open brackets, strings, comments, names or statements but don't close them. */
const PIECES = [
  ...'( [ { ) ` " \' /* // # x( \\" `${ "#{ f"{ "$a{ "\\( \'\'\''.split(" "),
  ..."x=ENV[ a=b; ENV; {a}=ENV; ENV.map( for_v_in_ENV, ENV: a, ENV. print_ENV ENV|".split(" "),
  "'\"`",
  '"\n',
  "{a,b}=process.env;",
];
const PROGRAMS = ["node", "python3", "ruby", "perl", "php", "jq", "awk"];
const repeatPiece = (piece: string, size: number) => `ENV ${repeatToSize(piece.replaceAll("_", " "), size)}`;

const SMALL = 60_000;
const MILLION = 1_000_000;
/** Expects time to grow linearly with size. With quadratic growth, the factor would be 277. */
async function expectLinearToMillion(piece: string): Promise<void> {
  for (const program of PROGRAMS) {
    const measure = (size: number) => measureRawCpuTime(() => findIn(program, repeatPiece(piece, size)));
    const large = await measure(MILLION);
    if (large >= 1_000) expect([program, large < 60 * (await measure(SMALL))]).toEqual([program, true]);
  }
}
/** All programs share one limit, so that even slight quadratic growth in one of them shows. */
const expectLinearAtOnce = (piece: string) =>
  expectLinear((size) => PROGRAMS.forEach((program) => findIn(program, repeatPiece(piece, size))));

describe("findSecretInCode takes time proportional to", () => {
  const rows = PIECES.flatMap((piece) => [
    { piece, size: "60,000", check: expectLinearAtOnce },
    { piece, size: "a million", check: expectLinearToMillion },
  ]);
  for (const { piece, size, check } of pickRepresentatives(rows, (row) => row.piece))
    test(`${size} characters of ${JSON.stringify(piece)}, never closed`, () => check(piece));
});
