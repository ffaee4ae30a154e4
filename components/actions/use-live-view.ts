import { useState } from "react";
import type { ActTarget } from "#components/actions/act-target.ts";
import { findActSince, type SeenView } from "#components/actions/live-changes.ts";
import { useRollout, useRolloutReleases } from "#lib/client/rollout-queries.ts";
import { serverNowMs } from "#lib/client/server-clock.ts";
import type { ReleaseAct, RolloutDetail } from "#lib/contract/rollout.ts";
import { isDeliveryKind } from "#lib/domain/delivery/delivery-kind.ts";

export type LiveView = {
  /** The rollout as the page has it now; undefined while loading, and for a run or Experiment without an owner. */
  now: RolloutDetail | undefined;
  /** The state that the person saw when the dialog was opened, as complete as the page had it. */
  seen: SeenView;
  /** The same as a whole page; undefined while only a list row is known. */
  seenPage: RolloutDetail | undefined;
  verdict: ViewVerdict;
  /** The action is for a run or an Experiment, which the rollout's page does not offer. */
  isOfSubject: boolean;
  /** The newest act since then, of the people whom the reader may see. */
  act: ReleaseAct | undefined;
};

/** `moved`: something changed that the action does not depend on, or the action is protective and works anyway. */
export type ViewVerdict = "current" | "moved" | "stale";

type AssessInput = { now: RolloutDetail | undefined; target: ActTarget; known: readonly string[]; protective: boolean };

/**
 * Assesses whether the state that a person is about to confirm still exists. The server checks this again at the click.
 */
export function assessLiveView({ now, target, known, protective }: AssessInput): ViewVerdict {
  if (now === undefined || target.viewDigest === "" || known.includes(now.viewDigest)) return "current";
  const isSame = now.presence === "live" && now.uid === target.uid && now.revisionKey === target.revisionKey;
  return protective && isSame && now.stableRevisionKey !== now.revisionKey ? "moved" : "stale";
}

type LiveInput = {
  target: ActTarget;
  protective: boolean;
  /** The view in the refusal of a click; the page may not have received it yet. */
  refusedWith: string | undefined;
};

/** Follows a dialog's rollout while the dialog is open. */
export function useLiveView({ target, protective, refusedWith }: LiveInput): LiveView {
  const isRollout = isDeliveryKind(target.kind);
  const rollout = useRollout(target, isRollout);
  // A page cached from an earlier visit is older than the row that was clicked.
  const isNews = rollout.isFetchedAfterMount || rollout.data?.viewDigest === target.viewDigest;
  const now = isNews ? rollout.data : undefined;
  const [openedAt] = useState(() => new Date(serverNowMs()).toISOString());
  const seenPage = useSeenPage(target, now);
  const seen = seenPage ?? target;
  const known = [target.viewDigest, ...(refusedWith === undefined ? [] : [refusedWith])];
  const verdict = assessLiveView({ now, target, known, protective });
  const releases = useRolloutReleases(target, isRollout).items;
  const baseline = useBaseline(releases?.flatMap(({ acts }) => acts.latest[0]?.seq ?? 0));
  const isPast = verdict !== "current" || refusedWith !== undefined;
  const act = isPast
    ? findActSince({ releases: releases ?? [], seenAt: target.updatedAt ?? openedAt, baseline })
    : undefined;
  return { now, seen, seenPage, verdict, act, isOfSubject: target.subject !== undefined };
}

/** Returns the page of the clicked view once known; later changes are compared with it. */
function useSeenPage(target: ActTarget, now: RolloutDetail | undefined): RolloutDetail | undefined {
  const [seen, setSeen] = useState<RolloutDetail>();
  if (now !== undefined && now.viewDigest === target.viewDigest && seen?.viewDigest !== now.viewDigest) setSeen(now);
  return seen?.viewDigest === target.viewDigest ? seen : undefined;
}

/** Returns the newest entry that existed when the dialog first loaded. */
function useBaseline(seqs: readonly number[] | undefined): number | undefined {
  const [baseline, setBaseline] = useState<number>();
  if (seqs !== undefined && baseline === undefined) setBaseline(Math.max(0, ...seqs));
  return baseline;
}
