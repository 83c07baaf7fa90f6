/** Names of environment variables that hold secrets. */
export const SECRET_NAME =
  /(?:SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|APIKEY|PRIVATE_KEY)(?:_|$)|_(?:PASS|PAT|PW|PWD|AUTH)$|(?<!PUBLIC|PRIMARY|CACHE|FOREIGN|SORT|PARTITION|HOST)_KEY(?:_|$)|^(?:DATABASE|REDIS|MONGO(?:DB)?|POSTGRES|AMQP|BROKER)_UR[IL]$/;

/** Programs that print the whole environment if they have no arguments or only these options. */
export const ENVIRONMENT_DUMPS: Readonly<Record<string, RegExp>> = {
  env: /^(?:-[0v]*(?:u.*)?$|--(?:null|debug)?$|--(?:unset|(?:block|default|ignore)-signal)(?:=|$)|\w+=|(?:print)?env$)/,
  printenv: /^(?:-0|--null)$/,
  set: /^$/,
  export: /^-p$/,
  declare: /^-[px]+$/,
  typeset: /^-[px]+$/,
  readonly: /^-p$/,
};

/** Options that take a value, either attached or as the next word. */
export const DUMP_VALUES = /^-[0v]*u$|^--unset$/;

/** A lowercase substring of most code that reads the environment. */
export const ENVIRONMENT_SUBSTRING = "env";
/** Lowercase substrings of code that reads the environment under another name. */
export const OTHER_ENVIRONMENT_SUBSTRINGS = ["$_server", "$globals", "phpinfo", "(process)", "getreport"];

/** Code or options that make other programs print the environment. */
export const ENVIRONMENT_REQUESTS: Readonly<Record<string, RegExp>> = {
  php: /^(?:-i|--info)$/,
  gdb: /^\s*show\s+env/,
  lldb: /^\s*settings\s+show\s+target\.env/,
  emacs: /\bprocess-environment\b/,
  tclsh: /\bparray\s+(?:::)?env\b/,
};
/** Lowercase substrings of code that prints the environment. */
export const REQUEST_SUBSTRINGS = ["show env", "target.env", "process-environment", "parray"];

/** The first argument that makes `ps` print process environments. */
export const PS_ENVIRONMENT = /^(?=[a-z]*e)[a-z]*$/;
