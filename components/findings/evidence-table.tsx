import { Anchor, Table, Text } from "@mantine/core";
import Link from "next/link";
import { formatExact } from "#components/ui/format-time.ts";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { auditHref, experimentHref, runHref } from "#lib/client/rollout-path.ts";
import type { FindingEvidence } from "#lib/contract/finding.ts";

/** Shows the evidence of a finding: each fact with its time and a link to check it. */
export function EvidenceTable({ evidence }: { evidence: readonly FindingEvidence[] }) {
  if (evidence.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No evidence was recorded with this finding.
      </Text>
    );
  return (
    <Table>
      <Table.Caption className="visually-hidden">Evidence</Table.Caption>
      <Table.Tbody>
        {evidence.map((piece) => (
          <Table.Tr key={JSON.stringify(piece)}>
            <Table.Th scope="row" w="clamp(6rem, 25%, 12rem)" fw={400} c="dimmed">
              <HostileText text={piece.label} />
            </Table.Th>
            <Table.Td style={{ overflowWrap: "anywhere" }}>
              <EvidenceValue piece={piece} />
              {piece.at !== null && (
                <Text span size="xs" c="dimmed">
                  {" "}
                  <RelativeTime at={piece.at} />
                </Text>
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function EvidenceValue({ piece: { value, link, at } }: { piece: FindingEvidence }) {
  if (link === null) return <HostileText text={value === at ? formatExact(at) : value} />;
  return (
    <Anchor component={Link} href={evidenceHref(link)} inherit>
      <HostileText text={value} />
    </Anchor>
  );
}

function evidenceHref(link: NonNullable<FindingEvidence["link"]>): string {
  switch (link.to) {
    case "run":
      return runHref(link.uid);
    case "experiment":
      return experimentHref(link.uid);
    case "audit":
      return auditHref(Number(link.seq));
    case "source":
      return "/sources";
    case "controller":
      return `/controllers/${link.id.split("/").map(encodeURIComponent).join("/")}`;
  }
}
