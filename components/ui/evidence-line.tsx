import { Sparkline } from "#components/charts/sparkline.tsx";
import classes from "#components/ui/evidence-line.module.css";
import { Pips } from "#components/ui/pips.tsx";
import type { MetricEvidence } from "#lib/contract/evidence.ts";

/** Shows one metric: its shape, its last recorded value, when it passes and fails, and the limit that decides. */
export function EvidenceLine({ evidence }: { evidence: MetricEvidence }) {
  const { metric, values, phase, last, pass, fail, thresholds, limit, summary } = evidence;
  const numbers = values.filter((value) => value !== null).length;
  return (
    <div className={classes.line}>
      <div className={classes.evidence}>
        <span className={classes.metric}>{metric}</span>
        <Sparkline
          values={values}
          phase={phase}
          thresholds={thresholds}
          label={`${metric}: the last ${values.length} measurements, ${numbers} of them numbers`}
        />
        <span className={classes.value}>{last ?? "no value"}</span>
        <Rule word="pass" condition={pass} />
        <Rule word="fail" condition={fail} />
        <span className={classes.summary}>
          {limit !== null && (
            <span className={classes.pips}>
              <Pips used={limit.used} limit={limit.limit} />
            </span>
          )}
          {summary}
        </span>
      </div>
    </div>
  );
}

function Rule({ word, condition }: { word: "pass" | "fail"; condition: string | null }) {
  if (condition === null) return <span className={classes.rule} />;
  return (
    <span className={classes.rule}>
      <span className={classes.label}>{word}</span> <code className={classes.condition}>{condition}</code>
    </span>
  );
}
