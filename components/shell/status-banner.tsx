"use client";

import { Alert, Text } from "@mantine/core";
import { IconPlugConnectedX } from "@tabler/icons-react";
import Link from "next/link";
import { formatDuration } from "#components/ui/format-time.ts";
import { useFreshness } from "#components/ui/use-freshness.ts";
import { useNow } from "#components/ui/use-now.ts";
import { useClusters } from "#lib/client/system-queries.ts";

/** Says only what changes what a person may do: stale data, and clusters that are read-only. */
export function StatusBanner() {
  const freshness = useFreshness();
  const now = useNow();
  const clusters = useClusters().data?.items;
  const isReadOnly = clusters !== undefined && clusters.length > 0 && clusters.every(({ access }) => access === "read");
  const length = freshness.sinceMs === undefined || now === 0 ? "" : ` for ${formatDuration(now - freshness.sinceMs)}`;

  if (freshness.tone === "bad") {
    return (
      <Alert
        color="orange"
        variant="outline"
        mb="md"
        role="status"
        bg="var(--gh-surface)"
        icon={<IconPlugConnectedX size={18} />}
      >
        <Text size="sm">
          {freshness.words === "no answer"
            ? `Gatehouse has not answered${length}. What you see may be out of date; it comes back by itself.`
            : `${describeTrouble(freshness.troubled)} stale${length}: actions that advance a rollout there are off until it is live again. Aborting still works where the cluster answers.`}{" "}
          <Link href="/sources">Sources</Link>
        </Text>
      </Alert>
    );
  }
  if (isReadOnly) {
    return (
      <Alert color="gray" variant="outline" mb="md" role="status" bg="var(--gh-surface)">
        <Text size="sm">Read-only: Gatehouse watches these clusters and acts on none of them.</Text>
      </Alert>
    );
  }
  return null;
}

function describeTrouble(troubled: { cluster: string }[]): string {
  const names = [...new Set(troubled.map(({ cluster }) => cluster))];
  return names.length === 1 ? `Cluster ${names[0]} is` : `Clusters ${names.join(", ")} are`;
}
