/** A secret in a text. */
export interface Secret {
  /** What it is for: "github-token", "aws-secret-key", "private-key", "database-url", … */
  kind: string;
  /** Where it begins, in UTF-16 units of the text. */
  start: number;
  /** Where it ends: behind its last unit. */
  end: number;
}

/** The longest text that is looked at closely, in UTF-16 units: a quarter of a second for the worst one. */
const MAX_TEXT_LENGTH = 1_000_000;

/**
 * What every secret has in it that the rules know. A text without any of it needs no closer look, and the rules are not even
 * loaded. A test holds this against an example of each rule.
 */
const SECRET_HINT = new RegExp(
  [
    "A(?:KIA|SIA|3T)[A-Z0-9]{16}|SECRET_?ACCESS_?KEY",
    "PRIVATE KEY|Private-Lines:|AGE-SECRET-KEY-1",
    "gh[pousr]_\\w{9}|github_pat_|gl(?:pat|c|sa|rt|dt|ptt|soat|cbt)[-_]",
    "npm_\\w{36}|_auth(?:Token)?\\s{0,3}=|_password\\s{0,3}=|pypi-A|rubygems_[0-9a-f]{9}|dckr_pat_",
    "xox[a-z][-.]|xapp-|slack\\.com/services/|discord(?:app)?\\.com/api/webhooks/|:AA[\\w-]{33}",
    "sk-[\\w-]{40}|gsk_\\w{52}|hf_[a-z]{34}|xai-\\w{80}|pplx-\\w{48}|r8_\\w{37}|AIza[\\w-]{35}|GOCSPX-",
    "AccountKey=|do[opr]_v1_|dapi[0-9a-f]{32}|hv[sbr]\\.[\\w-]{90}|cf(?:k|ut|at)_\\w{48}|tskey-|vc[piark]_\\w{20}",
    "[rs]k_(?:live|test)_|whsec_|shp(?:pa|ca|at|ss)_|SG\\.[\\w.-]{66}",
    "figd_|lin_api_|ntn_\\d{11}|ops_ey|sbp_[0-9a-f]{40}|sb_secret_|PMAK-|ATATT3",
    "://[^\\s/:@]{0,100}:[^\\s/:@]{4,2000}@",
  ].join("|"),
  "i",
);

/** One of these stands, in small letters, in whatever HINT finds; and for the last of it "://" and "@". */
const HINT_WORDS = [
  "akia asia a3t secret private ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ glpat glc glsa glrt gldt glptt glsoat glcbt",
  "npm_ _auth _password pypi-a rubygems_ dckr_pat_ xox xapp- slack.com/services/ api/webhooks/ :aa sk- gsk_ hf_ xai- pplx- r8_ aiza",
  "gocspx- accountkey= _v1_ dapi hvs. hvb. hvr. cfk_ cfut_ cfat_ tskey- vcp_ vci_ vca_ vcr_ vck_ k_live_ k_test_ whsec_ shp sg. figd_",
  "lin_api_ ntn_ ops_ey sbp_ pmak- atatt3",
].join(" ");

/** As long as the words are found in less time than HINT is compiled in, in UTF-16 units. */
const SHORT_TEXT_LENGTH = 10_000;

/** Whether it is worth a closer look: to compile HINT takes longer than to look for all of the words in a line. */
function mayHoldSecret(text: string): boolean {
  if (text.length > SHORT_TEXT_LENGTH) return true;
  const plain = text.toLowerCase();
  for (const word of HINT_WORDS.split(" ")) if (plain.includes(word)) return true;
  return plain.includes("://") && plain.includes("@");
}

/**
 * The secrets in a text: keys, tokens and passwords that can be told by their form. Documented examples and placeholders are
 * none, nor are names of variables (`$TOKEN`) and passwords that only this machine takes (`postgres://app:dev@localhost`).
 * @returns them in order; none overlaps another.
 * @throws Error when a text of more than a million UTF-16 units may hold one: what is in it is not known then.
 */
export async function secrets(text: string): Promise<readonly Secret[]> {
  if (!mayHoldSecret(text) || !SECRET_HINT.test(text)) return [];
  if (text.length > MAX_TEXT_LENGTH)
    throw new Error(
      `secrets are looked for in texts of ${MAX_TEXT_LENGTH} characters at most, and this one has ${text.length}; give it in parts`,
    );
  return (await import("./secret-rules.ts")).findSecrets(text);
}
