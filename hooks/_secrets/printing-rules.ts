/** Names of variables that hold secrets, as programs are told them by the environment. */
export const SECRET_NAME =
  /(?:SECRET|TOKEN|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|APIKEY|PRIVATE_KEY)(?:_|$)|_(?:PASS|PAT|PW|PWD|AUTH)$|(?<!PUBLIC|PRIMARY|CACHE|FOREIGN|SORT|PARTITION|HOST)_KEY(?:_|$)|^(?:DATABASE|REDIS|MONGO(?:DB)?|POSTGRES|AMQP|BROKER)_UR[IL]$/;

/** Programs that print the whole environment when they are given nothing, or only these options. */
export const ENVIRONMENT_DUMPS: Readonly<Record<string, RegExp>> = {
  env: /^(?:-[0v]*(?:u.*)?$|--(?:null|debug)?$|--(?:unset|(?:block|default|ignore)-signal)(?:=|$)|\w+=|(?:print)?env$)/,
  printenv: /^(?:-0|--null)$/,
  set: /^$/,
  export: /^-p$/,
  declare: /^-[px]+$/,
  typeset: /^-[px]+$/,
  readonly: /^-p$/,
};

/** Options of these programs whose value is the next word, if it is not glued to them. */
export const DUMP_VALUES = /^-[0v]*u$|^--unset$/;

/** In small letters, what stands in most code that reads the environment. */
export const ENVIRONMENT_PIECE = "env";
/** Pieces of code that reads the environment by another name, in lower case. */
export const OTHER_ENVIRONMENT_PIECES = ["$_server", "$globals", "phpinfo", "(process)", "getreport"];

/** The code or the option with which other programs print the environment. */
export const ENVIRONMENT_REQUESTS: Readonly<Record<string, RegExp>> = {
  php: /^(?:-i|--info)$/,
  gdb: /^\s*show\s+env/,
  lldb: /^\s*settings\s+show\s+target\.env/,
  emacs: /\bprocess-environment\b/,
  tclsh: /\bparray\s+(?:::)?env\b/,
};
/** Pieces of that code, in lower case. */
export const REQUEST_PIECES = ["show env", "target.env", "process-environment", "parray"];

/** The first argument of `ps` with which it shows the environment of processes. */
export const PS_ENVIRONMENT = /^(?=[a-z]*e)[a-z]*$/;
