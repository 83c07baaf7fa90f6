import type { LineCases } from "./support.ts";

/**
 * Splits a table into rows and replaces placeholders: `<nl>` is a newline, `<bt>` a backtick and `<b>` an opening
 * brace.
 */
const splitRows = (rows: string): string[] =>
  rows
    .trim()
    .split("\n")
    .map((row) => row.replaceAll("<nl>", "\n").replaceAll("<bt>", "`").replaceAll("<b>", "{"));

/** Interpreter code that constructs or reads the command it runs or the path it deletes. */
export const CODE_LINES: Readonly<Record<string, LineCases>> = {
  "python code that calls a command in pieces": {
    denied: splitRows(String.raw`
python3 -c "import subprocess; subprocess.run('git push origin main '+'--force',shell=True)"
python3 -c "import subprocess; f='--force'; subprocess.run(['git','push',f])"
python3 -c "import subprocess; subprocess.run(['git']+['push','--force'])"
python3 -c "import subprocess; a=['push','--force']; subprocess.run(['git',*a])"
python3 -c "import subprocess; a=['push','--force']; subprocess.check_call(['git']+a)"
python3 -c "import subprocess; subprocess.run(args=['git','push','--force'])"
python3 -c "import subprocess; subprocess.Popen(args=['git','push','--force'])"
python3 -c "import subprocess; c='git push --force'; subprocess.run(c.split())"
python3 -c "import subprocess; subprocess.run('git push --force'.split(' '))"
python3 -c "import subprocess; subprocess.run('git push {}'.format('--force'),shell=True)"
python3 -c "import subprocess; b='--force'; subprocess.run(f'git push {b}',shell=True)"
python3 -c 'import subprocess<nl>cmd = ["git","push"]<nl>cmd.append("--force")<nl>subprocess.run(cmd)'
python3 -c 'import subprocess<nl>cmd = ["git","push"]<nl>cmd += ["--force"]<nl>subprocess.run(cmd)'
python3 -c 'import subprocess<nl>cmd = ["git","push"]<nl>cmd.extend(["--force"])<nl>subprocess.run(cmd, check=True)'
python3 -c 'import subprocess<nl>for c in ["git add .","git push -f"]: subprocess.run(c,shell=True)'
python3 -c 'import subprocess<nl>for c in ["git add .","git push -f"]:<nl>    subprocess.run(c.split())'
python3 -c "import os; os.execvp('git',['git','push','--force'])"
python3 -c "import os; os.spawnlp(os.P_WAIT,'git','git','push','--force')"
python3 -c "import os; os.spawnvp(os.P_WAIT,'git',['git','push','--force'])"
python3 -c "import os; os.posix_spawn('/usr/bin/git',['git','push','--force'],os.environ)"
python3 -c "import asyncio; asyncio.run(asyncio.create_subprocess_shell('rm -rf ~'))"
python3 -c "import asyncio; asyncio.run(asyncio.create_subprocess_exec('git','push','--force'))"
python3 -c "import os; os.system('rm -rf ' + os.path.expanduser('~'))"
python3 -c "import os; os.system('rm -rf %s' % os.path.expanduser('~'))"
python3 -c "import os; os.system(f'rm -rf {os.environ[\"HOME\"]}')"
python3 -c "import subprocess,os; subprocess.run(['rm','-rf',os.path.expanduser('~')])"
python3 -c "import subprocess,pathlib; subprocess.run(['rm','-rf',str(pathlib.Path.home())])"
python3 -c "import subprocess,os; h=os.environ['HOME']; subprocess.run(['rm','-rf',h])"
python3 -c "import os; os.system('\x72m -rf ~')"
python3 -c "import os; os.system('r''m -rf ~')"
python3 -c "import os; os.system(chr(114)+'m -rf ~')"
python3 -c "import os; os.system(' '.join(['rm','-rf','/home']))"
python3 -c "import os,base64; os.system(base64.b64decode('cm0gLXJmIC9ob21l').decode())"
python3 -c "import os; c='rm -rf '; c+='/home'; os.system(c)"
python3 -c "import os; os.system('emoh/ fr- mr'[::-1])"
python3 - <<'E'<nl>import subprocess<nl>branch = "main"<nl>flag = "--force"<nl>subprocess.run(["git", "push", "origin", branch, flag], check=True)<nl>E
python3 - <<'E'<nl>import subprocess<nl>def run(cmd):<nl>    subprocess.run(cmd, shell=True, check=True)<nl><nl>run("git add .")<nl>run("git push --force")<nl>E
`),
    allowed: splitRows(String.raw`
python3 -c "import subprocess; subprocess.run('git push origin '+'main',shell=True)"
python3 -c "import subprocess; f='--tags'; subprocess.run(['git','push',f])"
python3 -c "import subprocess; subprocess.run(['git']+['push','--tags'])"
python3 -c "import subprocess; a=['push','--tags']; subprocess.run(['git',*a])"
python3 -c "import subprocess; subprocess.run(args=['git','push'])"
python3 -c "import subprocess; c='git status'; subprocess.run(c.split())"
python3 -c 'import subprocess<nl>cmd = ["git","push"]<nl>cmd.append("--tags")<nl>subprocess.run(cmd)'
python3 -c 'import subprocess<nl>cmd = ["git","push"]<nl>note = ["--force"]<nl>print(note)<nl>subprocess.run(cmd)'
python3 -c 'import subprocess<nl>for c in ["git add .","git push"]: subprocess.run(c,shell=True)'
python3 -c "import os; os.execvp('git',['git','status'])"
python3 -c "import os; os.system('ls -la ' + os.path.expanduser('~'))"
python3 -c "import os; os.system('rm -rf ' + os.path.expanduser('~/.cache/shop'))"
python3 -c "import os; print('rm -rf ' + os.path.expanduser('~'))"
python3 -c "import subprocess,os; subprocess.run(['ls',os.path.expanduser('~')])"
python3 -c "import subprocess,os; subprocess.run(['rm','-rf','build'],cwd=os.path.expanduser('~/code/shop'))"
python3 -c "import os; os.system('\x6cs')"
python3 -c "import os,base64; os.system(base64.b64decode('bHMgLWxh').decode())"
python3 -c "import base64; print(base64.b64decode('cm0gLXJmIC9ob21l').decode())"
python3 - <<'E'<nl>import subprocess<nl>branch = "main"<nl>flag = "--force"<nl>subprocess.run(["git", "push", "origin", branch], check=True)<nl>print(flag)<nl>E
python3 - <<'E'<nl>import subprocess<nl>def run(cmd):<nl>    subprocess.run(cmd, shell=True, check=True)<nl><nl>run("git add .")<nl>run("git push")<nl>E
`),
  },
  "node code that calls a command in pieces": {
    denied: splitRows(String.raw`
node -e "require('child_process').execSync('git push '+'--force')"
node -e "require('child_process').execSync('rm -rf '+process.env.HOME)"
node -e 'require("child_process").execSync(<bt>rm -rf $<b>process.env.HOME}<bt>)'
node -e 'require("child_process").execSync(<bt>rm -rf $<b>require("os").homedir()}<bt>)'
node -e "const a=['push','--force'];require('child_process').spawnSync('git',a)"
node -e "const a=['push','--force'];require('child_process').spawnSync('git',[...a])"
node -e "const a=['push'];a.push('--force');require('child_process').spawnSync('git',a)"
node -e "require('child_process').spawnSync('git',['push'].concat(['--force']))"
node -e "const cp=require('child_process');for(const c of ['git add .','git push --force'])cp.execSync(c)"
node -e "const cp=require('child_process');['git add .','git push --force'].forEach(c=>cp.execSync(c))"
node -e "const cp=require('child_process');const run=c=>cp.execSync(c);run('git add .');run('git push --force')"
node -e "const cp=require('child_process');function run(c){cp.execSync(c)} run('git push --force')"
node -e "require('child_process').execSync(Buffer.from('cm0gLXJmIC9ob21l','base64').toString())"
node -e "require('child_process').execSync(atob('cm0gLXJmIC9ob21l'))"
`),
    allowed: splitRows(String.raw`
node -e "require('child_process').execSync('git push '+'--tags')"
node -e "require('child_process').execSync('ls '+process.env.HOME)"
node -e 'require("child_process").execSync(<bt>ls $<b>process.env.HOME}<bt>)'
node -e "const a=['push','--tags'];require('child_process').spawnSync('git',a)"
node -e "const cp=require('child_process');for(const c of ['git add .','git push'])cp.execSync(c)"
node -e "const cp=require('child_process');['git add .','git push'].forEach(c=>cp.execSync(c))"
node -e "['git add .','git push --force'].forEach(c=>console.log(c))"
node -e "const cp=require('child_process');const run=c=>cp.execSync(c);run('git add .');run('git push')"
node -e "console.log(Buffer.from('cm0gLXJmIC9ob21l','base64').toString())"
`),
  },
  "code in other languages that calls a command in pieces": {
    denied: splitRows(String.raw`
php -r 'system("rm -rf ".getenv("HOME"));'
php -r '$c="git push "."--force"; system($c);'
php -r 'foreach (["git add .", "git push -f"] as $c) exec($c);'
ruby -e 'system "rm", "-rf", Dir.home'
ruby -e 'system("rm -rf " + ENV["HOME"])'
ruby -e 'system("rm -rf #{Dir.home}")'
ruby -e '["git add .", "git push -f"].each { |c| system(c) }'
ruby -e 'a=["push","--force"]; system("git", *a)'
perl -e 'system("rm -rf " . $ENV{HOME})'
perl -e 'system("rm -rf $ENV{HOME}")'
perl -e 'my @a=("push","--force"); system("git", @a)'
perl -e 'for my $c ("git add .", "git push -f") { system($c) }'
`),
    allowed: splitRows(String.raw`
php -r 'system("ls ".getenv("HOME"));'
php -r '$c="git push "."--tags"; system($c);'
ruby -e 'system "ls", "-la", Dir.home'
ruby -e '["git add .", "git push"].each { |c| system(c) }'
ruby -e 'puts "rm -rf " + Dir.home'
perl -e 'system("ls " . $ENV{HOME})'
perl -e 'my @a=("push","--tags"); system("git", @a)'
`),
  },
  "code that deletes what it names elsewhere": {
    denied: splitRows(String.raw`
node -e "require('fs').rmSync(require('os').homedir(),{recursive:true})"
node -e "require('fs').rmSync(require('node:os').homedir(),{recursive:true})"
node -e "const o=require('os');require('fs').rmSync(o.homedir(),{recursive:true})"
node --input-type=module -e "import os from 'os';import fs from 'fs';fs.rmSync(os.homedir(),{recursive:true})"
node -e "['/home'].forEach(d=>require('fs').rmSync(d,{recursive:true}))"
node -e "const rm=d=>require('fs').rmSync(d,{recursive:true});rm('/home')"
python3 -c "import pathlib,shutil; p=pathlib.Path('~').expanduser(); shutil.rmtree(p)"
python3 -c "import pathlib,shutil; shutil.rmtree(pathlib.Path('~').expanduser())"
python3 -c 'import shutil,os<nl>def wipe(p): shutil.rmtree(p)<nl>wipe(os.path.expanduser("~"))'
python3 -c 'import shutil<nl>from pathlib import Path<nl>root = Path.home()<nl>for child in root.iterdir(): shutil.rmtree(child)'
python3 -c "import shutil; shutil.rmtree('/ho'+'me')"
python3 -c "import sys,shutil; shutil.rmtree(sys.argv[1])" ~
python3 -c "import sys,shutil<nl>for p in sys.argv[1:]: shutil.rmtree(p)" /home /srv
python3 -c 'import sys,os; os.system(sys.argv[1])' 'rm -rf /home'
python3 -c 'import sys,subprocess; subprocess.run(sys.argv[1:])' rm -rf /home
node -e 'require("fs").rmSync(process.argv[1],{recursive:true})' /home
node -e 'require("child_process").execSync(process.argv[1])' 'rm -rf /home'
ruby -e 'system(ARGV[0])' 'rm -rf /home'
ruby -e 'system(*ARGV)' rm -rf /home
perl -e 'system(@ARGV)' rm -rf /home
perl -e 'exec @ARGV' git push -f
perl -e 'system($ARGV[0])' 'rm -rf /home'
perl -e 'system(shift)' 'rm -rf /home'
perl -MFile::Path -e 'File::Path::remove_tree(shift)' /home
php -r 'system($argv[1]);' 'rm -rf /home'
python3 -c "open('/dev/sda','wb').write(b'x')"
`),
    allowed: splitRows(String.raw`
node -e "require('fs').rmSync(require('os').tmpdir()+'/x',{recursive:true})"
node -e "console.log(require('os').homedir())"
node -e "['build','dist'].forEach(d=>require('fs').rmSync(d,{recursive:true}))"
node -e "['/home'].forEach(d=>console.log(d));require('fs').rmSync('build',{recursive:true})"
python3 -c "import pathlib; print(pathlib.Path('~').expanduser())"
python3 -c "import pathlib,shutil; p=pathlib.Path('~').expanduser()/'.cache'/'shop'; shutil.rmtree(p)"
python3 -c 'import shutil,os<nl>def wipe(p): shutil.rmtree(p)<nl>wipe("build")'
python3 -c 'from pathlib import Path<nl>root = Path.home()<nl>for child in root.iterdir(): print(child)'
python3 -c "import sys,shutil; shutil.rmtree(sys.argv[1])" build
python3 -c "import sys; print(sys.argv[1])" 'rm -rf /home'
node -e 'console.log(process.argv[1])' 'rm -rf /home'
ruby -e 'system(*ARGV)' ls -la /home
perl -e 'system(@ARGV)' ls -la
perl -e 'print shift' 'rm -rf /home'
python3 -c "open('/dev/null','wb').write(b'x')"
python3 -c "open('/dev/sda','rb').read(512)"
`),
  },
  "filters that run what they read": {
    denied: splitRows(String.raw`
awk '{system($0)}' <<< 'rm -rf ~'
echo 'rm -rf /home' | awk '{system($0)}'
awk -v c='rm -rf ~' 'BEGIN{system(c)}'
awk -vc='rm -rf ~' 'BEGIN{system(c)}'
awk 'BEGIN{system("rm -rf " ENVIRON["HOME"])}'
awk 'BEGIN{c="rm -rf "; system(c "/home")}'
awk 'BEGIN{system(ARGV[1])}' 'rm -rf /home'
sed e <<< 'rm -rf ~'
echo 'rm -rf /home' | sed e
echo 'rm -rf /home' | sed 's/x/y/e'
echo 'rm -rf /home' | perl -ne 'system $_'
echo 'rm -rf /home' | perl -ne 'system($_)'
echo 'rm -rf /home' | python3 -c 'import sys,os; os.system(sys.stdin.read())'
echo 'rm -rf /home' | python3 -c 'import os; os.system(input())'
echo 'rm -rf /home' | ruby -ne 'system($_)'
`),
    allowed: splitRows(String.raw`
awk '{print $0}' <<< 'rm -rf ~'
awk '{system($0)}' <<< 'ls ~'
awk -v c='ls ~' 'BEGIN{system(c)}'
awk -v c='rm -rf ~' 'BEGIN{print c}'
awk 'BEGIN{system("ls " ENVIRON["HOME"])}'
sed p <<< 'rm -rf ~'
echo 'ls' | sed e
echo 'rm -rf /home' | perl -ne 'print $_'
echo 'rm -rf /home' | sed 's/e/f/'
echo 'rm -rf /home' | python3 -c 'import sys; print(sys.stdin.read())'
`),
  },
  "programs that take code of their own": {
    denied: splitRows(String.raw`
bun exec 'git push -f'
npx tsx -e "require('child_process').execSync('rm -rf /home')"
npx -y tsx -e "require('child_process').execSync('rm -rf /home')"
npx -y node -e "require('fs').rmSync('/home',{recursive:true})"
deno eval 'new Deno.Command("git",{args:["push","-f"]}).outputSync()'
osascript -l JavaScript -e 'Application.currentApplication().doShellScript("rm -rf ~")'
osascript -e 'do shell script "rm -rf ~"'
just --command rm -rf /etc
fzf --bind 'start:execute(rm -rf ~)'
fzf --bind 'enter:execute-silent(rm -rf ~)+abort'
fzf --preview 'rm -rf ~'
emacs --batch --eval '(delete-directory "~" t)'
emacs --batch --eval '(shell-command "rm -rf ~")'
lldb -o 'platform shell rm -rf ~'
yarn exec 'rm -rf ~'
elixir -e 'System.cmd("rm", ["-rf", "/home"])'
elixir -e 'System.shell("rm -rf /home")'
elixir -e 'File.rm_rf!("/home")'
groovy -e '"rm -rf /home".execute()'
scala -e 'import sys.process._; "rm -rf /home".!'
guile -c '(system "rm -rf /home")'
tclsh <<< 'file delete -force /home'
tclsh <<< 'exec rm -rf /home'
Rscript -e 'unlink("~",recursive=TRUE)'
Rscript -e 'system("rm -rf /home")'
rails runner 'system("rm -rf /home")'
bin/rails runner 'system("rm -rf /home")'
bundle exec rails runner 'FileUtils.rm_rf("/home")'
`),
    allowed: splitRows(String.raw`
bun exec 'git push'
npx tsx -e "require('child_process').execSync('ls /home')"
deno eval 'new Deno.Command("git",{args:["push"]}).outputSync()'
osascript -l JavaScript -e 'Application.currentApplication().doShellScript("ls ~")'
just --command ls /etc
fzf --bind 'start:execute(ls ~)'
fzf --preview 'cat {}'
emacs --batch --eval '(delete-directory "build" t)'
lldb -o 'platform shell ls'
yarn exec 'ls ~'
elixir -e 'System.cmd("ls", ["-la", "/home"])'
groovy -e '"ls /home".execute()'
scala -e 'println("rm -rf /home")'
guile -c '(display "rm -rf /home")'
tclsh <<< 'file delete -force build'
Rscript -e 'unlink("build",recursive=TRUE)'
rails runner 'puts User.count'
`),
  },
};
