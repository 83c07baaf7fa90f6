/**
 * Stylesheet of the page. The outcome colors differ in lightness, so readers with red-green color blindness can tell
 * them apart.
 */
export const PAGE_STYLE = `
:root{color-scheme:light dark;--page:#fff;--card:#f6f7f9;--text:#1b1f24;--quiet:#57606a;--line:#d5dae0;--link:#0550ae;
--denied:#c4342d;--asked:#d9890b;--rewritten:#2f6fd0;--warned:#b3478f;--withheld:#8a5cc7;--excepted:#0f8b8d;--failed:#4b5563;--passed:#9db2a4}
@media (prefers-color-scheme:dark){:root{--page:#0f1318;--card:#191f26;--text:#e7ebef;--quiet:#9aa5b1;--line:#303943;--link:#7ab7ff;
--denied:#ef6a62;--asked:#eeb04b;--rewritten:#6aa5f7;--warned:#e58bc4;--withheld:#b592ea;--excepted:#3fc1c3;--failed:#aab3bd;--passed:#56705f}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:15px/1.5 system-ui,sans-serif}
main{max-width:1000px;margin:0 auto;padding:24px 20px 48px}
p,li,td,summary,footer{overflow-wrap:anywhere}
h1{font-size:24px;line-height:1.25;margin:0 0 4px}
h3{font-size:15px;margin:20px 0 4px}
h2{font-size:17px;margin:36px 0 8px}
p{margin:0 0 8px}
.quiet,dt,th,figcaption,footer{color:var(--quiet)}
code,.mono{font:13px/1.45 ui-monospace,monospace;overflow-wrap:anywhere}
.tiles{display:grid;grid-template-columns:repeat(4,1fr);gap:10px;margin:20px 0 0;padding:0;list-style:none}
.tiles li{background:var(--card);border-radius:8px;padding:10px 12px}
.lead{margin:8px 0;overflow-wrap:anywhere}
.tiles .part{display:block;color:var(--quiet);font-size:13px}
.tiles b{display:block;font-size:24px;line-height:1.2;font-variant-numeric:tabular-nums}
.dot{display:inline-block;width:10px;height:10px;border-radius:3px;margin-right:6px}
.dot.denied{background:var(--denied)}.dot.asked{background:var(--asked)}.dot.rewritten{background:var(--rewritten)}
.dot.warned{background:var(--warned)}.dot.withheld{background:var(--withheld)}.dot.excepted{background:var(--excepted)}.dot.failed{background:var(--failed)}.dot.passed{background:var(--passed)}
rect.denied{fill:var(--denied)}rect.asked{fill:var(--asked)}rect.rewritten{fill:var(--rewritten)}
rect.warned{fill:var(--warned)}rect.withheld{fill:var(--withheld)}rect.excepted{fill:var(--excepted)}rect.failed{fill:var(--failed)}rect.passed{fill:var(--passed)}
figure{margin:0}
figure svg{display:block;width:100%;height:auto}
svg text{font:12px system-ui,sans-serif;fill:var(--quiet);text-anchor:middle}
svg text.value{text-anchor:end}
svg line{stroke:var(--line)}
.narrow{display:none}
.pairs{display:grid;grid-template-columns:1fr 1fr;gap:0 32px}
.bars{list-style:none;margin:0;padding:0}
.bars li{margin:0 0 10px}
.bars div{display:flex;flex-wrap:wrap;gap:0 12px;justify-content:space-between}
.bars .count{font-variant-numeric:tabular-nums}
.whole{white-space:nowrap}
.bars svg{display:block;width:100%;height:8px;border-radius:4px;background:var(--card)}
table{border-collapse:collapse;width:100%}
th{text-align:left;font-weight:500;padding:6px 12px 6px 0;border-bottom:1px solid var(--line)}
td{min-width:10ch;padding:8px 16px 8px 0;border-bottom:1px solid var(--line);vertical-align:top}
td .mono{display:block;min-width:18ch}
td.number{min-width:0}
td.number,th.number{text-align:right;font-variant-numeric:tabular-nums}
.when{white-space:nowrap}
.bad{color:var(--denied);font-weight:600}
details summary{color:var(--link)}
footer{margin-top:40px;border-top:1px solid var(--line);padding-top:12px;font-size:13px}
@media (max-width:620px){
main{padding:16px 14px 32px}
.tiles{grid-template-columns:1fr 1fr}
.pairs{grid-template-columns:1fr}
.wide{display:none}
.narrow{display:block}
}
@media (max-width:900px){
thead{display:none}
tr{display:block;border-bottom:1px solid var(--line);padding:8px 0}
td{display:block;border:0;padding:1px 0}
td .mono{display:inline}
td[data-label]::before{content:attr(data-label) ": ";color:var(--quiet)}
td.number{text-align:left}
}
@media print{
details{display:none}
.dot{print-color-adjust:exact}
tr,li,figure{break-inside:avoid}
h2,h3{break-after:avoid}
}
`;
