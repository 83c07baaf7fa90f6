/** Describes which of a program's arguments can contain secrets. */
export interface SecretOptions {
  /** The options count only after one of these words. */
  after?: readonly string[];
  /** Options that take their value from the next word or after `=`. */
  options?: readonly string[];
  /** Options that take their value in the same word: `-pSECRET`. */
  attached?: readonly string[];
  /** Options with a value such as `user:password`. `between` is the separator. */
  pairs?: readonly string[];
  between?: string;
  /** The options count only if one of these words occurs after the program name. */
  with?: readonly string[];
  /** Short options without a value, which can be bundled with others, as in `-su`. */
  flags?: string;
  /** Whether operands have the format `NAME=SECRET`. */
  assignments?: true;
  /** Index of the operand that is a secret. */
  operandsFrom?: number;
  /** Whether the program reads a secret from stdin. */
  stdin?: boolean;
}

/** Programs and their options. If a program has multiple entries, all of them apply. */
const PROGRAMS: readonly (readonly [names: string, places: SecretOptions])[] = [
  [
    "mysql mysqldump mysqladmin mysqlimport mysqlcheck mysqlshow mysqlsh mycli mariadb mariadb-dump mariadb-admin",
    { attached: ["-p"] },
  ],
  ["mysqladmin mariadb-admin", { after: ["password"], operandsFrom: 0 }],
  ["sshpass", { options: ["-p"], attached: ["-p"] }],
  [
    "docker podman nerdctl buildah skopeo helm oras crane regctl az acr oc twine heroku",
    { after: ["login", "upload"], options: ["-p"], attached: ["-p"] },
  ],
  ["docker podman nerdctl buildah helm oras", { after: ["--password-stdin"], stdin: true }],
  ["skopeo podman buildah", { pairs: ["--creds", "--src-creds", "--dest-creds"] }],
  [
    "curl",
    {
      pairs: ["-u", "-U", "-E", "--user", "--proxy-user", "--cert", "--proxy-cert"],
      flags: "#012346BGIJLMNORSZafgijklnpqsv",
    },
  ],
  ["curl http https xh xhs", { pairs: ["-b", "--cookie"], between: "=" }],
  ["http https xh xhs hey", { pairs: ["-a", "--auth"] }],
  ["ab", { pairs: ["-A", "-P"] }],
  ["redis-cli valkey-cli keydb-cli", { options: ["-a"] }],
  ["redis-cli valkey-cli", { after: ["AUTH", "auth", "requirepass", "masterauth"], operandsFrom: 0 }],
  ["mongo mongosh mongodump mongorestore mongoexport mongoimport mongostat", { options: ["-p"], attached: ["-p"] }],
  ["ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami ldappasswd ldapcompare", { options: ["-w"], attached: ["-w"] }],
  ["smbclient rpcclient smbmap smbget net", { pairs: ["-U", "--user"], between: "%" }],
  ["net", { after: ["use", "user"], operandsFrom: 2 }],
  [
    "mosquitto_pub mosquitto_sub mosquitto_rr sqlcmd bcp osql isql tsql ipmitool",
    { options: ["-P"], attached: ["-P"] },
  ],
  [
    "mosquitto_passwd htpasswd",
    { after: ["-b", "-nb", "-bn", "-cb", "-bc", "-bB", "-Bb", "-nbB", "-bnB", "-nBb", "-cbB"], operandsFrom: 2 },
  ],
  ["htpasswd", { after: ["-nb", "-bn", "-nbB", "-bnB", "-nBb"], operandsFrom: 1 }],
  ["7z 7za 7zr 7zz rar unrar", { attached: ["-p", "-hp"] }],
  ["zip unzip", { options: ["-P"], attached: ["-P"] }],
  ["openssl", { options: ["-k", "-K"] }],
  ["openssl mkpasswd", { after: ["passwd", "mkpasswd"], operandsFrom: 0 }],
  ["vault bao", { after: ["login"], operandsFrom: 0 }],
  ["cargo snyk ngrok", { after: ["login", "auth", "authtoken", "add-authtoken"], operandsFrom: 0 }],
  ["plink pscp psftp putty klink", { options: ["-pw"] }],
  ["xfreerdp xfreerdp3 wfreerdp psexec psexec64 winrs", { options: ["/p", "-p"], attached: ["/p:", "-p:"] }],
  ["rdesktop ncftp ncftpget ncftpput cqlsh signtool certutil", { options: ["-p", "/p"] }],
  ["lftp", { pairs: ["-u", "--user"], between: "," }],
  ["sqlplus expdp impdp sqlldr rman sqlcl", { pairs: [""], between: "/" }],
  ["schtasks", { options: ["/rp"] }],
  ["cmdkey", { attached: ["/pass:"] }],
  ["snmpget snmpwalk snmpset snmpbulkwalk", { options: ["-c", "-A", "-X"] }],
  ["security", { options: ["-w", "-p"] }],
  ["ssh-keygen", { options: ["-N", "-P"] }],
  ["wpa_passphrase", { operandsFrom: 1 }],
  ["rclone", { after: ["obscure"], operandsFrom: 0 }],
  ["ansible-vault", { after: ["encrypt_string"], operandsFrom: 0 }],
  ["bw", { after: ["unlock"], operandsFrom: 0 }],
  ["bw", { after: ["login"], operandsFrom: 1 }],
  ["nuget dotnet", { after: ["push"], options: ["-k", "-ApiKey"] }],
  ["gh glab fly flyctl", { after: ["secret", "secrets", "variable"], stdin: true }],
  ["fly flyctl doppler supabase railway", { after: ["secrets"], assignments: true }],
  ["doppler", { after: ["set"], operandsFrom: 1 }],
  ["netlify ntl", { after: ["env:set"], operandsFrom: 1 }],
  ["pulumi", { after: ["set"], with: ["--secret"], operandsFrom: 1 }],
  ["vault bao", { after: ["kv"], assignments: true }],
  ["aws", { with: ["SecureString", "--type=SecureString"], options: ["--value"] }],
  ["az", { after: ["keyvault"], options: ["--value"] }],
  ["kubectl oc", { after: ["secret"], pairs: ["--from-literal"], between: "=", stdin: true }],
  ["docker podman", { after: ["secret"], stdin: true }],
  ["pass gopass", { after: ["insert"], stdin: true }],
  ["gcloud", { after: ["secrets"], stdin: true }],
  ["vercel", { after: ["env"], stdin: true }],
  ["gh glab", { after: ["secret", "variable"], options: ["-b", "--body"] }],
  ["gh", { after: ["--with-token"], stdin: true }],
  ["vercel", { options: ["-t"] }],
  ["convertto-securestring", { operandsFrom: 0, options: ["-String"] }],
  ["sudo doas", { after: ["-S", "-kS", "-Sk"], stdin: true }],
  ["chpasswd passwd smbpasswd cryptsetup kinit su vault gpg wrangler", { stdin: true }],
];

const BY_NAME = new Map<string, SecretOptions[]>();
for (const [names, places] of PROGRAMS)
  for (const name of names.split(" ")) BY_NAME.set(name, [...(BY_NAME.get(name) ?? []), places]);

/**
 * Names of programs with options that take a secret. Text that mentions none of them isn't searched for such options.
 */
export const SECRET_PROGRAMS: readonly string[] = [...BY_NAME.keys()];

/** Returns the places where a program takes secrets, or undefined if the program isn't in the table. */
export const listSecretOptions = (program: string): readonly SecretOptions[] | undefined => BY_NAME.get(program);
