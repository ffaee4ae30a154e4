"use client";

import { Anchor, Paper, Skeleton, Text, Title } from "@mantine/core";
import Link from "next/link";
import classes from "#components/rollouts/abort-summary.module.css";
import { AuditEffect, AuditItems } from "#components/ui/audit-items.tsx";
import { AuditSentence } from "#components/ui/audit-sentence.tsx";
import { QueryView } from "#components/ui/query-view.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { useAudit } from "#lib/client/audit-queries.ts";
import { auditHref } from "#lib/client/rollout-path.ts";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";

export function AuditTab({ rollout }: { rollout: ObjectRef }) {
  const { cluster, namespace, name } = rollout;
  return (
    <>
      <AbortSummary rollout={rollout} />
      <AuditItems list={useAudit({ cluster, namespace, name, rows: "acts" })} isFiltered={false} />
    </>
  );
}

const shownAborts = 3;

/** Shows who aborted this rollout, when and why, through Gatehouse or outside it: the latest first. */
function AbortSummary({ rollout: { cluster, namespace, name } }: { rollout: ObjectRef }) {
  const list = useAudit({ cluster, namespace, name, action: "abort", outcome: "applied" });
  return (
    <Paper withBorder p="sm" mb="md" component="section" aria-labelledby="aborts">
      <Title order={2} id="aborts" size="h3" mb={4}>
        Who aborted it
      </Title>
      <QueryView
        what="Who aborted it"
        query={{ data: list.items, error: list.error, refetch: list.retry }}
        skeleton={<Skeleton height={20} width="60%" aria-hidden="true" />}
      >
        {(items) => (
          // A second person's decision on an abort has an entry about an abort, but is not an abort.
          <Aborts items={items.filter(({ code }) => !code.startsWith("approval."))} />
        )}
      </QueryView>
    </Paper>
  );
}

function Aborts({ items }: { items: NonNullable<ReturnType<typeof useAudit>["items"]> }) {
  if (items.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No person or client aborted it. The controller aborts when an analysis fails.
      </Text>
    );
  }
  return (
    <ul className={classes.aborts}>
      {items.slice(0, shownAborts).map((item) => (
        <li key={item.seq}>
          <AuditSentence item={item} />
          <AuditEffect item={item} />
          {" · "}
          <RelativeTime at={item.time} />
          {" · "}
          <Anchor component={Link} href={auditHref(item.seq)} inherit>
            entry {item.seq}
          </Anchor>
        </li>
      ))}
    </ul>
  );
}
