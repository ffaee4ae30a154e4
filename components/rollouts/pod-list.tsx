"use client";

import { Skeleton, Text } from "@mantine/core";
import classes from "#components/rollouts/rollouts.module.css";
import { classifyPod } from "#components/ui/classify-state.ts";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { LoadMore } from "#components/ui/load-more.tsx";
import { QueryView } from "#components/ui/query-view.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { StateBadge } from "#components/ui/state-badge.tsx";
import { useRolloutPods } from "#lib/client/rollout-queries.ts";
import type { RolloutPod } from "#lib/contract/cluster-objects.ts";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";

/** Shows the pods of a ReplicaSet, including deleted ones. */
export function PodList({ rollout, replicaSet }: { rollout: ObjectRef; replicaSet: string }) {
  const list = useRolloutPods(rollout, { replicaSet });
  return (
    <QueryView
      what="The pods"
      data={list.items}
      error={list.error}
      retry={list.retry}
      skeleton={<Skeleton height={60} />}
    >
      {(pods) =>
        pods.length === 0 ? (
          <Text size="sm" c="dimmed">
            No pods recorded.
          </Text>
        ) : (
          <>
            <ul className={classes.podList} aria-label={`Pods of ${replicaSet}`}>
              {pods.map((pod) => (
                <Pod key={pod.uid} pod={pod} />
              ))}
            </ul>
            <LoadMore hasMore={list.hasMore} isLoading={list.isLoadingMore} onLoad={list.loadMore} />
          </>
        )
      }
    </QueryView>
  );
}

function Pod({ pod }: { pod: RolloutPod }) {
  const { name, phase, reason, message, containers, readyContainers, restarts, node, createdAt, goneAt } = pod;
  return (
    <li className={classes.pod}>
      <div className={classes.podLine}>
        <StateBadge shown={classifyPod(pod)} size="sm" variant="plain" />
        <span className={classes.wrap}>{name}</span>
      </div>
      <Text size="xs" c="dimmed">
        {phase}
        {reason !== null && `, ${reason}`} · {readyContainers} of {containers} containers ready · {restarts} restarts
        {node !== null && ` · on ${node}`} · {goneAt === null ? "created " : "gone "}
        <RelativeTime at={goneAt ?? createdAt} />
      </Text>
      {message !== "" && (
        <Text size="xs">
          <HostileText text={message} />
        </Text>
      )}
    </li>
  );
}
