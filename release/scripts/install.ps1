# Installs bridge-hooks for you, without administrator rights: downloads the archive of this platform, checks the
# signature of the release and the archive's checksum, and puts the executable into a folder. Nothing of the download
# runs before both were checked, and what can't be checked is not installed.
#
#   powershell -ExecutionPolicy Bypass -File install.ps1 [-Version VERSION] [-Dir DIR] [-NoSignature]
#
# -NoSignature checks only the checksum, which proves nothing if the place of the release was taken over.
# BRIDGE_HOOKS_URL names another place of the release's files; {version} in it stands for the version.
# For Windows PowerShell 5.1 and PowerShell 7: it uses what both have.
param(
  [string]$Version = "",
  [string]$Dir = "",
  [switch]$NoSignature
)
$ErrorActionPreference = "Stop"
# Its progress bar makes a download many times slower.
$ProgressPreference = "SilentlyContinue"
# Windows PowerShell on an older .NET asks for TLS 1.0 unless told otherwise.
[Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor [Net.SecurityProtocolType]::Tls12

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

# Downloads a file. Windows PowerShell follows https to http, which is one reason why the signature counts, and not the
# connection.
function Get-ReleaseFile([string]$from, [string]$to) {
  try {
    Invoke-WebRequest -UseBasicParsing -Uri $from -OutFile $to
  } catch {
    Stop-Install "$from can't be downloaded ($($_.Exception.Message)); nothing was installed"
  }
}

# The first line that a program prints, or all of it; an empty text if it can't run. Here errors don't stop the script:
# Windows PowerShell takes each line on stderr for one.
function Get-FirstLine([string]$file, [string[]]$arguments) {
  $ErrorActionPreference = "Continue"
  try { "$(& $file @arguments 2>$null | Select-Object -First 1)" } catch { "" }
}
function Get-Text([string]$file, [string[]]$arguments) {
  $ErrorActionPreference = "Continue"
  try { "$(& $file @arguments 2>$null)" } catch { "" }
}

function Get-Sha256 { New-Object Security.Cryptography.SHA256CryptoServiceProvider }

# An ECDSA signature is a sequence of two numbers in DER. Windows takes them as 32 bytes each; nothing if it is not one.
function ConvertFrom-DerSignature([byte[]]$der) {
  $plain = New-Object byte[] 64
  if ($der.Length -lt 8 -or $der[0] -ne 0x30 -or $der[1] -ne ($der.Length - 2)) { return }
  $at = 2
  foreach ($end in 32, 64) {
    if (($at + 2) -gt $der.Length -or $der[$at] -ne 0x02) { return }
    $length = [int]$der[$at + 1]
    $from = $at + 2
    $at = $from + $length
    if ($length -lt 1 -or $at -gt $der.Length) { return }
    # A zero keeps a number positive whose first bit is set.
    if ($length -eq 33 -and $der[$from] -eq 0) { $from = $from + 1; $length = 32 }
    if ($length -gt 32) { return }
    [Array]::Copy($der, $from, $plain, $end - $length, $length)
  }
  if ($at -ne $der.Length) { return }
  # The comma keeps PowerShell from taking the array apart.
  , $plain
}

# The public key in PEM: a header of 27 bytes, then the point on the curve P-256, which Windows takes behind a header
# of its own (BCRYPT_ECCPUBLIC_BLOB).
function ConvertFrom-PublicKey([string]$pem) {
  $der = [Convert]::FromBase64String(($pem -split "`n" | Where-Object { $_ -notmatch "^-" }) -join "")
  if ($der.Length -ne 91) { throw "the key of this script is not for P-256" }
  $blob = New-Object byte[] 72
  [Array]::Copy([Text.Encoding]::ASCII.GetBytes("ECS1"), 0, $blob, 0, 4)
  $blob[4] = 32
  [Array]::Copy($der, 27, $blob, 8, 64)
  $key = [Security.Cryptography.CngKey]::Import($blob, [Security.Cryptography.CngKeyBlobFormat]::EccPublicBlob)
  New-Object Security.Cryptography.ECDsaCng $key
}

# Checks the signature of the bytes of SHA256SUMS, by Windows itself.
function Test-Signature([byte[]]$list, [byte[]]$der) {
  $signature = ConvertFrom-DerSignature $der
  if ($null -eq $signature) { return $false }
  $hash = (Get-Sha256).ComputeHash($list)
  (ConvertFrom-PublicKey $releasedKey).VerifyHash($hash, [byte[]]$signature)
}

function Confirm-Signature([byte[]]$list, [string]$folder) {
  if ($NoSignature) {
    Say "the signature is not checked, because of -NoSignature"
    return
  }
  if (-not $releasedKey) {
    Stop-Install "this script comes with an unsigned release and has no key; nothing was installed. To check only the checksum, pass -NoSignature"
  }
  Get-ReleaseFile "$url/SHA256SUMS.sig" "$folder\SHA256SUMS.sig"
  $valid = $false
  try {
    $valid = Test-Signature $list ([IO.File]::ReadAllBytes("$folder\SHA256SUMS.sig"))
  } catch {
    Stop-Install "the signature of $url/SHA256SUMS can't be checked ($($_.Exception.Message)); nothing was installed. To check only the checksum, pass -NoSignature"
  }
  if ($valid -isnot [bool] -or -not $valid) {
    Stop-Install "the signature of $url/SHA256SUMS is wrong; nothing was installed. Somebody changed the files, or this script is of another release"
  }
}

# The hash that SHA256SUMS has for a file: one line, of exactly this form.
function Find-Sum([byte[]]$list, [string]$file) {
  $form = "^([0-9a-f]{64})  $([regex]::Escape($file))$"
  $sums = @([Text.Encoding]::UTF8.GetString($list) -split "`n" | Where-Object { $_ -cmatch $form } | ForEach-Object { $_.Substring(0, 64) })
  if ($sums.Count -eq 0) { Stop-Install "the release at $url has no $file; nothing was installed" }
  if ($sums.Count -gt 1) { Stop-Install "$url/SHA256SUMS lists $file more than once; nothing was installed" }
  $sums[0]
}

# Checks an archive and takes the executable out of it. While the archive is open, nobody can change or replace it, and
# no path in it is used.
function Expand-Executable([string]$archive, [string]$sum, [string]$entry, [string]$to) {
  Add-Type -AssemblyName System.IO.Compression
  $stream = [IO.File]::Open($archive, [IO.FileMode]::Open, [IO.FileAccess]::Read, [IO.FileShare]::Read)
  try {
    $found = [BitConverter]::ToString((Get-Sha256).ComputeHash($stream)).Replace("-", "")
    if ($found -ne $sum) {
      Stop-Install "$url/$name.zip is not the file that the release lists (its checksum differs); nothing was installed"
    }
    [void]$stream.Seek(0, [IO.SeekOrigin]::Begin)
    $zip = New-Object IO.Compression.ZipArchive $stream
    $entries = @($zip.Entries | Where-Object { $_.FullName -ceq $entry })
    if ($entries.Count -ne 1) { Stop-Install "the archive has no $entry; nothing was installed" }
    $from = $entries[0].Open()
    $file = [IO.File]::Open($to, [IO.FileMode]::CreateNew)
    try { $from.CopyTo($file) } finally { $file.Dispose() }
  } finally {
    $stream.Dispose()
  }
}

# Whether a version is newer than another; 1.0.0-rc.2 is newer than 1.0.0-rc.1, and 1.0.0 than both.
function Test-Newer([string]$one, [string]$other) {
  $x = @(($one -replace "\+.*$", "") -split "[.-]")
  $y = @(($other -replace "\+.*$", "") -split "[.-]")
  for ($i = 0; $i -lt $x.Count -and $i -lt $y.Count; $i++) {
    if ($x[$i] -ceq $y[$i]) { continue }
    if ($x[$i] -match "^\d+$" -and $y[$i] -match "^\d+$") { return ([decimal]$x[$i] -gt [decimal]$y[$i]) }
    return ([string]::CompareOrdinal($x[$i], $y[$i]) -gt 0)
  }
  if ($x.Count -eq 3 -or $y.Count -eq 3) { return ($x.Count -lt $y.Count) }
  return ($x.Count -gt $y.Count)
}

# Refuses to replace what is not an older release of the same.
function Test-Target([string]$file) {
  if (-not (Test-Path -LiteralPath $file)) { return }
  $there = Get-FirstLine $file "--version"
  if ($there -notmatch '^\d+\.\d+\.\d+') {
    Stop-Install "$file exists and is not a bridge-hooks executable; name another folder with -Dir"
  }
  if ((Get-Text $file "list", "--json") -match '"origin": "own"') {
    Stop-Install "$file has hooks of your own in it, which this release would end; build it again with build, or name another folder with -Dir"
  }
  if (-not $wanted -and (Test-Newer $there $version)) {
    Stop-Install "$file is $there, newer than $version; pass -Version $version to go back to it"
  }
}

# Puts the new executable into place. One that runs can be renamed, and not be replaced: it is moved aside, and the next
# build or update removes it.
function Move-Executable([string]$from, [string]$to) {
  if (-not (Test-Path -LiteralPath $to)) {
    Move-Item -LiteralPath $from -Destination $to
    return
  }
  $old = Join-Path $folder (".bridge-hooks-old-" + [Guid]::NewGuid().ToString("N") + ".exe")
  Move-Item -LiteralPath $to -Destination $old
  try {
    Move-Item -LiteralPath $from -Destination $to
  } catch {
    Move-Item -LiteralPath $old -Destination $to
    throw
  }
}

$wanted = $Version -replace '^v', ''
$version = if ($wanted) { $wanted } else { $releasedVersion }
if ($version -notmatch '^[0-9][0-9A-Za-z.+-]*\z') { Stop-Install "-Version takes a version, as in 0.1.0, not $version" }
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
# Beside the target, so that the last step is a rename.
$work = Join-Path $folder (".bridge-hooks-" + [Guid]::NewGuid().ToString("N"))
New-Item -ItemType Directory -Path $work | Out-Null
try {
  $name = "bridge-hooks-$version-$platform"
  $new = "$work\bridge-hooks.exe"
  Get-ReleaseFile "$url/SHA256SUMS" "$work\SHA256SUMS"
  # Read once: what is searched is what was signed.
  $list = [IO.File]::ReadAllBytes("$work\SHA256SUMS")
  Confirm-Signature $list $work
  $sum = Find-Sum $list "$name.zip"
  Get-ReleaseFile "$url/$name.zip" "$work\archive.zip"
  Expand-Executable "$work\archive.zip" $sum "$name/bridge-hooks.exe" $new
  if ((Get-FirstLine $new "--version") -ne $version) {
    Stop-Install "the executable for $platform does not run on this machine; nothing was installed"
  }
  Move-Executable $new $target
  Write-Output "bridge-hooks $version is in $target."
  if (($env:PATH -split ";") -contains $folder) { Write-Output "Next: bridge-hooks install" }
  else { Write-Output "Next: put $folder on your PATH, and run & '$target' install" }
} finally {
  Remove-Item -Recurse -Force -LiteralPath $work -ErrorAction SilentlyContinue
}
