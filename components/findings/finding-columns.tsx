import { Group, Text } from "@mantine/core";
import classes from "#components/findings/findings.module.css";
import { CutText } from "#components/ui/cut-text.tsx";
import { HostileText } from "#components/ui/hostile-text.tsx";
import type { Column } from "#components/ui/item-table.tsx";
import { PlaceText } from "#components/ui/place-name.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { RowLink } from "#components/ui/row-link.tsx";
import { classifyFinding, classifySeverity, nameTarget } from "#components/ui/severity.ts";
import { StateBadge } from "#components/ui/state-badge.tsx";
import { findingHref } from "#lib/client/finding-queries.ts";
import type { Finding } from "#lib/contract/finding.ts";

export const findingColumns: readonly Column<Finding>[] = [
  {
    key: "severity",
    header: "Severity",
    width: "13%",
    cell: (finding) => <Severity finding={finding} />,
  },
  {
    key: "title",
    header: "Finding",
    width: "46%",
    isName: true,
    cell: ({ id, title, ruleName }) => (
      <>
        <span className={classes.sentence}>
          <RowLink href={findingHref(id)}>
            <HostileText text={title} />
          </RowLink>
        </span>
        <Text size="xs" c="dimmed" fw={400}>
          {ruleName}
        </Text>
      </>
    ),
  },
  { key: "target", header: "About", width: "19%", cell: (finding) => <About finding={finding} /> },
  {
    key: "cluster",
    header: "Cluster",
    width: "9%",
    leaves: 3,
    cell: ({ target }) => <CutText title={target.cluster}>{target.cluster}</CutText>,
  },
  {
    key: "time",
    header: "Since",
    width: "13%",
    align: "right",
    noWrap: true,
    cell: ({ since }) => <RelativeTime at={since} />,
  },
];

/** Names the finding's target, in one line. */
function About({ finding }: { finding: Finding }) {
  const { about, target } = finding;
  if (about === "rollout") return <PlaceText namespace={target.namespace} name={target.name} />;
  return <CutText title={nameTarget(finding)}>{nameTarget(finding)}</CutText>;
}

/** Shows the severity of an open finding; otherwise its state, with the former severity below. */
function Severity({ finding }: { finding: Finding }) {
  const shown = classifyFinding(finding);
  return (
    <>
      <StateBadge shown={shown} size="sm" />
      {finding.state !== "open" && (
        <Text size="xs" c="dimmed" mt={2}>
          was {classifySeverity(finding.severity).word.toLowerCase()}
        </Text>
      )}
    </>
  );
}

/** Shows a finding as a card, for narrow screens. */
export function FindingCard({ finding }: { finding: Finding }) {
  return (
    <>
      <Group justify="space-between" gap="xs">
        <StateBadge shown={classifyFinding(finding)} size="sm" />
        <Text size="xs" c="dimmed">
          <RelativeTime at={finding.since} />
        </Text>
      </Group>
      <Text mt={4} className={classes.sentence}>
        <RowLink href={findingHref(finding.id)}>
          <HostileText text={finding.title} />
        </RowLink>
      </Text>
      <Text component="div" size="sm">
        <About finding={finding} />
      </Text>
      <Text size="sm" c="dimmed">
        {finding.target.cluster} · {finding.ruleName}
      </Text>
    </>
  );
}
