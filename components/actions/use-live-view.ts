import { useState } from "react";
import type { ActTarget } from "#components/actions/act-target.ts";
import { findActSince } from "#components/actions/describe-move.ts";
import type { SeenView } from "#components/actions/live-changes.ts";
import { useRollout, useRolloutReleases } from "#lib/client/rollout-queries.ts";
import { serverNowMs } from "#lib/client/server-clock.ts";
import type { ReleaseAct, RolloutDetail } from "#lib/contract/rollout.ts";

export type LiveView = {
  /** The rollout as the page knows it now; undefined for a run or Experiment that none owns, and until it is there. */
  now: RolloutDetail | undefined;
  /** What the person looked at when the dialog was opened, as fully as the page knew it. */
  seen: SeenView;
  /** The same as a page; undefined while no more than a row of a list is known. */
  seenPage: RolloutDetail | undefined;
  verdict: ViewVerdict;
  /** The action is one of a run or an Experiment, which the rollout's page does not offer. */
  isOfSubject: boolean;
  /** Who acted since, of those that the person may see. */
  act: ReleaseAct | undefined;
};

/** `moved`: something else than what the action rests on; it is protective and works all the same. */
export type ViewVerdict = "current" | "moved" | "stale";

type AssessInput = { now: RolloutDetail | undefined; target: ActTarget; known: readonly string[]; protective: boolean };

/** Whether what a person is about to confirm is still there. The server asks the same again at the click. */
export function assessLiveView({ now, target, known, protective }: AssessInput): ViewVerdict {
  if (now === undefined || target.viewDigest === "" || known.includes(now.viewDigest)) return "current";
  const isSame = now.presence === "live" && now.uid === target.uid && now.revisionKey === target.revisionKey;
  return protective && isSame && now.stableRevisionKey !== now.revisionKey ? "moved" : "stale";
}

type LiveInput = {
  target: ActTarget;
  protective: boolean;
  /** A refused click told a view that the page may not have heard of yet. */
  refusedWith: string | undefined;
};

/** Follows, while a dialog is open, the rollout that it is about. */
export function useLiveView({ target, protective, refusedWith }: LiveInput): LiveView {
  const isRollout = target.kind === "Rollout" || target.kind === "Canary";
  const rollout = useRollout(target, isRollout);
  // A page that was kept from an earlier visit is older than the row that was clicked.
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

/** The page of the view that was clicked, once it is known: what changes later is compared with it. */
function useSeenPage(target: ActTarget, now: RolloutDetail | undefined): RolloutDetail | undefined {
  const [seen, setSeen] = useState<RolloutDetail>();
  if (now !== undefined && now.viewDigest === target.viewDigest && seen?.viewDigest !== now.viewDigest) setSeen(now);
  return seen?.viewDigest === target.viewDigest ? seen : undefined;
}

/** The newest entry that was there when the dialog first knew. */
function useBaseline(seqs: readonly number[] | undefined): number | undefined {
  const [baseline, setBaseline] = useState<number>();
  if (seqs !== undefined && baseline === undefined) setBaseline(Math.max(0, ...seqs));
  return baseline;
}
