import { formatModeTerm } from "../try/verdict.ts";
import type { DoctorReport } from "./report.ts";

/** What becomes of a denial: at an entry that was tried, and in the last line of the report. */
interface DenialOutcome {
  entry: string;
  /** The same on a host that nobody has seen obey a denial. */
  unseenEntry: string;
  whole: string;
}

/** Describes what the modes make of a denial that an entry would send. */
export function describeDenials({ mode: modes }: DoctorReport["policy"]): DenialOutcome {
  const others = Object.entries(modes?.others ?? {});
  const list = (names: typeof others) => names.map(([name, mode]) => `${name} (${mode})`).join(", ");
  const alone = "by documentation alone";
  if (!modes || modes.mode === "enforce") {
    const except = others.length === 0 ? "" : `, except for ${list(others)}`;
    return { entry: "a denial holds", unseenEntry: `a denial is to hold, ${alone}`, whole: `a denial holds${except}` };
  }
  const { mode, until } = modes;
  const enforced = others.filter(([, one]) => one === "enforce");
  const but = enforced.length === 0 ? "" : `; those of ${list(enforced)} hold now`;
  const entry = `denials withheld (${mode}), would hold if enforced`;
  return {
    entry,
    unseenEntry: `${entry}, ${alone}`,
    whole: `denials are withheld (mode ${formatModeTerm({ mode, until })}) and would hold once enforced${but}`,
  };
}
