import type { ProgramRules } from "./pattern.ts";

export const filesystemRules: ProgramRules = {
  "rm|srm|wipe": {
    "-r|-R|--recursive <folder>": "it deletes <folder> with everything in it",
    "<file>": "it deletes <file>",
  },
  "rimraf|del-cli|trash|trash-put": { "<folder>": "it deletes <folder> with everything in it" },
  unlink: { "<file>": "it deletes <file>" },
  find: { "-delete|-exec|-execdir|-ok|-okdir <below>": "it deletes below <below>" },
  mv: {
    "** /dev/null": "what it moves there is gone",
    "<moved>": "it moves <moved> away",
  },
  rsync: {
    "--delete|--delete-before|--delete-during|--delete-after|--delete-excluded|--del <destination>":
      "it deletes in <destination> whatever the source does not have",
  },
  "chmod|chown|chgrp|setfacl": { "-R|--recursive <system>": "it changes every file below <system>" },
  shred: { "<file>": "it overwrites <file>" },
  truncate: { "<file>": "it empties <file>" },
  tee: { "!-a|--append <file>": "it overwrites <file>" },
  cp: { "/dev/null <file>": "it empties <file>" },
  dd: { "of=<file>": "it overwrites <file>" },
};
