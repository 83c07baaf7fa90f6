/** Words found in secret names, text that precedes passwords in URLs or SQL, and delimiters of lists and elements. */
const HINTS =
  /pass|pwd|pw\b|psk|secret|token|auth|cookie|credential|bearer|key|session|(?:\b|_)(?:s(?:id|ig|as)|pat|pin)\b|signature|otp|\$\( {0,4}(?:echo|print)|` {0,4}(?:echo|print)|login|community|identified|:\/\/[^\s]{0,200}@|:\d{2,5}:|:\*:|\/bot\d/i;
/** Programs with options that take a secret. */
const PROGRAMS =
  /mysql|maria|mycli|docker|podman|nerdctl|buildah|skopeo|helm|oras|crane|regctl|\b(?:az|acr|oc|ab|hey|net|bw|gh|glab|su|zip|unzip|7z\w?|7zz|rar|unrar)\b|twine|heroku|curl|http|\bxhs?\b|-cli\b|mongo|ldap|smb|rpcclient|mosquitto|sqlcmd|\bbcp\b|[ot]sql|\bisql|ipmitool|htpasswd|openssl|vault|\bbao\b|cargo|snyk|ngrok|plink|pscp|psftp|putty|klink|freerdp|psexec|winrs|rdesktop|ncftp|cqlsh|signtool|certutil|lftp|sqlplus|[ei][xm]pdp|sqlldr|rman|sqlcl|schtasks|cmdkey|snmp|security|ssh|rclone|ansible|nuget|dotnet|vercel|securestring|sudo|doas|cryptsetup|kinit|gpg|wrangler|\b(?:aws|fly|flyctl|ntl|kubectl|gcloud)\b|doppler|pulumi|supabase|netlify|railway/i;

/**
 * Returns whether the text contains a word, URL or program name that often accompanies secrets, regardless of their
 * format.
 */
export const hasSecretHint = (text: string): boolean => HINTS.test(text) || PROGRAMS.test(text);
