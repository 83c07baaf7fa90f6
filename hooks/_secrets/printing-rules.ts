/** Names of environment variables that hold secrets. */
export const SECRET_NAME =
  /(?:SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|APIKEY|PRIVATE_KEY)(?:_|$)|_(?:PASS|PAT|PW|PWD|AUTH)$|(?<!PUBLIC|PRIMARY|CACHE|FOREIGN|SORT|PARTITION|HOST)_KEY(?:_|$)|^(?:DATABASE|REDIS|MONGO(?:DB)?|POSTGRES|AMQP|BROKER)_UR[IL]$/;

/**
 * For each program, the arguments that still make it print the whole environment. It also does so with no arguments.
 */
export const DUMP_COMMANDS: Readonly<Record<string, RegExp>> = {
  env: /^(?:-[0v]*(?:u.*)?$|--(?:null|debug)?$|--(?:unset|(?:block|default|ignore)-signal)(?:=|$)|\w+=|(?:print)?env$)/,
  printenv: /^(?:-0|--null)$/,
  set: /^$/,
  export: /^-p$/,
  declare: /^-[px]+$/,
  typeset: /^-[px]+$/,
  readonly: /^-p$/,
};

/** Options in `DUMP_COMMANDS` whose value is the next word. */
export const DUMP_VALUE_OPTION = /^-[0v]*u$|^--unset$/;

/** A lowercase substring that occurs in most code that reads the environment. */
export const ENVIRONMENT_SUBSTRING = "env";
/** Lowercase substrings of code that reads the environment without mentioning "env". */
export const OTHER_ENVIRONMENT_SUBSTRINGS = ["$_server", "$globals", "phpinfo", "(process)", "getreport"];

/** Code and options that make other programs print the environment. */
export const ENVIRONMENT_REQUESTS: Readonly<Record<string, RegExp>> = {
  php: /^(?:-i|--info)$/,
  gdb: /^\s*show\s+env/,
  lldb: /^\s*settings\s+show\s+target\.env/,
  emacs: /\bprocess-environment\b/,
  tclsh: /\bparray\s+(?:::)?env\b/,
};
/** Lowercase substrings of code that prints the environment. */
export const REQUEST_SUBSTRINGS = ["show env", "target.env", "process-environment", "parray"];

/** A first argument that makes `ps` print the environments of processes. */
export const PS_ENVIRONMENT = /^(?=[a-z]*e)[a-z]*$/;
