"use client";

import { Anchor, Skeleton, Table, Text } from "@mantine/core";
import dynamic from "next/dynamic";
import Link from "next/link";
import { classifyAnalysis, classifyExperimentTemplate } from "#components/ui/classify-state.ts";
import classes from "#components/ui/experiment-parts.module.css";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { LiveRun } from "#components/ui/live-run.tsx";
import { StateBadge } from "#components/ui/state-badge.tsx";
import { type HeadColumn, TableHead } from "#components/ui/table-parts.tsx";
import { logsHref, runHref } from "#lib/client/rollout-path.ts";
import { useRun } from "#lib/client/run-queries.ts";
import { templateHref } from "#lib/client/template-path.ts";
import type { ExperimentAnalysis, ExperimentDetail, ExperimentTemplate } from "#lib/contract/experiment.ts";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";

const Comparison = dynamic(() => import("#components/charts/comparison.tsx").then((module) => module.Comparison), {
  ssr: false,
  loading: () => <Skeleton height={240} aria-hidden="true" />,
});

type ExperimentTemplatesProps = {
  templates: readonly ExperimentTemplate[];
  /** The rollout whose logs include those of the Experiment's pods; absent if they are not offered. */
  rollout?: ObjectRef;
};

const columns: readonly HeadColumn[] = [
  { header: "Version" },
  { header: "State" },
  { header: "Pods ready", align: "right" },
];
const columnsWithLogs = [...columns, { header: "Logs", align: "right" }] as const;

/** Shows the versions that an Experiment runs side by side. */
export function ExperimentTemplates({ templates, rollout }: ExperimentTemplatesProps) {
  const hasLogs = rollout !== undefined && templates.some(({ replicas }) => replicas > 0);
  return (
    <Table.ScrollContainer minWidth={320}>
      <Table aria-label="Versions that run side by side" horizontalSpacing={6}>
        <TableHead columns={hasLogs ? columnsWithLogs : columns} />
        <Table.Tbody>
          {templates.map(({ name, status, message, ready, replicas, desired, images, replicaSet }) => (
            <Table.Tr key={name}>
              <Table.Th scope="row" className={classes.name}>
                {name}
                {images.map((image) => (
                  <Text key={image} size="xs" c="dimmed" fw={400} className={classes.image}>
                    <bdi>{image}</bdi>
                  </Text>
                ))}
              </Table.Th>
              <Table.Td>
                <StateBadge shown={classifyExperimentTemplate(status)} size="sm" variant="plain" />
                {message !== "" && (
                  <Text size="xs" c="dimmed">
                    <HostileText text={message} />
                  </Text>
                )}
              </Table.Td>
              <Table.Td ta="right">{describeReady({ status, ready, replicas, desired })}</Table.Td>
              {hasLogs && (
                <Table.Td ta="right">
                  {replicas > 0 && (
                    <Anchor
                      component={Link}
                      href={logsHref(rollout, { left: replicaSet, ...rightOf(templates, name) })}
                      size="sm"
                      aria-label={`Logs of ${name}`}
                    >
                      Logs
                    </Anchor>
                  )}
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** Another version that has pods, for the column beside it. */
function rightOf(templates: readonly ExperimentTemplate[], name: string): { right?: string } {
  const other = templates.find((template) => template.name !== name && template.replicas > 0);
  return other === undefined ? {} : { right: other.replicaSet };
}

const endedStates = new Set(["Successful", "Failed", "Error", "Inconclusive"]);

/** Describes how many pods are ready; having none is fine once the version is done. */
function describeReady({
  status,
  ready,
  replicas,
  desired,
}: Pick<ExperimentTemplate, "status" | "ready" | "replicas" | "desired">): string {
  if (replicas === 0 && endedStates.has(status)) return "scaled down";
  return replicas > desired ? `${ready} of ${desired}, ${replicas} exist` : `${ready} of ${desired}`;
}

type ExperimentAnalysesProps = {
  experiment: Pick<ExperimentDetail, "analyses" | "templates" | "cluster" | "namespace">;
};

/** Shows how an Experiment is judged: all versions on one chart for each metric, and a line for each analysis. */
export function ExperimentAnalyses({ experiment }: ExperimentAnalysesProps) {
  const { analyses } = experiment;
  if (analyses.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No analysis: it only runs the versions side by side.
      </Text>
    );
  }
  const isCompared = analyses.length > 1;
  return (
    <>
      <ul className={classes.list}>
        {analyses.map((analysis) => (
          <li key={analysis.name} className={classes.analysis}>
            <AnalysisLine analysis={analysis} experiment={experiment} />
            <AnalysisRun analysis={analysis} isCompared={isCompared} />
          </li>
        ))}
      </ul>
      {isCompared && <Comparison experiment={experiment} />}
    </>
  );
}

function AnalysisLine({ analysis, experiment }: ExperimentAnalysesProps & { analysis: ExperimentAnalysis }) {
  const { name, phase, required, template, run } = analysis;
  const isClusterWide = template.kind === "ClusterAnalysisTemplate";
  const id = `${experiment.cluster}/${isClusterWide ? "-" : experiment.namespace}/${template.kind}/${template.name}`;
  return (
    <div className={classes.line}>
      <StateBadge shown={classifyAnalysis(phase)} size="sm" />
      <Text span fw={600} size="sm">
        {name}
      </Text>
      <Text span size="sm" c="dimmed">
        from template{" "}
        <Anchor component={Link} href={templateHref(id)} inherit>
          {template.name}
        </Anchor>
        {required && ", ends the experiment"}
      </Text>
      {run !== null && run.uid !== null && (
        <Anchor
          component={Link}
          href={runHref(run.uid)}
          size="sm"
          className="screen-only"
          aria-label={`Every measurement of ${run.name}`}
        >
          Every measurement
        </Anchor>
      )}
    </div>
  );
}

type AnalysisRunProps = { analysis: ExperimentAnalysis; isCompared: boolean };

function AnalysisRun({ analysis: { run, message }, isCompared }: AnalysisRunProps) {
  if (run !== null && run.uid !== null) return isCompared ? <Verdict uid={run.uid} /> : <LiveRun uid={run.uid} />;
  return (
    <Text size="sm" c="dimmed">
      {run === null ? "No run yet." : `${run.name} is named by the experiment but not recorded yet.`}{" "}
      <HostileText text={message} />
    </Text>
  );
}

function Verdict({ uid }: { uid: string }) {
  const verdict = useRun(uid).data?.verdict;
  return verdict === undefined ? null : (
    <Text size="sm">
      <HostileText text={verdict} />
    </Text>
  );
}
