"use client";

import { Text, Title } from "@mantine/core";
import { describePromotion } from "#components/rollouts/describe-promotion.ts";
import classes from "#components/rollouts/rollouts.module.css";
import { StateIcon } from "#components/ui/state-badge.tsx";
import { useNow } from "#components/ui/use-now.ts";
import { shortenImage } from "#lib/client/describe-images.ts";
import type { RolloutDetail } from "#lib/contract/rollout.ts";

type ReplicaSet = RolloutDetail["replicaSets"][number];

/** Shows which version serves, which one stands by, and what switches them. */
export function BlueGreenPanel({ rollout }: { rollout: RolloutDetail }) {
  const next = describePromotion(rollout, useNow());
  const { blueGreen, replicaSets } = rollout;
  if (blueGreen === null) return null;
  const active = replicaSets.find(({ tags }) => tags.includes("active"));
  const preview = replicaSets.find(({ tags }) => tags.includes("preview"));
  return (
    <section className={classes.panel} aria-labelledby="blue-green">
      <Title order={2} id="blue-green" mb="xs">
        Blue-green
      </Title>
      <div className={classes.sides}>
        <Side
          title="Active"
          says="serves all traffic"
          service={blueGreen.activeService}
          replicaSet={active}
          none="No active version yet."
        />
        <Side
          title="Preview"
          says="on standby"
          service={blueGreen.previewService}
          replicaSet={preview}
          none="No version on standby."
        />
      </div>
      {next !== undefined && (
        <Text size="sm" mt="xs" className={classes.next}>
          <StateIcon state={next.state} /> <span>{next.words}</span>
        </Text>
      )}
    </section>
  );
}

type SideProps = {
  title: string;
  says: string;
  service: string | null;
  replicaSet: ReplicaSet | undefined;
  none: string;
};

function Side({ title, says, service, replicaSet, none }: SideProps) {
  return (
    <div className={classes.side}>
      <Text size="xs" c="dimmed">
        <strong>{title}</strong>, {says}
      </Text>
      {replicaSet === undefined ? (
        <Text size="sm" c="dimmed">
          {none}
        </Text>
      ) : (
        <>
          <Text fw={600} title={replicaSet.images.join(", ")}>
            {replicaSet.images.map(shortenImage).join(", ") || "unknown image"}
          </Text>
          <Text size="sm">
            {replicaSet.revision === null ? replicaSet.podHash : `revision ${replicaSet.revision}`},{" "}
            {replicaSet.available} of {replicaSet.replicas} available
          </Text>
        </>
      )}
      {service !== null && (
        <Text size="xs" c="dimmed">
          Service {service}
        </Text>
      )}
    </div>
  );
}
