import type { MeasuredValue, MeasuringProvider } from "#lib/domain/delivery/measuring.ts";
import { parseMetricTemplate, readRunRules } from "./measuring/analysis-spec.ts";
import { flaggerExplaining } from "./measuring/explaining.ts";

const noObject = { ok: false, reason: "Flagger keeps no such object." } as const;

/** Flagger's runs are derived from its messages (`reporting.ts`): of its objects only templates are parsed. */
export const flaggerMeasuring: MeasuringProvider = {
  kinds: ["Canary", "MetricTemplate"],
  parseRun: () => noObject,
  parseExperiment: () => noObject,
  parseTemplate: parseMetricTemplate,
  parseValue,
  judgeTermination: () => ({ by: "unclear" }),
  readRules: readRunRules,
  checkVerdict: () => ({ state: "undecided", findings: [{ kind: "undecided", rule: "provider", text: unchecked }] }),
  explaining: flaggerExplaining,
};

const unchecked =
  "Flagger decides by itself and reports values only of failed checks, so there is nothing to judge again.";

/** Reads a value as `deriveRun` writes it. */
function parseValue(text: string | undefined): MeasuredValue {
  if (text === undefined || text === "") return { kind: "empty" };
  const number = Number(text);
  if (Number.isNaN(number)) return { kind: text === "NaN" ? "nan" : "unparsable" };
  if (Number.isFinite(number)) return { kind: "number", number };
  return { kind: number > 0 ? "+inf" : "-inf" };
}
