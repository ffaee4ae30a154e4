import { Select, Text } from "@mantine/core";
import { useState } from "react";
import { hasShape, Sparkline } from "#components/charts/sparkline.tsx";
import { classifyStanding } from "#components/sets/classify-standing.ts";
import classes from "#components/sets/sets.module.css";
import { describeEvidence, EvidenceValue } from "#components/ui/evidence-line.tsx";
import { CutText } from "#components/ui/hostile-text.tsx";
import { HoverLink } from "#components/ui/hover-link.tsx";
import { StateIcon } from "#components/ui/state-badge.tsx";
import { runHref } from "#lib/client/rollout-path.ts";
import type { MetricEvidence } from "#lib/contract/evidence.ts";
import type { SetMetrics } from "#lib/contract/version-set.ts";
import { formatCount } from "#lib/util/words.ts";

const size = { width: 176, height: 48 };

/** Draws one metric of each rollout on one scale. */
export function Multiples({ metrics: { measured, items } }: { metrics: SetMetrics }) {
  const names = rankMetrics(items);
  const [chosen, setChosen] = useState<string | null>(null);
  const name = chosen !== null && names.includes(chosen) ? chosen : names[0];
  if (name === undefined) return <Text size="sm">No analysis has measured this version in these rollouts.</Text>;
  const cells = items.flatMap(({ rollout, standing, metrics }) => {
    const evidence = metrics.find(({ metric }) => metric === name);
    return evidence === undefined ? [] : [{ rollout, standing, evidence }];
  });
  const scale = scaleOf(cells.map(({ evidence }) => evidence));
  return (
    <>
      <div className={classes.metricHead}>
        <Select
          aria-label="Metric"
          size="xs"
          data={names}
          value={name}
          onChange={setChosen}
          allowDeselect={false}
          searchable={names.length > 8}
        />
        <Text size="sm" c="dimmed">
          {formatCount(cells.length)} of {formatCount(measured)} measured rollouts
          {items.length < measured && `, of the ${formatCount(items.length)} most urgent`}. One scale for all.
        </Text>
      </div>
      <ul className={classes.multiples}>
        {cells.map(({ rollout, standing, evidence }) => {
          const { cluster, namespace, name } = rollout;
          const { state, word } = classifyStanding(standing);
          return (
            <li key={`${cluster}/${namespace}/${rollout.kind}/${name}`}>
              <HoverLink href={runHref(evidence.runUid)} className={classes.multiple}>
                <span className={classes.multipleName}>
                  <StateIcon state={state} size={14} />
                  <span className="visually-hidden">{word}</span>
                  <CutText title={`${cluster}/${namespace}/${name}`}>{`${cluster} / ${namespace}/${name}`}</CutText>
                </span>
                {hasShape(evidence.values) && (
                  <Sparkline
                    values={evidence.values}
                    lastPhase={evidence.lastPhase}
                    thresholds={evidence.thresholds}
                    label={describeEvidence(evidence)}
                    size={size}
                    scale={scale}
                  />
                )}
                <EvidenceValue evidence={evidence} />
              </HoverLink>
            </li>
          );
        })}
      </ul>
    </>
  );
}

/** Returns the names of the metrics, those that most rollouts have first. */
export function rankMetrics(items: SetMetrics["items"]): string[] {
  const named = Map.groupBy(
    items.flatMap(({ metrics }) => metrics),
    ({ metric }) => metric,
  );
  return [...named]
    .sort(([one, has], [other, have]) => have.length - has.length || (one < other ? -1 : 1))
    .map(([name]) => name);
}

/** Returns the least and the greatest value and threshold of all. */
export function scaleOf(metrics: readonly Pick<MetricEvidence, "values" | "thresholds">[]): number[] {
  const numbers = metrics
    .flatMap(({ values, thresholds }) => [...values, ...thresholds.map(({ value }) => value)])
    .filter((value): value is number => value !== null && Number.isFinite(value));
  return numbers.length === 0 ? [] : [Math.min(...numbers), Math.max(...numbers)];
}
