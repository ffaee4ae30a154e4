import { Sparkline } from "#components/charts/sparkline.tsx";
import classes from "#components/ui/evidence-line.module.css";
import type { MetricEvidence } from "#lib/contract/evidence.ts";

/** What one metric says: its shape, its last value as recorded, and the condition that it is judged by. */
export function EvidenceLine({ evidence }: { evidence: MetricEvidence }) {
  const { metric, values, phase, last, condition, summary } = evidence;
  const numbers = values.filter((value) => value !== null).length;
  return (
    <div className={classes.evidence}>
      <Sparkline
        values={values}
        phase={phase}
        label={`${metric}: the last ${values.length} measurements, ${numbers} of them numbers`}
      />
      <span>
        <strong>{metric}</strong> last <span className={classes.value}>{last ?? "no value"}</span>
        {condition !== null && (
          <>
            , judged by <code className={classes.condition}>{condition}</code>
          </>
        )}
      </span>
      <span>{summary}</span>
    </div>
  );
}
