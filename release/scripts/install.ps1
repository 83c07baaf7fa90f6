# Installs bridge-hooks for the current user, without administrator rights: downloads this platform's archive, verifies
# the release's signature and the archive's checksum, and copies the executable to a directory. Nothing downloaded runs
# before both are verified, and nothing unverified is installed.
#
#   powershell -ExecutionPolicy Bypass -File install.ps1 [-Version VERSION] [-Dir DIR] [-NoSignature]
#
# -NoSignature verifies only the checksum, which proves nothing if the download server was compromised.
# BRIDGE_HOOKS_URL sets another download URL for the release's files; {version} in it stands for the version.
# Works in Windows PowerShell 5.1 and PowerShell 7.
param(
  [string]$Version = "",
  [string]$Dir = "",
  [switch]$NoSignature
)
$ErrorActionPreference = "Stop"
# The progress bar makes downloads many times slower.
$ProgressPreference = "SilentlyContinue"
# Windows PowerShell on an older .NET uses TLS 1.0 by default.
[Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor [Net.SecurityProtocolType]::Tls12

# Filled in by the release.
$releasedVersion = '@VERSION@'
$releasedUrl = '@URL@'
$releasedKey = '@KEY@'

function Say([string]$text) { [Console]::Error.WriteLine("bridge-hooks: $text") }
function Stop-Install([string]$text) {
  Say $text
  exit 1
}

# Returns the platform as used in archive names. Under emulation, the first variable contains the emulated processor.
function Find-Platform {
  $arch = if ($env:PROCESSOR_ARCHITEW6432) { $env:PROCESSOR_ARCHITEW6432 } else { $env:PROCESSOR_ARCHITECTURE }
  switch ($arch) {
    "AMD64" { "windows-x64" }
    "ARM64" { "windows-arm64" }
    default { Stop-Install "unsupported processor $arch; executables exist for x64 and arm64" }
  }
}

# Downloads a file. Windows PowerShell follows redirects from https to http, which is one reason to trust the signature
# rather than the connection.
function Get-ReleaseFile([string]$from, [string]$to) {
  try {
    Invoke-WebRequest -UseBasicParsing -Uri $from -OutFile $to
  } catch {
    Stop-Install "$from can't be downloaded ($($_.Exception.Message)); nothing was installed"
  }
}

# Returns a program's first output line, or all output; an empty string if it can't run. Errors must not stop the script
# here, because Windows PowerShell treats each line on stderr as an error.
function Get-FirstLine([string]$file, [string[]]$arguments) {
  $ErrorActionPreference = "Continue"
  try { "$(& $file @arguments 2>$null | Select-Object -First 1)" } catch { "" }
}
function Get-Text([string]$file, [string[]]$arguments) {
  $ErrorActionPreference = "Continue"
  try { "$(& $file @arguments 2>$null)" } catch { "" }
}

function Get-Sha256 { New-Object Security.Cryptography.SHA256CryptoServiceProvider }

# Converts an ECDSA signature from DER (a sequence of two numbers) to the two 32-byte numbers that Windows expects.
# Returns nothing if it is malformed.
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
    # DER prefixes a zero byte to a positive number whose first bit is set.
    if ($length -eq 33 -and $der[$from] -eq 0) { $from = $from + 1; $length = 32 }
    if ($length -gt 32) { return }
    [Array]::Copy($der, $from, $plain, $end - $length, $length)
  }
  if ($at -ne $der.Length) { return }
  # The comma stops PowerShell from unrolling the array.
  , $plain
}

# Converts the PEM public key (a 27-byte header and a point on the curve P-256) to Windows' format, which has its own
# header (BCRYPT_ECCPUBLIC_BLOB).
function ConvertFrom-PublicKey([string]$pem) {
  $der = [Convert]::FromBase64String(($pem -split "`n" | Where-Object { $_ -notmatch "^-" }) -join "")
  if ($der.Length -ne 91) { throw "the key in this script is not a P-256 key" }
  $blob = New-Object byte[] 72
  [Array]::Copy([Text.Encoding]::ASCII.GetBytes("ECS1"), 0, $blob, 0, 4)
  $blob[4] = 32
  [Array]::Copy($der, 27, $blob, 8, 64)
  $key = [Security.Cryptography.CngKey]::Import($blob, [Security.Cryptography.CngKeyBlobFormat]::EccPublicBlob)
  New-Object Security.Cryptography.ECDsaCng $key
}

# Verifies the signature of SHA256SUMS with Windows' own cryptography.
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
    Stop-Install "this script belongs to an unsigned release and has no key; nothing was installed. To verify only the checksum, pass -NoSignature"
  }
  Get-ReleaseFile "$url/SHA256SUMS.sig" "$folder\SHA256SUMS.sig"
  $valid = $false
  try {
    $valid = Test-Signature $list ([IO.File]::ReadAllBytes("$folder\SHA256SUMS.sig"))
  } catch {
    Stop-Install "the signature of $url/SHA256SUMS can't be verified ($($_.Exception.Message)); nothing was installed. To verify only the checksum, pass -NoSignature"
  }
  if ($valid -isnot [bool] -or -not $valid) {
    Stop-Install "the signature of $url/SHA256SUMS is invalid; nothing was installed. Either the files were changed, or this script belongs to another release"
  }
}

# Returns a file's hash from SHA256SUMS. Exactly one line must match.
function Find-Sum([byte[]]$list, [string]$file) {
  $form = "^([0-9a-f]{64})  $([regex]::Escape($file))$"
  $sums = @([Text.Encoding]::UTF8.GetString($list) -split "`n" | Where-Object { $_ -cmatch $form } | ForEach-Object { $_.Substring(0, 64) })
  if ($sums.Count -eq 0) { Stop-Install "the release at $url has no $file; nothing was installed" }
  if ($sums.Count -gt 1) { Stop-Install "$url/SHA256SUMS lists $file more than once; nothing was installed" }
  $sums[0]
}

# Verifies an archive and extracts the executable. The open handle stops others from changing or replacing the archive,
# and no path in it is used.
function Expand-Executable([string]$archive, [string]$sum, [string]$entry, [string]$to) {
  Add-Type -AssemblyName System.IO.Compression
  $stream = [IO.File]::Open($archive, [IO.FileMode]::Open, [IO.FileAccess]::Read, [IO.FileShare]::Read)
  try {
    $found = [BitConverter]::ToString((Get-Sha256).ComputeHash($stream)).Replace("-", "")
    if ($found -ne $sum) {
      Stop-Install "the checksum of $url/$name.zip differs from the release's list; nothing was installed"
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

# Tests whether a version is newer than another; 1.0.0-rc.2 is newer than 1.0.0-rc.1, and 1.0.0 than both.
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

# Fails unless an existing file is an older release of bridge-hooks.
function Test-Target([string]$file) {
  if (-not (Test-Path -LiteralPath $file)) { return }
  $there = Get-FirstLine $file "--version"
  if ($there -notmatch '^\d+\.\d+\.\d+') {
    Stop-Install "$file exists and is not a bridge-hooks executable; pass another directory with -Dir"
  }
  if ((Get-Text $file "list", "--json") -match '"origin": "own"') {
    Stop-Install "$file contains your own hooks, which this release lacks; rebuild it with build, or pass another directory with -Dir"
  }
  if (-not $wanted -and (Test-Newer $there $version)) {
    Stop-Install "$file is $there, newer than $version; pass -Version $version to downgrade"
  }
}

# Installs the new executable. A running one can be renamed but not replaced, so it is moved aside, and the next build or
# update removes it.
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
if ($version -notmatch '^[0-9][0-9A-Za-z.+-]*\z') { Stop-Install "-Version requires a version such as 0.1.0, not $version" }
$url = if ($env:BRIDGE_HOOKS_URL) { $env:BRIDGE_HOOKS_URL } else { $releasedUrl }
if (-not $url) { Stop-Install "this script has no download URL; set BRIDGE_HOOKS_URL" }
$url = $url.TrimEnd("/").Replace("{version}", $version)
$folder = if ($Dir) { $Dir } else { Join-Path $env:LOCALAPPDATA "Programs\bridge-hooks" }
$platform = Find-Platform

try {
  $folder = (New-Item -ItemType Directory -Force -Path $folder).FullName
} catch {
  Stop-Install "$folder can't be written to; pass another directory with -Dir"
}
$target = Join-Path $folder "bridge-hooks.exe"
Test-Target $target
# In the target's directory, so that the last step is a rename.
$work = Join-Path $folder (".bridge-hooks-" + [Guid]::NewGuid().ToString("N"))
New-Item -ItemType Directory -Path $work | Out-Null
try {
  $name = "bridge-hooks-$version-$platform"
  $new = "$work\bridge-hooks.exe"
  Get-ReleaseFile "$url/SHA256SUMS" "$work\SHA256SUMS"
  # Read once, so that the content searched is the content that was verified.
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
  else { Write-Output "Next: add $folder to your PATH, and run & '$target' install" }
} finally {
  Remove-Item -Recurse -Force -LiteralPath $work -ErrorAction SilentlyContinue
}
