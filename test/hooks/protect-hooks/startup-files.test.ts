import { expect, test } from "bun:test";
import { isStartupFile } from "../../../hooks/_protect-startup.ts";

const STARTUP_FILES =
  `.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin
  .zlogout .kshrc .mkshrc .kkshrc .cshrc .tcshrc .login .logout .xinitrc .xprofile .xsession .xsessionrc .envrc .tmux.conf
  .screenrc .gitconfig .vimrc .inputrc config.fish crontab root_crontab profile Profile.ps1 Microsoft_profile.ps1 rc.local
  bash.bashrc zshrc zshenv fish/conf.d/a fish/functions/a profile.d/a cron.d/a cron.daily/a crontabs/a git/hooks/a
  .git/hooks/pre-commit .husky/a githooks/a .githooks/a git-hooks/a systemd/user/a systemd/system/a LaunchAgents/a
  LaunchDaemons/a autostart/a init.d/a bin/a sbin/a .git/config git/config`.split(/\s+/);

test("startup files are recognized in any letter case", () => {
  for (const file of STARTUP_FILES)
    for (const path of [`/home/a/${file}`, `/x/${file.toUpperCase()}`])
      expect([path, isStartupFile(path)]).toEqual([path, true]);
  for (const path of ["/x/rc", "/x/a.profile", "/x/bin", "/x/hooks/a", "/x/git/configs", "/x/src/index.ts", ""])
    expect([path, isStartupFile(path)]).toEqual([path, false]);
});
