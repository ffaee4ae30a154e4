import { Anchor, Group, Stack, Table, Text, Title } from "@mantine/core";
import Link from "next/link";
import classes from "#components/audit/audit.module.css";
import { Folded, RecordedText } from "#components/audit/folded.tsx";
import {
  describePlace,
  type EvidenceMetric,
  type EvidenceRun,
  type ParsedEvidence,
  parseEvidence,
  plotValue,
} from "#components/audit/parse-evidence.ts";
import { Sparkline } from "#components/charts/sparkline.tsx";
import { classifyMoment, classifyPhaseText } from "#components/ui/classify-state.ts";
import { EvidenceLine } from "#components/ui/evidence-line.tsx";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { NotedTexts } from "#components/ui/noted-texts.tsx";
import { StateBadge } from "#components/ui/state-badge.tsx";
import { runHref } from "#lib/client/rollout-path.ts";
import type { AuditDetail } from "#lib/contract/audit.ts";
import type { AnalysisPhase } from "#lib/contract/common.ts";
import type { MetricEvidence } from "#lib/contract/evidence.ts";
import { wordMessage } from "#lib/domain/controller-words.ts";
import { showValue } from "#lib/domain/units/show-value.ts";

/** Shows the frozen evidence: its content never changes, whatever the pages show today. */
export function Evidence({ entry }: { entry: AuditDetail }) {
  const { evidence, metrics } = entry;
  const parsed = parseEvidence(evidence);
  return (
    <Stack gap="sm">
      {parsed !== undefined && (
        <>
          <SeenPhase parsed={parsed} place={describePlace(entry, parsed)} />
          {parsed.runs.map((run) => (
            <SeenRun key={run.uid ?? run.name} run={run} judged={metrics.filter(({ runUid }) => runUid === run.uid)} />
          ))}
        </>
      )}
      {parsed !== undefined && parsed.view.length > 0 && (
        <Folded title="Rollout state that the action was bound to" isPrinted={false}>
          <SeenView view={parsed.view} />
        </Folded>
      )}
      <Folded title="Stored evidence" isPrinted={false}>
        <RecordedText>{JSON.stringify(evidence, null, 2)}</RecordedText>
      </Folded>
    </Stack>
  );
}

type SeenPhaseProps = {
  parsed: ParsedEvidence;
  /** Where it waited, in a sentence. */
  place: string | undefined;
};

function SeenPhase({ parsed: { phase, message, attention, holds }, place }: SeenPhaseProps) {
  if (phase === undefined) return null;
  const words = place ?? wordMessage(message ?? "");
  return (
    <Text component="div">
      <StateBadge shown={classifyMoment({ phase, attention, holds })} size="sm" />{" "}
      {words !== "" && <HostileText text={words} />}
    </Text>
  );
}

function SeenView({ view }: Pick<ParsedEvidence, "view">) {
  return (
    <Table.ScrollContainer minWidth={320}>
      <Table className={classes.view} verticalSpacing={3}>
        <Table.Caption className="visually-hidden">Rollout state that the action was bound to</Table.Caption>
        <Table.Tbody>
          {view.map(([field, value]) => (
            <Table.Tr key={field}>
              <Table.Th scope="row">{field}</Table.Th>
              <Table.Td>{typeof value === "string" ? value : value === null ? "none" : JSON.stringify(value)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function SeenRun({ run, judged }: { run: EvidenceRun; judged: readonly MetricEvidence[] }) {
  return (
    <section className={classes.run} aria-label={`Analysis run ${run.name}`}>
      <Group gap="sm">
        <Title order={3}>
          {run.uid === undefined ? (
            run.name
          ) : (
            <Anchor component={Link} href={runHref(run.uid)} inherit>
              {run.name}
            </Anchor>
          )}
        </Title>
        <StateBadge shown={classifyPhaseText(run.phase)} size="sm" />
      </Group>
      {run.message !== "" && (
        <Text size="sm">
          <HostileText text={run.message} />
        </Text>
      )}
      {run.metrics.toSorted(byConcern).map((metric) => (
        <SeenMetric key={metric.name} metric={metric} judged={judged.find((one) => one.metric === metric.name)} />
      ))}
    </section>
  );
}

/** Puts unsuccessful metrics first. */
function byConcern(one: EvidenceMetric, other: EvidenceMetric): number {
  return Number(one.phase === "Successful") - Number(other.phase === "Successful");
}

type SeenMetricProps = { metric: EvidenceMetric; judged: MetricEvidence | undefined };

/** Shows a metric beside its conditions and limit; as bare values if its rules are not frozen with it. */
function SeenMetric({ metric, judged }: SeenMetricProps) {
  const { noted = {} } = metric.measurements.at(-1) ?? {};
  const unit = judged?.unit ?? null;
  const limits = judged?.thresholds.map((threshold) => threshold.value);
  return (
    <div className={classes.metric}>
      {judged === undefined ? <BareMetric metric={metric} /> : <EvidenceLine evidence={judged} />}
      <Text
        size="xs"
        c="dimmed"
        component="ol"
        className={classes.values}
        aria-label={`Measurements of ${metric.name}`}
      >
        {metric.measurements.map(({ seq, value, phase: own }, index) => (
          <li key={seq ?? `at ${index}`} data-odd={own !== "Successful" || undefined}>
            <code title={value}>{value === undefined ? "no value" : showValue(value, unit, limits)}</code> {own}
          </li>
        ))}
      </Text>
      <NotedTexts texts={noted} label={`Notes on ${metric.name}`} />
    </div>
  );
}

function BareMetric({ metric: { name, phase, measurements } }: { metric: EvidenceMetric }) {
  return (
    <Group gap="sm">
      <Sparkline
        values={measurements.map(({ value }) => plotValue(value))}
        lastPhase={(measurements.at(-1)?.phase ?? null) as AnalysisPhase | null}
        label={`${name}, ${measurements.length} measurements`}
      />
      <Text size="sm" fw={600}>
        {name}
      </Text>
      <StateBadge shown={classifyPhaseText(phase)} size="sm" variant="plain" />
    </Group>
  );
}
