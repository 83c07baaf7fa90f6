// Table of cmdlets and their POSIX equivalents. Rules and other tables refer to the equivalents by name. Cmdlet names
// are those of PowerShell 7 and Windows PowerShell 5.1 [docs https://learn.microsoft.com/powershell/module/].

const PATH_PARAMETERS = "Path:0~ LiteralPath/PSPath/LP~";
const FILTER_PARAMETERS = "Filter Include Exclude Force! Credential Stream";
const PATH_OPERANDS = "Path LiteralPath";

/**
 * Cmdlet rows with five columns:
 *
 * 1. Cmdlet names. "*" marks a name that is also a Unix program.
 * 2. Parameters: `Name` takes a value, `Name!` is a switch, `Name:0` is also the operand at position 0, `Name~` is a
 * path, and `Name/Other` adds an alias. A parameter that doesn't affect the equivalent command is listed only if it
 * takes a value.
 * 3. The equivalent program with its first words, and the parameters that become options: `Recurse=-r`, or
 * `OutFile=-o:` for an option with a value.
 * 4. Parameters whose values become operands, in order. "<" marks the parameter whose value becomes stdin.
 * 5. The translator, for cmdlets that can't be described by options and operands; see `equivalents.ts`.
 */
export const CMDLET_ROWS = `
Remove-Item ri rm* rmdir* del erase rd Clear-Item cli | ${PATH_PARAMETERS} Recurse! ${FILTER_PARAMETERS} | rm Recurse=-r Force=-f Confirm=-i | ${PATH_OPERANDS} | removeFiles
Get-Content gc cat* type Import-Csv ipcsv Import-Clixml Import-PowerShellDataFile Format-Hex fhx | ${PATH_PARAMETERS} ReadCount TotalCount/First/Head Tail/Last Raw! Wait! Delimiter Header Skip Count Offset Encoding AsByteStream! InputObject ${FILTER_PARAMETERS} | cat | ${PATH_OPERANDS} | readFiles
Set-Content sc Set-Item si | ${PATH_PARAMETERS} Value:1 PassThru! NoNewline! Encoding AsByteStream! ${FILTER_PARAMETERS} | tee | ${PATH_OPERANDS} <Value
Add-Content ac | ${PATH_PARAMETERS} Value:1 PassThru! NoNewline! Encoding AsByteStream! ${FILTER_PARAMETERS} | tee -a | ${PATH_OPERANDS} <Value
Clear-Content clc | ${PATH_PARAMETERS} ${FILTER_PARAMETERS} | truncate -s 0 | ${PATH_OPERANDS}
Out-File | FilePath/${PATH_PARAMETERS} Encoding:1 Append! Force! NoClobber/NoOverwrite! Width NoNewline! InputObject | tee Append=-a | File${PATH_OPERANDS} <InputObject
Tee-Object tee* | FilePath/${PATH_PARAMETERS} Append! Variable Encoding InputObject | tee Append=-a | File${PATH_OPERANDS} <InputObject | passThrough
Out-GridView ogv Get-Random | InputObject:0 Title OutputMode PassThru! Wait! Count Minimum Maximum SetSeed Shuffle! | cat | | passThrough
Export-Csv epcsv Export-Clixml | Path/File${PATH_PARAMETERS} Delimiter:1 Append! Force! NoClobber! Encoding Depth InputObject | tee Append=-a | ${PATH_OPERANDS}
Get-FileHash | ${PATH_PARAMETERS} Algorithm:1 InputStream | sha256sum | ${PATH_OPERANDS}
Select-String sls | Pattern:0 Path:1~ LiteralPath/PSPath/LP~ Include Exclude Quiet! List! Encoding Context Culture InputObject | grep Quiet=-q List=-l | Pattern ${PATH_OPERANDS}
Get-ChildItem gci dir* ls* | ${PATH_PARAMETERS} Filter:1 Include Exclude Recurse/s! Depth Force! Name! Directory/ad/d! File/af! Hidden/ah/h! ReadOnly/ar! System/as! Attributes FollowSymlink! | ls Recurse=-R | ${PATH_OPERANDS} | listFiles
Get-Item gi | ${PATH_PARAMETERS} ${FILTER_PARAMETERS} | ls -d | ${PATH_OPERANDS} | outputPaths
Test-Path | ${PATH_PARAMETERS} PathType/Type IsValid! OlderThan NewerThan ${FILTER_PARAMETERS} | test -e | ${PATH_OPERANDS}
Resolve-Path rvpa Convert-Path cvpa | ${PATH_PARAMETERS} Relative! RelativeBasePath Credential | realpath | ${PATH_OPERANDS} | outputPaths
Split-Path | ${PATH_PARAMETERS} Parent! Leaf! LeafBase! Extension! Qualifier! NoQualifier! Resolve! IsAbsolute! | dirname | ${PATH_OPERANDS} | splitPaths
Join-Path | Path/PSPath:0~ ChildPath:1~ AdditionalChildPath:2~ Resolve! Credential | echo | | joinPaths
Get-ItemProperty gp Get-ItemPropertyValue gpv Get-Acl | ${PATH_PARAMETERS} Name:1 Audit! ${FILTER_PARAMETERS} | stat | ${PATH_OPERANDS}
Set-Acl | ${PATH_PARAMETERS} AclObject:1 InputObject PassThru! ${FILTER_PARAMETERS} | chmod 0 | ${PATH_OPERANDS}
Copy-Item cpi cp* copy | ${PATH_PARAMETERS} Destination:1~ Container! Recurse! PassThru! FromSession ToSession ${FILTER_PARAMETERS} | cp Recurse=-r Force=-f | ${PATH_OPERANDS} | copyFiles
Move-Item mi mv* move | ${PATH_PARAMETERS} Destination:1~ PassThru! ${FILTER_PARAMETERS} | mv Force=-f | ${PATH_OPERANDS} | copyFiles
Rename-Item rni ren | ${PATH_PARAMETERS} NewName:1 PassThru! ${FILTER_PARAMETERS} | mv Force=-f | ${PATH_OPERANDS} NewName | renameFile
New-Item ni | Path:0~ Name ItemType/Type Value/Target Force! Credential | touch | Path <Value | createItem
mkdir* md | Path:0~ Name ItemType/Type Value Force! Credential | mkdir | Path
Set-ItemProperty sp New-ItemProperty | ${PATH_PARAMETERS} Name/PSProperty:1 Value:2 PropertyType/Type PassThru! InputObject ${FILTER_PARAMETERS} | touch | ${PATH_OPERANDS}
Remove-ItemProperty rp Clear-ItemProperty clp | ${PATH_PARAMETERS} Name/PSProperty:1 PassThru! ${FILTER_PARAMETERS} | touch | ${PATH_OPERANDS}
Rename-ItemProperty rnp | ${PATH_PARAMETERS} Name/PSProperty:1 NewName:2 PassThru! ${FILTER_PARAMETERS} | touch | ${PATH_OPERANDS}
Invoke-WebRequest iwr curl* wget* Invoke-RestMethod irm | Uri:0 OutFile~ InFile~ Method/me CustomMethod Body Headers/he Credential UseBasicParsing! UserAgent/ua ContentType TimeoutSec WebSession SessionVariable MaximumRedirection Proxy Form Token Authentication Certificate CertificateThumbprint | curl Method=-X: CustomMethod=-X: Headers=-H: Body=-d: InFile=-T: OutFile=-o: | Uri
Start-BitsTransfer | Source:0 Destination:1~ DisplayName Description Priority Credential TransferType | curl Destination=-o: | Source
Expand-Archive | ${PATH_PARAMETERS} DestinationPath:1~ Force! PassThru! | unzip Force=-o DestinationPath=-d: | ${PATH_OPERANDS}
Compress-Archive | ${PATH_PARAMETERS} DestinationPath:1~ CompressionLevel Update! Force! PassThru! | zip -r | DestinationPath ${PATH_OPERANDS}
Write-Output echo* write | InputObject:0 NoEnumerate! | echo | InputObject | printValues
Write-Host Write-Information Write-Warning Write-Verbose Write-Debug Write-Error | Object/MessageData/Message/Msg:0 NoNewline! Separator ForegroundColor BackgroundColor Tags Exception Category ErrorId TargetObject | echo | Object | printValues
Out-Host oh Out-Default Out-String os | Width InputObject | echo | InputObject | printValues
Format-List fl Format-Table ft Format-Wide fw | Property:0 GroupBy View Expand Column InputObject | echo | InputObject | printValues
Select-Object select Sort-Object sort* Get-Unique gu | Property:0 ExcludeProperty ExpandProperty First Last Skip SkipLast SkipIndex Index Top Bottom Culture Descending! Unique! InputObject | cat | | selectItems
Group-Object group Measure-Object measure Out-Null | Property:0 Culture InputObject | wc
Set-Clipboard scb | Value:0 Append! PassThru! AsOSC52! | pbcopy | <Value
Set-Location cd chdir sl | ${PATH_PARAMETERS} PassThru! StackName | cd | ${PATH_OPERANDS} | changeLocation
Push-Location pushd | ${PATH_PARAMETERS} PassThru! StackName | pushd | ${PATH_OPERANDS} | changeLocation
Pop-Location popd | PassThru! StackName | popd | | changeLocation
Get-Location gl pwd* | PSProvider PSDrive Stack! StackName | pwd | | printLocation
Start-Process saps start New-ScheduledTaskAction | FilePath/PSPath/Path/Execute:0~ ArgumentList/Args/Argument:1 WorkingDirectory~ Verb WindowStyle Credential RedirectStandardOutput/RSO~ RedirectStandardError/RSE~ RedirectStandardInput/RSI~ Environment Id CimSession | start | FilePath | startProcess
Stop-Process spps kill* | Id:0 Name/ProcessName Force! PassThru! InputObject | kill Force=-9 | Id | stopProcess
Stop-Service spsv Remove-Service | Name/ServiceName:0 DisplayName Include Exclude InputObject | service | Name DisplayName | stopService
Invoke-Expression iex | Command:0 | eval | Command | evaluateText
Invoke-Command icm | ScriptBlock/Command:0 ComputerName/Cn Session HostName VMName VMId ContainerId SSHConnection FilePath/PSPath~ ArgumentList/Args InputObject Credential Port ConfigurationName ApplicationName ThrottleLimit SessionName JobName ConnectionUri SessionOption Authentication UserName KeyFilePath | ssh | | invokeCommand
ForEach-Object % foreach | Process/MemberName:0 Begin End RemainingScripts ArgumentList/Args Parallel ThrottleLimit TimeoutSeconds AsJob! UseNewRunspace! InputObject | xargs | | runForEach
Where-Object ? where | FilterScript/Property:0 Value:1 EQ! NE! GT! GE! LT! LE! Like! NotLike! Match! NotMatch! Contains! In! Is! Not! CEQ! CLike! IEQ! ILike! InputObject | grep | | filterItems
Set-Variable sv set New-Variable nv | Name:0 Value:1 Scope Option Visibility Description Include Exclude | - | | setVariable
Get-Variable gv | Name:0 ValueOnly! Scope Include Exclude | true | | getVariable
Set-Alias sal New-Alias nal | Name:0 Value/Definition:1 Scope Option Description | true | | setAlias
New-Object | TypeName:0 ArgumentList/Args:1 ComObject Property Strict! | new-object | TypeName ComObject | constructObject
Get-WmiObject gwmi Get-CimInstance gcim | ClassName/Class:0 InputObject Filter Query Property Namespace ComputerName/Cn Credential CimSession | wmic | ClassName Query | queryObjects
Remove-WmiObject rwmi Remove-CimInstance rcim | ClassName/Class:0 InputObject Query Path Namespace ComputerName/Cn Credential CimSession | wmic delete | ClassName Path Query
Invoke-WmiMethod iwmi Invoke-CimMethod icim | ClassName/Class:0 Name/MethodName:1 Arguments/ArgumentList/Args:2 InputObject Query Path Namespace ComputerName/Cn Credential CimSession | invoke-wmimethod | ClassName Name | launchProcess
Get-Command gcm Get-Alias gal | Name:0 Verb Noun Module CommandType TotalCount ArgumentList/Args ParameterName ParameterType Definition Exclude Scope | which | Name | findCommands
Invoke-Sqlcmd | Query:0 ServerInstance Database InputFile~ Username Password Variable ConnectionString QueryTimeout Credential | sqlcmd ServerInstance=-S: Database=-d: InputFile=-i: Query=-Q:
Invoke-Item ii | ${PATH_PARAMETERS} | open | ${PATH_OPERANDS}
`;
