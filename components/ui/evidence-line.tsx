import { Sparkline } from "#components/charts/sparkline.tsx";
import classes from "#components/ui/evidence-line.module.css";
import { Pips, wordUse } from "#components/ui/pips.tsx";
import type { MetricEvidence } from "#lib/contract/evidence.ts";
import { showValue } from "#lib/domain/units/show-value.ts";

type EvidenceLineProps = {
  evidence: MetricEvidence;
  /** For lists that are scanned downwards: the limit as pips and numbers instead of a sentence. */
  isShort?: boolean;
};

/** Says what a sparkline shows: the last value, its limits, and the verdict. */
export function describeEvidence({ metric, last, unit, pass, fail, thresholds, summary }: MetricEvidence): string {
  const value =
    last === null
      ? "no value"
      : showValue(
          last,
          unit,
          thresholds.map((one) => one.value),
        );
  const limits = [pass === null ? [] : `pass ${pass}`, fail === null ? [] : `fail ${fail}`].flat();
  return [`${metric}: ${value}`, ...limits, summary].join(", ");
}

/** Shows one metric: its shape if it has one, its last recorded value, when it passes and fails, and the limit that decides. */
export function EvidenceLine({ evidence, isShort = false }: EvidenceLineProps) {
  const { metric, values, lastPhase, pass, fail, thresholds, limit, summary } = evidence;
  return (
    <div className={classes.line}>
      <div className={classes.evidence} data-short={isShort || undefined}>
        <span className={classes.metric}>{metric}</span>
        <Sparkline values={values} lastPhase={lastPhase} thresholds={thresholds} label={describeEvidence(evidence)} />
        <EvidenceValue evidence={evidence} />
        <Rule word="pass" condition={pass} />
        <Rule word="fail" condition={fail} />
        <span className={classes.summary}>
          {isShort ? <ShortLimit limit={limit} summary={summary} /> : <Limit evidence={evidence} />}
        </span>
      </div>
    </div>
  );
}

/** Shows the newest value, rounded for reading and in its unit; as recorded on hover. */
export function EvidenceValue({ evidence: { last, unit, thresholds } }: { evidence: MetricEvidence }) {
  if (last === null) return <span className={classes.label}>no value reported</span>;
  return (
    <span className={classes.value} title={last}>
      {showValue(
        last,
        unit,
        thresholds.map(({ value }) => value),
      )}
    </span>
  );
}

function Limit({ evidence: { limit, summary } }: { evidence: MetricEvidence }) {
  return (
    <>
      {limit !== null && (
        <span className={classes.pips}>
          <Pips used={limit.used} limit={limit.limit} />
        </span>
      )}
      {summary}
    </>
  );
}

type ShortLimitProps = Pick<MetricEvidence, "limit" | "summary">;

/** Shows "●●●● 4 inconclusive, 3 allowed"; on hover and to a screen reader the whole sentence. */
export function ShortLimit({ limit: reached, summary }: ShortLimitProps) {
  if (reached === null) return <>{shortSummary(summary)}</>;
  return (
    <span title={summary}>
      <span aria-hidden="true">
        <Pips used={reached.used} limit={reached.limit} /> {wordUse(reached)}
      </span>
      <span className="visually-hidden">{summary}</span>
    </span>
  );
}

/** Shortens "2 of 2 measurements successful" to "2 of 2 passed". */
export function shortSummary(summary: string): string {
  return summary.replace(" measurements successful", " passed");
}

/** Shows when a value passes, or when it fails. */
export function Rule({ word, condition }: { word: "pass" | "fail"; condition: string | null }) {
  if (condition === null) return <span className={classes.rule} />;
  return (
    <span className={classes.rule}>
      <span className={classes.label}>{word}</span> <code className={classes.condition}>{condition}</code>
    </span>
  );
}
