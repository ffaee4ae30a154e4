import { Code, DataList } from "@mantine/core";
import { describeLimits, describeSchedule } from "#components/runs/describe-limits.ts";
import classes from "#components/runs/runs.module.css";
import type { RunMetric } from "#lib/contract/analysis-run.ts";

/** Shows how a metric is judged: its conditions and query as written, and how much of each limit is used. */
export function MetricRules({ metric }: { metric: RunMetric }) {
  const { successCondition, failureCondition, query } = metric;
  return (
    <DataList className={classes.rules} gap="xs" labelWidth="9rem">
      <Rule label="Pass if">{successCondition === null ? "no condition" : <code>{successCondition}</code>}</Rule>
      <Rule label="Fail if">{failureCondition === null ? "no condition" : <code>{failureCondition}</code>}</Rule>
      {describeLimits(metric).map(({ what, words, isExceeded }) => (
        <Rule key={what} label={what}>
          <span className={isExceeded ? classes.exceeded : undefined}>{words}</span>
        </Rule>
      ))}
      <Rule label="Measurements">{describeSchedule(metric)}</Rule>
      <Rule label="Query">
        {query === null ? (
          "unknown"
        ) : (
          <Code block className={classes.query}>
            {query}
          </Code>
        )}
      </Rule>
    </DataList>
  );
}

function Rule({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <DataList.Item>
      <DataList.ItemLabel>{label}</DataList.ItemLabel>
      <DataList.ItemValue>{children}</DataList.ItemValue>
    </DataList.Item>
  );
}
