"use client";

import { Text } from "@mantine/core";
import { describeChanges } from "#components/actions/describe-changes.ts";
import { describeMove } from "#components/actions/describe-move.ts";
import { listOffers } from "#components/actions/list-offers.ts";
import { listChanges } from "#components/actions/live-changes.ts";
import type { Conflict } from "#components/actions/read-conflict.ts";
import { StaleNotice, StaleStory } from "#components/actions/stale-notice.tsx";
import type { LiveView } from "#components/actions/use-live-view.ts";
import { nameVersion } from "#lib/client/describe-images.ts";
import type { AllowedAction } from "#lib/contract/rollout.ts";

type LiveNoticeProps = {
  live: LiveView;
  isStale: boolean;
  /** The click was refused because of these changes. */
  conflict: Conflict | undefined;
  isBlocked: boolean;
  asked: AllowedAction;
  onTake: (action: AllowedAction) => void;
};

/** Changes to the effect of the action, although the view is the same. */
const planFields: readonly string[] = ["passesPauses", "targetVersion"];

/** Shows what happened to the rollout while the dialog is open; renders nothing if nothing did. */
export function LiveNotice({ live, isStale, conflict, isBlocked, asked, onTake }: LiveNoticeProps) {
  const { now, seen, verdict, act } = live;
  const planChange = conflict?.changes.find(({ field }) => planFields.includes(field))?.text;
  const move = planChange ?? (now === undefined ? (conflict?.detail ?? "") : describeMove(seen, now));
  if (conflict === undefined && verdict === "moved") {
    return (
      <Text size="sm" c="var(--gh-orange-text)" role="status">
        <StaleStory act={act} move={move} /> {asked.label} still applies to this version.
      </Text>
    );
  }
  if (conflict === undefined && !isStale) return null;
  const changes =
    conflict !== undefined && !isStale ? conflict.changes : now === undefined ? [] : listChanges(seen, now);
  const rows = describeChanges(changes, {
    versionOf: (hash) => (now === undefined ? hash : nameVersion(now, hash)),
    stepCount: now?.stepCount ?? 0,
  });
  // After a refused click, the button itself asks again; before one, the person first switches to the current state.
  const isOffered = isStale || isBlocked;
  const actions = isOffered ? (now?.allowedActions ?? []) : [];
  return (
    <StaleNotice
      act={act}
      move={move}
      refusal={conflict?.detail}
      rows={rows}
      offers={live.isOfSubject ? (isOffered ? [asked] : []) : listOffers(actions, asked.action)}
      isAnswered={!isOffered}
      asked={asked.action}
      onTake={onTake}
    />
  );
}
