"use client";

import { Group, SegmentedControl, Skeleton, Text, Title } from "@mantine/core";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { LazySeriesChart } from "#components/charts/lazy-charts.tsx";
import classes from "#components/controllers/controllers.module.css";
import { formatValue } from "#components/controllers/describe-controller.ts";
import { QueryView } from "#components/ui/query-view.tsx";
import { type ControllerAddress, useControllerSamples } from "#lib/client/controller-queries.ts";
import type { ControllerChart } from "#lib/contract/controller.ts";
import { type ChartRange, chartRanges } from "#lib/domain/controllers/chart-ranges.ts";

const rangeParser = parseAsStringLiteral(chartRanges);
const rangeWords: Record<ChartRange, string> = {
  "1h": "1 hour",
  "6h": "6 hours",
  "24h": "1 day",
  "7d": "7 days",
  "30d": "30 days",
};

/** Shows the samples of a controller over hours or days. */
export function ControllerCharts({ address }: { address: ControllerAddress }) {
  const [range, setRange] = useQueryState("range", rangeParser.withDefault("6h"));
  const { data, error, refetch } = useControllerSamples(address, range);
  return (
    <section aria-labelledby="charts">
      <Group justify="space-between" mb="xs" gap="xs">
        <Title order={2} id="charts">
          Over time
        </Title>
        <SegmentedControl
          size="xs"
          aria-label="Time range"
          value={range}
          onChange={(value) => void setRange(rangeParser.parse(value))}
          data={chartRanges.map((value) => ({ value, label: rangeWords[value] }))}
        />
      </Group>
      <QueryView
        what="The samples"
        query={{ data, error, refetch }}
        skeleton={<Skeleton height={240} aria-hidden="true" />}
      >
        {({ from, to, charts }) => {
          const drawn = charts.filter(({ lines }) => lines.length > 0);
          return (
            <>
              {drawn.length === 0 && <Text>Nothing was sampled in this time.</Text>}
              <div className={classes.charts}>
                {drawn.map((chart) => (
                  <ChartPanel key={chart.key} chart={chart} timeDomain={[Date.parse(from), Date.parse(to)]} />
                ))}
              </div>
              <AbsentSeries charts={charts.filter(({ lines }) => lines.length === 0)} />
            </>
          );
        }}
      </QueryView>
    </section>
  );
}

const kindWords: Record<ControllerChart["kind"], string> = {
  gauge: "",
  counter: "per minute",
  histogram: "estimated percentiles",
};

function ChartPanel({ chart, timeDomain }: { chart: ControllerChart; timeDomain: [number, number] }) {
  const { label, unit, kind, lines, omitted } = chart;
  return (
    <div className={classes.panel}>
      <Title order={3} size="h5">
        {label}{" "}
        <Text component="span" size="xs" c="dimmed" fw={400}>
          {kindWords[kind]}
        </Text>
      </Title>
      <LazySeriesChart
        label={label}
        lines={lines}
        timeDomain={timeDomain}
        format={(value) => formatValue(value, unit)}
      />
      {omitted > 0 && (
        <Text size="xs" c="dimmed">
          The largest {lines.length} are shown; {omitted} more are stored.
        </Text>
      )}
    </div>
  );
}

/** Explains why a series is not drawn: absent is not zero. */
function AbsentSeries({ charts }: { charts: readonly ControllerChart[] }) {
  const of = (presence: ControllerChart["presence"]) =>
    charts.filter((chart) => chart.presence === presence).map(({ label }) => label);
  const parts = [
    { words: "Nothing counted yet", labels: of("none-yet") },
    { words: "Not reported by this component", labels: of("not-available") },
    { words: "Too many labels to keep apart", labels: of("too-many") },
    { words: "Not sampled in this time", labels: of("present") },
  ].filter(({ labels }) => labels.length > 0);
  return parts.map(({ words, labels }) => (
    <Text key={words} size="sm" c="dimmed" mt="xs" className={classes.words}>
      {words}: {labels.join(", ")}.
    </Text>
  ));
}
