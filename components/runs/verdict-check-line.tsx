import { Text } from "@mantine/core";
import { IconHandStop, IconHelpCircle, IconScaleOutline, IconScaleOutlineOff } from "@tabler/icons-react";
import { type CheckSign, describeVerdictCheck } from "#components/runs/describe-verdict-check.ts";
import classes from "#components/runs/runs.module.css";
import { HostileText } from "#components/ui/hostile-text.tsx";
import type { AnalysisRunDetail } from "#lib/contract/analysis-run.ts";

const signs: Record<CheckSign, typeof IconScaleOutline> = {
  agrees: IconScaleOutline,
  contradicts: IconScaleOutlineOff,
  "ended-early": IconHandStop,
  undecided: IconHelpCircle,
  due: IconHelpCircle,
};

/** Shows whether the recorded measurements support the verdict, and the findings of the check. */
export function VerdictCheckLine({ run }: { run: AnalysisRunDetail }) {
  const check = describeVerdictCheck(run);
  if (check === undefined) return null;
  const Sign = signs[check.sign];
  return (
    <section className={classes.check} data-sign={check.sign} aria-label="Verdict check">
      <Sign size={16} className={classes.checkSign} aria-hidden="true" />
      <div>
        {check.short === undefined ? (
          <Text size="sm" fw={check.sign === "contradicts" ? 600 : undefined}>
            {check.words}
          </Text>
        ) : (
          <Text size="sm" c="dimmed" title={check.words}>
            {check.short}
          </Text>
        )}
        {check.findings.length > 0 && (
          <ul className={classes.findings}>
            {check.findings.map(({ key, text }) => (
              <li key={key}>
                <HostileText text={text} />
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}
