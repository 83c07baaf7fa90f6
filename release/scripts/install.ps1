# Installs bridge-hooks for you, without administrator rights: downloads the archive of this platform, checks its
# signature and its checksum, and puts the executable into a folder. Nothing of the download runs before both were checked.
#
#   powershell -ExecutionPolicy Bypass -File install.ps1 [-Version VERSION] [-Dir DIR]
#
# BRIDGE_HOOKS_URL names another place of the release's files; {version} in it stands for the version.
param(
  [string]$Version = "",
  [string]$Dir = ""
)
$ErrorActionPreference = "Stop"
# Its progress bar makes a download many times slower.
$ProgressPreference = "SilentlyContinue"

# The release fills these in.
$releasedVersion = '@VERSION@'
$releasedUrl = '@URL@'
$releasedKey = '@KEY@'

function Say([string]$text) { [Console]::Error.WriteLine("bridge-hooks: $text") }
function Stop-Install([string]$text) {
  Say $text
  exit 1
}

# The platform, as the archives are named. A PowerShell of another processor sees its own in the first variable.
function Find-Platform {
  $arch = if ($env:PROCESSOR_ARCHITEW6432) { $env:PROCESSOR_ARCHITEW6432 } else { $env:PROCESSOR_ARCHITECTURE }
  switch ($arch) {
    "AMD64" { "windows-x64" }
    "ARM64" { "windows-arm64" }
    default { Stop-Install "there is no executable for $arch; there are some for x64 and arm64" }
  }
}

function Get-ReleaseFile([string]$from, [string]$to) {
  try {
    Invoke-WebRequest -UseBasicParsing -Uri $from -OutFile $to
  } catch {
    Stop-Install "$from can't be downloaded ($($_.Exception.Message)); nothing was installed"
  }
}

# Checks the signature of SHA256SUMS in a folder, as far as this machine can: Windows itself knows no Ed25519.
function Test-Signature([string]$folder) {
  if (-not $releasedKey) {
    Say "this release is not signed: only the checksum is checked"
    return
  }
  $openssl = Get-Command openssl -CommandType Application -ErrorAction SilentlyContinue | Select-Object -First 1
  if (-not $openssl -or -not ((& $openssl.Source version) -match '^OpenSSL ([3-9]|\d\d)')) {
    Say "no OpenSSL 3 here to check the signature: only the checksum is checked"
    return
  }
  Get-ReleaseFile "$url/SHA256SUMS.sig" "$folder\SHA256SUMS.sig"
  [IO.File]::WriteAllText("$folder\key.pem", "$releasedKey`n")
  & $openssl.Source pkeyutl -verify -pubin -inkey "$folder\key.pem" -rawin -in "$folder\SHA256SUMS" -sigfile "$folder\SHA256SUMS.sig" | Out-Null
  if ($LASTEXITCODE -ne 0) {
    Stop-Install "the signature of $url/SHA256SUMS is wrong; nothing was installed. Somebody changed the files, or this script is of another release"
  }
}

function ConvertTo-Version([string]$text) { [Version]($text -replace '[-+].*$', '') }

# Refuses to replace what is not an older release of the same.
function Test-Target([string]$file) {
  if (-not (Test-Path -LiteralPath $file)) { return }
  $there = "$(& $file --version 2>$null | Select-Object -First 1)"
  if ($there -notmatch '^\d+\.\d+\.\d+') {
    Stop-Install "$file exists and is not a bridge-hooks executable; name another folder with -Dir"
  }
  if ("$(& $file list --json 2>$null)" -match '"origin": "own"') {
    Stop-Install "$file has hooks of your own in it, which this release would end; build it again with build, or name another folder with -Dir"
  }
  if (-not $wanted -and (ConvertTo-Version $there) -gt (ConvertTo-Version $version)) {
    Stop-Install "$file is $there, newer than $version; pass -Version $version to go back to it"
  }
}

$wanted = $Version -replace '^v', ''
$version = if ($wanted) { $wanted } else { $releasedVersion }
if ($version -notmatch '^[0-9A-Za-z.+-]+$') { Stop-Install "-Version takes a version, as in 0.1.0, not $version" }
$url = if ($env:BRIDGE_HOOKS_URL) { $env:BRIDGE_HOOKS_URL } else { $releasedUrl }
if (-not $url) { Stop-Install "this script does not know where the release is; name the place in BRIDGE_HOOKS_URL" }
$url = $url.TrimEnd("/").Replace("{version}", $version)
$folder = if ($Dir) { $Dir } else { Join-Path $env:LOCALAPPDATA "Programs\bridge-hooks" }
$platform = Find-Platform

try {
  $folder = (New-Item -ItemType Directory -Force -Path $folder).FullName
} catch {
  Stop-Install "$folder can't be written to; name another folder with -Dir"
}
$target = Join-Path $folder "bridge-hooks.exe"
Test-Target $target
$work = Join-Path $folder (".bridge-hooks-" + [Guid]::NewGuid().ToString("N").Substring(0, 8))
New-Item -ItemType Directory -Path $work | Out-Null
try {
  $name = "bridge-hooks-$version-$platform"
  Get-ReleaseFile "$url/SHA256SUMS" "$work\SHA256SUMS"
  Test-Signature $work
  $line = Get-Content "$work\SHA256SUMS" | Where-Object { $_ -match "^([0-9a-f]{64})  $([regex]::Escape("$name.zip"))$" } | Select-Object -First 1
  if (-not $line) { Stop-Install "the release at $url has no $name.zip; nothing was installed" }
  Get-ReleaseFile "$url/$name.zip" "$work\archive.zip"
  if ((Get-FileHash -Algorithm SHA256 "$work\archive.zip").Hash.ToLower() -ne $line.Substring(0, 64)) {
    Stop-Install "$url/$name.zip is not the file that the release lists (its checksum differs); nothing was installed"
  }
  Expand-Archive -Path "$work\archive.zip" -DestinationPath $work
  $new = "$work\$name\bridge-hooks.exe"
  if ("$(& $new --version 2>$null | Select-Object -First 1)" -ne $version) {
    Stop-Install "the executable for $platform does not run on this machine; nothing was installed"
  }
  if (Test-Path -LiteralPath $target) {
    # An executable that runs can be renamed, and not be replaced. The next build or update removes it.
    Move-Item -LiteralPath $target -Destination (Join-Path $folder (".bridge-hooks-old-" + [Guid]::NewGuid().ToString("N").Substring(0, 8) + ".exe"))
  }
  Move-Item -LiteralPath $new -Destination $target
  Write-Output "bridge-hooks $version is in $target."
  if (($env:PATH -split ";") -contains $folder) { Write-Output "Next: bridge-hooks install" }
  else { Write-Output "Next: put $folder on your PATH, and run & '$target' install" }
} finally {
  Remove-Item -Recurse -Force -LiteralPath $work -ErrorAction SilentlyContinue
}
