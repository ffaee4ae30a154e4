"use client";

import { Group, Text } from "@mantine/core";
import { ChooseBox, chooseColumn } from "#components/actions/choose-box.tsx";
import { ChosenBar } from "#components/actions/chosen-bar.tsx";
import { useChosen, useMayChoose } from "#components/actions/use-chosen.ts";
import { ImageChange } from "#components/rollouts/image-change.tsx";
import classes from "#components/rollouts/rollouts.module.css";
import { classifyRollout } from "#components/ui/classify-state.ts";
import { clusterColumn, teamColumn } from "#components/ui/common-columns.tsx";
import { FindingMark } from "#components/ui/finding-severity.tsx";
import { CutText, HostileText } from "#components/ui/hostile-text.tsx";
import { IconGitBranch } from "#components/ui/icons.tsx";
import type { Column } from "#components/ui/item-table.tsx";
import { ListView } from "#components/ui/list-view.tsx";
import { PlaceName } from "#components/ui/place-name.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { StateBadge } from "#components/ui/state-badge.tsx";
import type { ListState } from "#components/ui/use-list-state.ts";
import { describeWeight, WeightBar } from "#components/ui/weight-bar.tsx";
import { describeAborted } from "#lib/client/describe-images.ts";
import type { ItemList } from "#lib/client/list-queries.ts";
import { rolloutHref } from "#lib/client/rollout-path.ts";
import type { RolloutSummary } from "#lib/contract/rollout.ts";
import { currentStepNumber } from "#lib/domain/delivery/step-words.ts";

const empty = {
  icon: <IconGitBranch size={40} stroke={1.2} />,
  hint: "Every Argo Rollout in the configured clusters appears here once its source is live. The indicator at the top shows the state of the sources.",
};

/** Shows the rollouts of all clusters. */
export function RolloutTable({ list, state }: { list: ItemList<RolloutSummary>; state: ListState }) {
  const listed = list.items ?? [];
  const chosen = useChosen(listed);
  const mayChoose = useMayChoose();
  return (
    <>
      <ListView
        caption="Rollouts"
        list={list}
        state={state}
        keyOf={({ id }) => id}
        columns={rolloutColumns}
        lead={mayChoose ? chooseColumn({ chosen, items: listed, rolloutOf: (rollout) => rollout }) : undefined}
        card={(rollout) => (
          <RolloutCard rollout={rollout} lead={mayChoose && <ChooseBox chosen={chosen} rollout={rollout} />} />
        )}
        empty={empty}
      />
      <ChosenBar chosen={chosen} />
    </>
  );
}

/** Shows a rollout as a card, for narrow screens. */
function RolloutCard({ rollout, lead }: { rollout: RolloutSummary; lead: React.ReactNode }) {
  const { namespace, name, cluster, team, stepCount, weight, waitingSince } = rollout;
  return (
    <>
      <Group justify="space-between" gap="xs">
        <Group gap={8}>
          {lead}
          <RolloutState rollout={rollout} />
        </Group>
        {waitingSince !== null && (
          <Text size="xs" fw={600}>
            waiting <RelativeTime at={waitingSince} form="for" />
          </Text>
        )}
      </Group>
      <Text component="div" fw={600} mt={6}>
        <PlaceName href={rolloutHref(rollout)} namespace={namespace} name={name} />
      </Text>
      {hasReason(rollout) && (
        <Text component="div" size="sm" mt={2}>
          <Reason rollout={rollout} />
        </Text>
      )}
      <Group gap="sm" mt={4}>
        <Text size="sm" c="dimmed">
          {cluster}
          {team !== null && ` · ${team}`}
        </Text>
        {stepCount > 0 && !isQuiet(rollout) && !hasReason(rollout) && <Text size="sm">step {formatStep(rollout)}</Text>}
        {weight !== null &&
          (isQuiet(rollout) ? (
            <Text size="sm" c="dimmed">
              {describeWeight(weight)}
            </Text>
          ) : (
            <WeightBar weight={weight} width={48} />
          ))}
        <Version rollout={rollout} />
      </Group>
    </>
  );
}

/** A rollout that is listed for a finding shows that; its own state is only beside it, and "Healthy" would deny it. */
export function RolloutState({ rollout }: { rollout: RolloutSummary }) {
  const { attention, findings } = rollout;
  const shown = classifyRollout(rollout);
  if (attention?.reason !== "finding")
    return (
      <>
        <StateBadge shown={shown} size="sm" variant={isQuiet(rollout) ? "plain" : "tinted"} />
        <FindingMark findings={findings} />
      </>
    );
  return (
    <>
      <FindingMark findings={findings} />
      {rollout.phase !== "Healthy" && (
        <Text span size="xs" c="dimmed">
          {shown.word}
        </Text>
      )}
    </>
  );
}

/** Shows the versions; after an abort both, although the cluster may run only the stable one. */
function Version({ rollout, isOneLine = false }: { rollout: RolloutSummary; isOneLine?: boolean }) {
  const aborted = describeAborted(rollout);
  if (aborted === undefined) return <ImageChange images={rollout.images} isOneLine={isOneLine} />;
  return (
    <CutText title={aborted} lines={2}>
      <code>{aborted}</code>
    </CutText>
  );
}

function hasReason({ sentence }: RolloutSummary): boolean {
  return sentence !== undefined && sentence !== null;
}

/** Says why it waits or needs a fix, as the inbox does; nothing if it needs neither. */
export function Reason({ rollout: { sentence } }: { rollout: RolloutSummary }) {
  if (sentence === undefined || sentence === null) return null;
  return (
    <CutText title={sentence} lines={2}>
      <HostileText text={sentence} />
    </CutText>
  );
}

/** Blue-green and A/B testing have no weight. Before the switch, the active service serves the old version. */
export function wordWithoutWeight({ attention }: Pick<RolloutSummary, "attention">): string {
  return attention?.reason === "blueGreenPromotion" ? "0 %" : "–";
}

const rolloutColumns: readonly Column<RolloutSummary>[] = [
  {
    key: "state",
    header: "State, by urgency",
    width: "16%",
    sort: "need",
    cell: (rollout) => (
      <Group gap="2px 8px">
        <RolloutState rollout={rollout} />
      </Group>
    ),
  },
  {
    key: "name",
    header: "Rollout",
    width: "16%",
    isName: true,
    sort: "name",
    cell: (rollout) => <PlaceName href={rolloutHref(rollout)} namespace={rollout.namespace} name={rollout.name} />,
  },
  { ...clusterColumn, width: "9%", leaves: 3, sort: "cluster" },
  teamColumn,
  { key: "reason", header: "Reason", width: "21%", cell: (rollout) => <Reason rollout={rollout} /> },
  { key: "kind", header: "Kind", width: "8%", isExtra: true, cell: ({ kind }) => kind },
  { key: "strategy", header: "Strategy", width: "8%", isExtra: true, cell: ({ strategy }) => strategy ?? "unknown" },
  {
    key: "step",
    header: "Step",
    width: "6%",
    align: "right",
    isExtra: true,
    cell: formatStep,
  },
  {
    key: "weight",
    header: "Traffic",
    width: "12%",
    leaves: 3,
    cell: (rollout) =>
      rollout.weight === null ? (
        wordWithoutWeight(rollout)
      ) : isQuiet(rollout) ? (
        <Text span c="dimmed" inherit>
          {describeWeight(rollout.weight)}
        </Text>
      ) : (
        <span className={classes.slim}>
          <WeightBar weight={rollout.weight} width={56} />
          {/* A reason names the step itself. */}
          {rollout.stepCount > 0 && !hasReason(rollout) && ` · step ${formatStep(rollout)}`}
        </span>
      ),
  },
  { key: "images", header: "Version", width: "13%", cell: (rollout) => <Version rollout={rollout} isOneLine /> },
  {
    key: "time",
    header: "In this state for",
    width: "12%",
    align: "right",
    noWrap: true,
    sort: "waitingSince",
    cell: (rollout) => {
      const { word, at } = findSince(rollout);
      if (at === null)
        return (
          <Text span c="dimmed" inherit>
            unknown
          </Text>
        );
      const isPast = word === "changed" || word === "promoted";
      return (
        <Text span inherit {...(word === "waiting" ? { fw: 600 } : { c: "dimmed" })}>
          {isPast ? `${word} ` : <span className="visually-hidden">{word} </span>}
          <RelativeTime at={at} form={isPast ? "ago" : "since"} />
        </Text>
      );
    },
  },
];

/**
 * Returns since when a rollout has been waiting or in trouble. Of a healthy one, when its version was promoted: it may
 * have been unhealthy since. Of others only the last change is known.
 */
export function findSince({
  phase,
  waitingSince,
  stableSince,
  attention,
  updatedAt,
}: Pick<RolloutSummary, "phase" | "waitingSince" | "stableSince" | "attention" | "updatedAt">): {
  word: string;
  at: string | null;
} {
  if (waitingSince !== null) return { word: "waiting", at: waitingSince };
  if (attention !== null) return { word: "in this state for", at: attention.since };
  return phase === "Healthy" ? { word: "promoted", at: stableSince } : { word: "changed", at: updatedAt };
}

/** Formats the current step of the total, counted from 1: "4/8". A dash if the strategy has no steps. */
export function formatStep(rollout: Pick<RolloutSummary, "step" | "stepCount" | "abortPoint">): string {
  return rollout.stepCount === 0 ? "–" : `${currentStepNumber(rollout) ?? "?"}/${rollout.stepCount}`;
}

/** Returns whether a rollout is healthy and needs no attention: the quietest row of the list. */
function isQuiet({ phase, attention, findings }: RolloutSummary): boolean {
  return phase === "Healthy" && attention === null && findings.open === 0;
}
