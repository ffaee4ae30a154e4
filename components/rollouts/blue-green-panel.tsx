"use client";

import { Text } from "@mantine/core";
import classes from "#components/rollouts/rollouts.module.css";
import { Section } from "#components/ui/section.tsx";
import { StateIcon } from "#components/ui/state-badge.tsx";
import type { StateKey } from "#components/ui/state-tokens.ts";
import { useNow } from "#components/ui/use-now.ts";
import { shortenImage } from "#lib/client/describe-images.ts";
import { formatDuration } from "#lib/client/format-duration.ts";
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
    <Section id="blue-green" title="Blue-green" className={classes.panel}>
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
    </Section>
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

type PromotionFacts = Pick<RolloutDetail, "blueGreen" | "replicaSets" | "pauseConditions" | "currentRuns" | "aborted">;

type PromotionLine = { state: StateKey; words: string };

/**
 * Describes what a blue-green rollout does next, in a sentence. Undefined for other strategies, and if only the active
 * version exists.
 */
export function describePromotion(rollout: PromotionFacts, nowMs: number): PromotionLine | undefined {
  const { blueGreen, replicaSets, pauseConditions, aborted } = rollout;
  if (blueGreen === null) return undefined;
  if (aborted) return { state: "failed", words: "Aborted: the active version stays." };
  const hasPreview = replicaSets.some(({ tags }) => tags.includes("preview"));
  if (!hasPreview) return describeAfterSwitch(rollout);
  if (pauseConditions.some(({ reason }) => reason.startsWith("Inconclusive")))
    return { state: "inconclusive", words: "Pre-promotion analysis ended Inconclusive; waiting for a person." };
  if (pauseConditions.some(({ reason }) => reason === "BlueGreenPause")) return describePause(blueGreen, nowMs);
  const before = findRun(rollout, "prePromotion");
  if (before === "Running" || before === "Pending")
    return { state: "running", words: `Analyzing the preview. ${promotionRule(blueGreen)}` };
  return { state: "running", words: `Preparing the preview. ${promotionRule(blueGreen)}` };
}

function describePause(blueGreen: NonNullable<RolloutDetail["blueGreen"]>, nowMs: number): PromotionLine {
  const { promotion, promotesAt } = blueGreen;
  if (promotion === "person") return { state: "waiting", words: "Ready for promotion." };
  if (promotesAt === null) return { state: "timed", words: `The preview is ready. ${promotionRule(blueGreen)}` };
  if (nowMs === 0) return { state: "timed", words: "The preview is ready and will be promoted automatically." };
  const left = Date.parse(promotesAt) - nowMs;
  return left > 0
    ? { state: "timed", words: `The preview is ready and will be promoted automatically in ${formatDuration(left)}.` }
    : { state: "timed", words: "The preview is ready; automatic promotion is due." };
}

function promotionRule({ promotion, autoPromotionSeconds }: NonNullable<RolloutDetail["blueGreen"]>): string {
  switch (promotion) {
    case "person":
      return "Then it waits for a person to promote it.";
    case "timed":
      return `It is promoted automatically ${formatDuration((autoPromotionSeconds ?? 0) * 1000)} after it is ready.`;
    case "immediate":
      return "It is promoted automatically once it is ready.";
  }
}

function describeAfterSwitch(rollout: PromotionFacts): PromotionLine | undefined {
  const after = findRun(rollout, "postPromotion");
  if (after === "Running" || after === "Pending")
    return { state: "running", words: "Promoted. Post-promotion analysis is in progress." };
  const previous = rollout.replicaSets.filter(
    ({ tags, pods, replicas }) => !tags.includes("active") && Math.max(pods.total, replicas) > 0,
  );
  const delay = rollout.blueGreen?.scaleDownDelaySeconds ?? 0;
  if (previous.length === 0) return undefined;
  return {
    state: "timed",
    words: `Promoted. The previous version is kept for ${formatDuration(delay * 1000)} after the switch, then scaled down.`,
  };
}

function findRun({ currentRuns }: PromotionFacts, wanted: "prePromotion" | "postPromotion"): string | undefined {
  return currentRuns.find(({ role }) => role === wanted)?.phase;
}
