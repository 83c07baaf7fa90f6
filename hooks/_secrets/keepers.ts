import type { Command } from "bridge-hooks";

/** Words that follow one another among a command's operands, and an option that it must have, or must not. */
export type Rule = readonly [words: string, option?: RegExp, without?: RegExp];

/** Commands that print what they keep safe otherwise. */
const KEEPERS: Readonly<Record<string, readonly Rule[]>> = {
  gh: [["auth token"], ["auth status", /^(?:-t|--show-token)$/]],
  glab: [["auth status", /^(?:-t|--show-token)$/]],
  gcloud: [
    ["auth print-access-token"],
    ["auth print-identity-token"],
    ["auth application-default print-access-token"],
    ["secrets versions access"],
  ],
  aws: [
    ["configure export-credentials"],
    ["configure get", /secret|token/],
    ["secretsmanager get-secret-value"],
    ["secretsmanager batch-get-secret-value"],
    ["sts get-session-token"],
    ["sts get-federation-token"],
    ["sts assume-role"],
    ["sts assume-role-with-web-identity"],
    ["sso get-role-credentials"],
    ["iam create-access-key"],
    ["ecr get-login-password"],
    ["ecr get-authorization-token"],
    ["codeartifact get-authorization-token"],
    ["rds generate-db-auth-token"],
    ["ssm get-parameter", /^--with-decryption$/],
    ["ssm get-parameters", /^--with-decryption$/],
    ["ssm get-parameters-by-path", /^--with-decryption$/],
  ],
  az: [
    ["account get-access-token"],
    ["keyvault secret show"],
    ["keyvault secret download"],
    ["storage account keys list"],
    ["storage account show-connection-string"],
    ["acr credential show"],
    ["ad sp create-for-rbac"],
    ["ad sp credential reset"],
  ],
  kubectl: [["get secret", /^(?:-o|--output)/], ["get secrets", /^(?:-o|--output)/], ["config view", /^--raw$/], ["create token"]],
  security: [
    ["find-generic-password", /^-\w*[gw]$/],
    ["find-internet-password", /^-\w*[gw]$/],
    ["dump-keychain", /^-\w*d$/],
  ],
  "secret-tool": [["lookup"]],
  // It takes the name of an entry without `show`, too.
  pass: [["", /^[^-]/, /^(?:-c|--clip|ls|list|find|search|grep|insert|add|edit|generate|rm|remove|delete|mv|cp|git|init|help|version)\b/]],
  gopass: [["show", undefined, /^(?:-c|--clip)/], ["cat"]],
  op: [["read"], ["item get", /^--(?:reveal|fields|format)/], ["document get"], ["inject"]],
  vault: [["read"], ["kv get"], ["print token"], ["token create"], ["unwrap"]],
  bw: [["get password"], ["get item"], ["get notes"], ["get totp"], ["list items"], ["export"], ["unlock", /^--raw$/]],
  lpass: [["show"], ["export"]],
  "keepassxc-cli": [["show", /^(?:-s|--show-protected|-a|--attributes)/], ["export"]],
  doppler: [["secrets", undefined, /^(?:set|delete|upload|--only-names)$/]],
  infisical: [["secrets", undefined, /^(?:set|delete)$/], ["export"]],
  heroku: [["config", undefined, /^config:(?:set|unset)/], ["config:get"], ["auth:token"]],
  flyctl: [["auth token"], ["tokens create"]],
  vercel: [["env pull"]],
  netlify: [["env:list"], ["env:get"]],
  railway: [["variables"]],
  firebase: [["login:ci"]],
  git: [["credential fill"], ["credential-osxkeychain get"], ["credential-store get"], ["credential-libsecret get"]],
  gpg: [["", /^--export-secret-(?:sub)?keys?/]],
  sops: [["", /^(?:-d|--decrypt|decrypt)$/]],
  "ansible-vault": [["view"], ["decrypt"]],
  docker: [["inspect", /\.Env\b/]],
  systemctl: [["show-environment"]],
  age: [["", /^(?:-d|--decrypt)$/]],
};
/** Programs by another name. */
const SAME: Readonly<Record<string, string>> = { oc: "kubectl", k: "kubectl", gpg2: "gpg", fly: "flyctl", podman: "docker", rage: "age" };

/** What a keeper is asked for, as a message names it. */
export function kept({ program, args }: Command): string | undefined {
  const name = SAME[program] ?? program;
  const rules = Object.hasOwn(KEEPERS, name) ? (KEEPERS[name] as readonly Rule[]) : [];
  const operands = args.filter((arg) => !arg.startsWith("-"));
  for (const [words, option, without] of rules) {
    const wanted = words === "" ? [] : words.split(" ");
    // A global option's value may stand before them.
    const starts = [0, 1, 2].some((at) => wanted.every((word, index) => operands[at + index] === word));
    if (starts && (!option || args.some((arg) => option.test(arg))) && !(without && args.some((arg) => without.test(arg))))
      return [program, ...wanted].join(" ");
  }
  return undefined;
}
