import { type Concerns, guardedConcerns } from "bridge-hooks";
import { STARTUP_SUBSTRINGS } from "./_startup-places.ts";
import { TYPING_CONCERNS } from "./_typing-concerns.ts";

/**
 * Programs that can change a guarded file without the command naming it, because they work on its directory or on
 * another program's output. All other programs have to name the file.
 */
const FOLDER_PROGRAMS = [
  ..."rm rmdir unlink shred srm wipe rimraf trash trash-put rmtrash remove-item ri rd del erase rename".split(" "),
  ..."mv move move-item rename-item ren cp ln link ditto copy-item rsync chmod chown chgrp".split(" "),
  // Encoded PowerShell scripts and cmd.exe scripts can hide the file name.
  ..."powershell pwsh cmd".split(" "),
  ..."fd fdfind xargs parallel zip unzip 7z tar bsdtar gtar gnutar cpio wget patch".split(" "),
  ..."bsdunzip unar unrar rar 7za 7zr 7zz 7zzs p7zip pax bsdcpio unp dtrx aunpack ouch unalz patool".split(" "),
  ..."cabextract innoextract msiextract unsquashfs restic mount bindfs sshfs".split(" "),
  ..."docker cp,podman cp,nerdctl cp,kubectl cp,oc cp,rclone copy,rclone sync,gsutil cp,gsutil rsync,s3cmd get,s3cmd sync,svn checkout,svn co,svn export,hg clone,jar *xf*,jar *-x*,jar *xvf*,dpkg *-x*,dpkg-deb,aws *sync*,aws *--recursive*".split(
    ",",
  ),
  ..."python *zipfile*,python *tarfile*,python3 *zipfile*,python3 *tarfile*,install *~*,install *$*".split(","),
  ..."git clone,git worktree,git submodule,git mv,gio move,gio rename,gio remove,gio trash".split(","),
  ..."find *-delete*,find *-exec*,find *-ok*,find *-fprint*,find *-fls*".split(","),
];

const { words, texts, variables } = guardedConcerns();

/** Substrings computed at build time. `protect-hooks` checks only calls that contain at least one of them. */
export const CONCERNS: Concerns = {
  words: [...words, ...FOLDER_PROGRAMS, ...TYPING_CONCERNS],
  texts: [...texts, ...STARTUP_SUBSTRINGS, "--no-signature", "bridge_hooks_url"],
  variables,
  narrowedBy: ["allow"],
  ruleCategories: ["hooks"],
};
