import { Anchor, DataList, Group, Text, Title } from "@mantine/core";
import Link from "next/link";
import { describeLimit, describeMeasuring } from "#components/templates/describe-template.ts";
import classes from "#components/templates/templates.module.css";
import { Fact } from "#components/ui/fact.tsx";
import { backtestHref } from "#lib/client/backtest-href.ts";
import type { TemplateMetric } from "#lib/contract/template.ts";

/** Shows how each metric of the current spec is judged. */
export function TemplateMetrics({ id, metrics }: { id: string; metrics: readonly TemplateMetric[] }) {
  if (metrics.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        It has no metrics of its own; it uses those of the templates that it names.
      </Text>
    );
  }
  return (
    <div className={classes.metrics}>
      {metrics.map((metric) => (
        <section key={metric.name} className={classes.panel} aria-label={`Metric ${metric.name}`}>
          <Group gap="sm" mb="xs" align="baseline">
            <Title order={3}>{metric.name}</Title>
            <Text size="xs" c="dimmed">
              {metric.provider ?? "unknown provider"}
            </Text>
            {!id.includes("/MetricTemplate/") && (
              <Anchor component={Link} href={backtestHref({ template: id, metric: metric.name })} size="xs" ml="auto">
                Back-test
              </Anchor>
            )}
          </Group>
          <DataList gap={4} labelWidth="10rem">
            <Fact label="Pass if">
              <Condition text={metric.successCondition} />
            </Fact>
            <Fact label="Fail if">
              <Condition text={metric.failureCondition} />
            </Fact>
            <Fact label="Measures">{describeMeasuring(metric)}</Fact>
            <Fact label="Failed, at most">{describeLimit(metric.failureLimit)}</Fact>
            <Fact label="Inconclusive, at most">{describeLimit(metric.inconclusiveLimit)}</Fact>
          </DataList>
        </section>
      ))}
    </div>
  );
}

function Condition({ text }: { text: string | null }) {
  return text === null ? <span className={classes.dim}>no condition</span> : <code>{text}</code>;
}
