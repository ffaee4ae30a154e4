"use client";

import { Anchor, NativeSelect, Table, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import Link from "next/link";
import { useState } from "react";
import { guessTypedValue } from "#components/templates/guess-typed-value.ts";
import classes from "#components/templates/lab.module.css";
import { classifyAnalysis } from "#components/ui/classify-state.ts";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { ErrorNotice } from "#components/ui/query-view.tsx";
import { Section } from "#components/ui/section.tsx";
import { StateBadge } from "#components/ui/state-badge.tsx";
import { runHref } from "#lib/client/rollout-path.ts";
import { useEvaluations, useRecordedValues } from "#lib/client/template-lab-queries.ts";
import type { EvaluateRequest, LintAnswer, PhaseVerdict } from "#lib/contract/analysis-engine.ts";

type Metric = NonNullable<LintAnswer["metrics"]>[number];

type LabPlaygroundProps = {
  metrics: readonly Metric[];
  /** Where recorded values come from: the rollout, else the template. */
  source: { template?: string; rollout?: string };
};

/** Evaluates the conditions as they are written on recorded values, and on one of the person's own. */
export function LabPlayground({ metrics, source }: LabPlaygroundProps) {
  const [chosen, setChosen] = useState<string>();
  const metric = metrics.find(({ name }) => name === chosen) ?? metrics[0];
  return (
    <Section id="playground" title="Conditions on recorded values">
      {metric === undefined ? (
        <Text size="sm" c="dimmed">
          The template has no metric.
        </Text>
      ) : (
        <>
          <NativeSelect
            label="Metric"
            size="xs"
            value={metric.name}
            data={metrics.map(({ name }) => name)}
            onChange={(event) => setChosen(event.currentTarget.value)}
          />
          <Values key={metric.name} metric={metric} source={source} />
        </>
      )}
    </Section>
  );
}

function Values({ metric, source }: { metric: Metric; source: LabPlaygroundProps["source"] }) {
  const [own, setOwn] = useState("");
  const [typed] = useDebouncedValue(own.trim(), 300);
  const recorded = useRecordedValues(source, metric.name);
  const texts = [...(typed === "" ? [] : [typed]), ...(recorded.data?.values ?? [])];
  const conditions = conditionsOf(metric);
  const hasArguments = Object.values(conditions).some((condition) => condition.includes("{{"));
  const asked = hasArguments
    ? []
    : texts.map((text) => ({ result: guessTypedValue(text, metric.provider), ...conditions }));
  const evaluated = useEvaluations(asked);
  return (
    <>
      <TextInput
        label="Your own value"
        placeholder="0.97, [0.97] or JSON"
        size="xs"
        mt="xs"
        value={own}
        onChange={(event) => setOwn(event.currentTarget.value)}
      />
      <Origin recorded={recorded} />
      {hasArguments && (
        <Text size="sm" mt="xs">
          Its conditions contain arguments that only a run fills in. Replace them with values to try it.
        </Text>
      )}
      {evaluated.error !== null && (
        <ErrorNotice error={evaluated.error} what="The verdicts" onRetry={() => void evaluated.refetch()} />
      )}
      {asked.length > 0 && <Verdicts texts={texts} verdicts={evaluated.data} />}
    </>
  );
}

function conditionsOf({
  successCondition,
  failureCondition,
}: Metric): Pick<EvaluateRequest, "successCondition" | "failureCondition"> {
  return {
    ...(successCondition === null ? {} : { successCondition }),
    ...(failureCondition === null ? {} : { failureCondition }),
  };
}

function Origin({ recorded }: { recorded: ReturnType<typeof useRecordedValues> }) {
  const { data, error, isEnabled } = recorded;
  if (error !== null) {
    return <ErrorNotice error={error} what="The recorded values" onRetry={() => void recorded.refetch()} />;
  }
  if (!isEnabled) {
    return (
      <Text size="xs" c="dimmed" mt={4}>
        Choose a rollout above for its recorded values.
      </Text>
    );
  }
  if (data === undefined) {
    return (
      <Text size="xs" c="dimmed" mt={4} aria-busy="true">
        Loading recorded values
      </Text>
    );
  }
  return (
    <Text size="xs" c="dimmed" mt={4}>
      {data === null ? (
        "No run with this metric has ended yet."
      ) : (
        <>
          The last {data.values.length} values of{" "}
          <Anchor component={Link} href={runHref(data.run.uid)} inherit>
            {data.run.name}
          </Anchor>
        </>
      )}
    </Text>
  );
}

function Verdicts({ texts, verdicts }: { texts: readonly string[]; verdicts: readonly PhaseVerdict[] | undefined }) {
  return (
    <Table mt="xs" className={classes.verdicts}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">Value</Table.Th>
          <Table.Th scope="col">Verdict</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {texts.map((text, index) => {
          const verdict = verdicts?.[index];
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: equal values may occur several times.
            <Table.Tr key={index}>
              <Table.Td>
                <code>
                  <HostileText text={text} />
                </code>
              </Table.Td>
              <Table.Td>
                {verdict === undefined ? (
                  <Text size="xs" c="dimmed">
                    …
                  </Text>
                ) : (
                  <>
                    <StateBadge shown={classifyAnalysis(verdict.phase)} size="sm" variant="plain" />
                    {verdict.message !== undefined && (
                      <Text size="xs" c="dimmed">
                        <HostileText text={verdict.message} />
                      </Text>
                    )}
                  </>
                )}
              </Table.Td>
            </Table.Tr>
          );
        })}
      </Table.Tbody>
    </Table>
  );
}
