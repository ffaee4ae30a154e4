"use client";

import { Alert, Button, Group, Stack, Table, Text } from "@mantine/core";
import { useState } from "react";
import { type ActTarget, arrangeActions } from "#components/actions/act-target.ts";
import classes from "#components/actions/actions.module.css";
import { type ChangeRow, describeChanges } from "#components/actions/describe-changes.ts";
import {
  type Conflict,
  describeMove,
  findActSince,
  listChanges,
  type SeenView,
} from "#components/actions/live-changes.ts";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { nameVersion } from "#lib/client/describe-images.ts";
import { useRollout, useRolloutReleases } from "#lib/client/rollout-queries.ts";
import { serverNowMs } from "#lib/client/server-clock.ts";
import type { AllowedAction, Release, ReleaseAct, RolloutDetail } from "#lib/contract/rollout.ts";
import { isDeliveryKind } from "#lib/domain/delivery/delivery-kind.ts";

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

/**
 * Lists the options when a dialog's state is stale: the same action if the current state allows it, otherwise the
 * actions that answer the current state, and abort.
 */
export function listOffers(actions: readonly AllowedAction[], asked: AllowedAction["action"]): AllowedAction[] {
  const allowed = actions.filter((action) => action.allowed);
  const same = allowed.find(({ action }) => action === asked);
  if (same !== undefined) return [same];
  const { answers, apart } = arrangeActions(allowed);
  return [...answers, ...apart];
}

type StaleNoticeProps = {
  /** Who acted, if known; otherwise `move` describes the change. */
  act: ReleaseAct | undefined;
  move: string;
  /** The server's answer to the refused click; undefined before a click. */
  refusal: string | undefined;
  rows: readonly ChangeRow[];
  /** The possible actions in the current state, the requested action first. */
  offers: readonly AllowedAction[];
  /** The dialog's own button asks again. */
  isAnswered: boolean;
  asked: AllowedAction["action"];
  onTake: (action: AllowedAction) => void;
};

/** Warns that the dialog's state is stale: who changed it, the current state, and the possible actions. */
function StaleNotice({ act, move, refusal, rows, offers, isAnswered, asked, onTake }: StaleNoticeProps) {
  return (
    <Alert color="orange" variant="outline" role="alert" title="Changed while you were looking" bg="var(--gh-surface)">
      <Stack gap="xs">
        <Text size="sm">
          <StaleStory act={act} move={move} />
          {refusal !== undefined && " Nothing was done."}
          {isAnswered && " Check what changed, then confirm again or cancel."}
          {!isAnswered && offers.length === 0 && " No action is possible now."}
        </Text>
        {rows.length > 0 && <ChangeTable rows={rows} />}
        {offers.length > 0 && (
          <Group gap="xs">
            {offers.map((action) => (
              <Button key={action.action} size="xs" variant="default" onClick={() => onTake(action)}>
                {action.action === asked ? `${action.label} from the current state` : `${action.label} instead`}
              </Button>
            ))}
          </Group>
        )}
      </Stack>
    </Alert>
  );
}

/** Shows "operator aborted it at 50 % 8 s ago", or else the controller's move. */
function StaleStory({ act, move }: Pick<StaleNoticeProps, "act" | "move">) {
  if (act === undefined) return <HostileText text={move} />;
  return (
    <>
      <strong>
        <bdi>{act.who}</bdi>
      </strong>{" "}
      {act.did} <RelativeTime at={act.time} />
      {act.reason !== null && act.reason !== "" && (
        <>
          : <em>{act.reason}</em>
        </>
      )}
      {/[.!?]$/.test(act.reason ?? "") ? null : "."}
    </>
  );
}

function ChangeTable({ rows }: Pick<StaleNoticeProps, "rows">) {
  return (
    <Table className={classes.seenNow} verticalSpacing={4}>
      <Table.Caption className="visually-hidden">What you saw and the current state</Table.Caption>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">What</Table.Th>
          <Table.Th scope="col">Seen</Table.Th>
          <Table.Th scope="col">Now</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(({ field, what, seen, now, title }) => (
          <Table.Tr key={field} title={title}>
            <Table.Th scope="row">{what}</Table.Th>
            <Table.Td>{seen}</Table.Td>
            <Table.Td className={classes.now}>{now}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

type LiveView = {
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
  /** Newest first; empty while loading. */
  releases: readonly Release[];
};

/** `moved`: something changed that the action does not depend on, or the action is protective and works anyway. */
type ViewVerdict = "current" | "moved" | "stale";

type AssessInput = { now: RolloutDetail | undefined; target: ActTarget; known: readonly string[]; protective: boolean };

/**
 * Assesses whether the state that a person is about to confirm still exists. The server checks this again at the click.
 */
function assessLiveView({ now, target, known, protective }: AssessInput): ViewVerdict {
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
  const list = useRolloutReleases(target, isRollout);
  const releases = list.items ?? [];
  const baseline = useBaseline(list.items?.flatMap(({ acts }) => acts.latest[0]?.seq ?? 0));
  const isPast = verdict !== "current" || refusedWith !== undefined;
  const act = isPast ? findActSince({ releases, seenAt: target.updatedAt ?? openedAt, baseline }) : undefined;
  return { now, seen, seenPage, verdict, act, releases, isOfSubject: target.subject !== undefined };
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
