"use client";

import { Anchor, Text } from "@mantine/core";
import Link from "next/link";
import classes from "#components/ui/finding-list.module.css";
import { classifyFinding } from "#components/ui/finding-severity.tsx";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { StateBadge } from "#components/ui/state-badge.tsx";
import { findingHref, useFindings } from "#lib/client/finding-queries.ts";
import type { Filters } from "#lib/client/query-keys.ts";
import type { Finding } from "#lib/contract/finding.ts";

type FindingListProps = {
  /** Which findings; see the query of the list. */
  filters: Filters;
  /** Heading of the list, for readers who cannot see it. */
  label: string;
  /** If given, shows only the findings that it keeps. */
  keeps?: (finding: Finding) => boolean;
};

const shown = 5;

/** Lists the open findings about one object, most useful above its page; renders nothing without findings. */
export function FindingList({ filters, label, keeps = () => true }: FindingListProps) {
  const { items: loaded, error, hasMore } = useFindings({ state: "active", ...filters }, { pageSize: shown });
  const items = loaded?.filter(keeps);
  if (error !== null && items === undefined)
    return (
      <Text size="sm" c="dimmed" role="status">
        Findings could not be loaded: <HostileText text={error.message} />
      </Text>
    );
  if (items === undefined || items.length === 0) return null;
  return (
    <section aria-label={label} className={classes.list}>
      <ul>
        {items.map((finding) => (
          <li key={finding.id}>
            <StateBadge shown={classifyFinding(finding)} size="sm" />
            <span className={classes.title}>
              <Anchor component={Link} href={findingHref(finding.id)} inherit>
                <HostileText text={finding.title} />
              </Anchor>{" "}
              <Text span size="xs" c="dimmed">
                <RelativeTime at={finding.since} />
              </Text>
            </span>
          </li>
        ))}
      </ul>
      {hasMore && (
        <Anchor component={Link} href={`/findings?${new URLSearchParams(pick(filters))}`} size="sm">
          All findings
        </Anchor>
      )}
    </section>
  );
}

function pick(filters: Filters): Record<string, string> {
  return Object.fromEntries(
    Object.entries(filters).flatMap(([name, value]) =>
      value === null || value === undefined ? [] : [[name, String(value)]],
    ),
  );
}
