import { Accordion, Anchor, Code, Group, Stack, Table, Text, Title } from "@mantine/core";
import Link from "next/link";
import classes from "#components/audit/audit.module.css";
import {
  type EvidenceMetric,
  type EvidenceRun,
  type ParsedEvidence,
  parseEvidence,
  plotValue,
} from "#components/audit/parse-evidence.ts";
import { Sparkline } from "#components/charts/sparkline.tsx";
import { classifyMoment, classifyPhaseText } from "#components/ui/classify-state.ts";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { StateBadge } from "#components/ui/state-badge.tsx";
import { runHref } from "#lib/client/rollout-path.ts";
import type { AnalysisPhase } from "#lib/contract/common.ts";
import { wordMessage } from "#lib/domain/controller-words.ts";

/** Shows the frozen evidence: its content never changes, whatever the pages show today. */
export function Evidence({ evidence }: { evidence: unknown }) {
  const parsed = parseEvidence(evidence);
  return (
    <Stack gap="md">
      {parsed !== undefined && (
        <>
          <SeenPhase parsed={parsed} />
          {parsed.runs.map((run) => (
            <SeenRun key={run.uid ?? run.name} run={run} />
          ))}
        </>
      )}
      <Accordion
        multiple
        variant="default"
        chevronPosition="left"
        styles={{ content: { padding: 0 }, control: { paddingInline: 0 } }}
      >
        {parsed !== undefined && parsed.view.length > 0 && (
          <Accordion.Item value="view" style={{ border: 0 }}>
            <Accordion.Control>
              <Text size="sm">Rollout state that the action was bound to</Text>
            </Accordion.Control>
            <Accordion.Panel>
              <SeenView view={parsed.view} />
            </Accordion.Panel>
          </Accordion.Item>
        )}
        <Accordion.Item value="text" style={{ border: 0 }}>
          <Accordion.Control>
            <Text size="sm">Stored evidence</Text>
          </Accordion.Control>
          <Accordion.Panel>
            <Code block className={classes.code}>
              {JSON.stringify(evidence, null, 2)}
            </Code>
          </Accordion.Panel>
        </Accordion.Item>
      </Accordion>
    </Stack>
  );
}

function SeenPhase({ parsed: { phase, message, attention, holds } }: { parsed: ParsedEvidence }) {
  if (phase === undefined) return null;
  return (
    <Text>
      The rollout was <StateBadge shown={classifyMoment({ phase, attention, holds })} size="sm" />
      {message === undefined || message === "" ? "" : <HostileText text={`: ${wordMessage(message)}`} />}
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

function SeenRun({ run }: { run: EvidenceRun }) {
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
      {run.metrics.map((metric) => (
        <SeenMetric key={metric.name} metric={metric} />
      ))}
    </section>
  );
}

function SeenMetric({ metric: { name, phase, measurements } }: { metric: EvidenceMetric }) {
  return (
    <div className={classes.metric}>
      <Group gap="sm">
        <Sparkline
          values={measurements.map(({ value }) => plotValue(value))}
          phase={phase as AnalysisPhase}
          label={`${name}, ${measurements.length} measurements`}
        />
        <Text size="sm" fw={600}>
          {name}
        </Text>
        <StateBadge shown={classifyPhaseText(phase)} size="sm" variant="plain" />
      </Group>
      <Text size="xs" c="dimmed" component="ol" className={classes.values}>
        {measurements.map(({ seq, value, phase: own }, index) => (
          <li key={seq ?? `at ${index}`}>
            <code>{value ?? "no value"}</code> {own}
          </li>
        ))}
      </Text>
    </div>
  );
}
