"use client";

import { Badge, Button, Skeleton, Table, Text, Title } from "@mantine/core";
import { parseAsString, useQueryState } from "nuqs";
import { Fragment, useState } from "react";
import classes from "#components/rollouts/rollouts.module.css";
import { classifyPod } from "#components/ui/classify-state.ts";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { IconChevronDown, IconChevronRight } from "#components/ui/icons.tsx";
import { LoadMore, QueryView } from "#components/ui/query-view.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { StateBadge } from "#components/ui/state-badge.tsx";
import { type HeadColumn, TableHead } from "#components/ui/table-parts.tsx";
import { shortenImage } from "#lib/client/describe-images.ts";
import { useRolloutPods } from "#lib/client/rollout-queries.ts";
import type { RolloutPod } from "#lib/contract/cluster-objects.ts";
import type { RolloutDetail } from "#lib/contract/rollout.ts";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";

const columns: readonly HeadColumn[] = [
  { header: "Revision" },
  { header: "Image" },
  { header: "Ready", align: "right" },
  { header: "Restarts", align: "right" },
];

/**
 * Shows the ReplicaSets, with their pods on demand; the URL keeps which ones are expanded. Those of earlier revisions,
 * which have no pods and serve nothing, are one line.
 */
export function ReplicaSets({ rollout }: { rollout: RolloutDetail }) {
  const { replicaSets } = rollout;
  const [opened, setOpened] = useQueryState("pods", parseAsString.withOptions({ history: "replace" }));
  const [areAllShown, showAll] = useState(false);
  if (replicaSets.length === 0) return null;
  const used = replicaSets.filter(
    ({ name, tags, replicas, pods }) => tags.length > 0 || replicas > 0 || pods.total > 0 || name === opened,
  );
  const unused = replicaSets.length - used.length;
  const isFolded = unused > 1 && !areAllShown;
  return (
    <section className={classes.panel}>
      <Title order={2} mb="xs" id="replica-sets">
        ReplicaSets
      </Title>
      <Table.ScrollContainer minWidth={300}>
        <Table aria-labelledby="replica-sets" horizontalSpacing={6} className={classes.sets}>
          <TableHead columns={columns} />
          <Table.Tbody>
            {(isFolded ? used : replicaSets).map((replicaSet) => (
              <Fragment key={replicaSet.name}>
                <ReplicaSetRow
                  replicaSet={replicaSet}
                  isOpen={opened === replicaSet.name}
                  onToggle={() => void setOpened(opened === replicaSet.name ? null : replicaSet.name)}
                />
                {opened === replicaSet.name && (
                  <Table.Tr>
                    <Table.Td colSpan={4} className={classes.pods}>
                      <PodList rollout={rollout} replicaSet={replicaSet.name} />
                    </Table.Td>
                  </Table.Tr>
                )}
              </Fragment>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {isFolded && (
        <Button size="compact-sm" variant="subtle" mt="xs" onClick={() => showAll(true)}>
          Show {unused} old ReplicaSets
        </Button>
      )}
    </section>
  );
}

type ReplicaSetRowProps = {
  replicaSet: RolloutDetail["replicaSets"][number];
  isOpen: boolean;
  onToggle: () => void;
};

function ReplicaSetRow({ replicaSet, isOpen, onToggle }: ReplicaSetRowProps) {
  const { name, revision, podHash, tags, images, replicas, pods } = replicaSet;
  const wanted = Math.max(replicas, pods.total);
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <Table.Tr>
      <Table.Th scope="row">
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          c="inherit"
          px={4}
          leftSection={<Chevron size={14} aria-hidden="true" />}
          data-printed
          aria-expanded={isOpen}
          aria-label={`Pods of revision ${revision ?? podHash}`}
          title={name}
          onClick={onToggle}
        >
          {revision ?? podHash}
        </Button>
        {tags.map((tag) => (
          <Badge key={tag} variant="default" size="sm" ml={4} tt="none">
            {tag}
          </Badge>
        ))}
      </Table.Th>
      <Table.Td title={images.join(", ")} className={classes.image}>
        {images.map(shortenImage).join(", ")}
      </Table.Td>
      <Table.Td ta="right">
        <Text span fw={pods.ready < wanted ? 600 : undefined} inherit>
          {pods.ready} of {wanted}
        </Text>
      </Table.Td>
      <Table.Td ta="right">
        {pods.restarts > 0 ? (
          <Text span fw={600} inherit>
            {pods.restarts}
          </Text>
        ) : (
          0
        )}
      </Table.Td>
    </Table.Tr>
  );
}

/** Shows the pods of a ReplicaSet, including deleted ones. */
function PodList({ rollout, replicaSet }: { rollout: ObjectRef; replicaSet: string }) {
  const list = useRolloutPods(rollout, { replicaSet });
  return (
    <QueryView
      what="The pods"
      query={{ data: list.items, error: list.error, refetch: list.retry }}
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
