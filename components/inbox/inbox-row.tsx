"use client";

import { Anchor, Text } from "@mantine/core";
import Link from "next/link";
import { useEffect, useRef } from "react";
import { ActionButtons } from "#components/actions/action-buttons.tsx";
import { ClaimLine } from "#components/actions/claim.tsx";
import { SnoozeLine } from "#components/actions/snoozed.tsx";
import classes from "#components/inbox/inbox.module.css";
import { OwnActLine } from "#components/inbox/own-act-line.tsx";
import { RowFoot } from "#components/inbox/row-foot.tsx";
import { wordTurn } from "#components/inbox/word-turn.ts";
import { classifyRollout, type ShownState } from "#components/ui/classify-state.ts";
import { EvidenceLine } from "#components/ui/evidence-line.tsx";
import { wordTimes } from "#components/ui/format-time.ts";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { PlaceName } from "#components/ui/place-name.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { classifySeverity } from "#components/ui/severity.ts";
import { StateBadge } from "#components/ui/state-badge.tsx";
import { describeVersionPair } from "#lib/client/describe-images.ts";
import { rolloutHref, runHref } from "#lib/client/rollout-path.ts";
import { useMe } from "#lib/client/system-queries.ts";
import type { InboxAnswer, InboxItem } from "#lib/contract/inbox.ts";
import type { RolloutSummary } from "#lib/contract/rollout.ts";

const mostMetrics = 3;

type InboxRowProps = {
  item: InboxItem;
  isGone: boolean;
  /** The row is about to be removed. */
  isFolding?: boolean;
  /** The first row that can be answered: its button is filled while no other row is pointed at. */
  isSuggested?: boolean;
};

/**
 * Shows a waiting rollout in columns that all rows share, with its evidence and, beside it, the buttons that answer it.
 */
export function InboxRow({ item, isGone, isFolding = false, isSuggested = false }: InboxRowProps) {
  const { rollout, actions, answer, handling } = item;
  const stale = actions.find(({ reasonCode }) => reasonCode === "source_stale");
  const keepProps = useKeptFocus(isGone);
  return (
    <li
      {...keepProps}
      className={classes.row}
      data-row={rollout.id}
      data-gone={isGone || undefined}
      data-folding={isFolding || undefined}
      data-suggested={isSuggested || undefined}
    >
      <div className={classes.main}>
        <RowHead item={item} isGone={isGone} />
        <RowWords item={item} isGone={isGone} />
        <RowEvidence item={item} />
        {answer !== null && <AnswerLine answer={answer} />}
        {!isGone && <ClaimLine handling={handling} />}
        {answer === null && handling.snooze !== null && <SnoozeLine snooze={handling.snooze} />}
        {stale?.reason !== undefined && (
          <Text size="xs" c="var(--gh-orange-text)">
            {wordTimes(stale.reason ?? "")} Actions that advance it are off.
          </Text>
        )}
        <RowFoot item={item} isGone={isGone} />
      </div>
      <div className={classes.actions}>
        {isGone && (
          <Text size="sm" c="dimmed">
            No longer waiting.
          </Text>
        )}
        <ActionButtons target={rollout} actions={actions} isQuiet isGone={isGone} />
      </div>
    </li>
  );
}

function RowHead({ item, isGone }: InboxRowProps) {
  const role = useMe().data?.role;
  const { rollout, answer } = item;
  const since = rollout.waitingSince ?? rollout.attention?.since;
  const isWaiting = !isGone && answer === null;
  return (
    <div className={classes.head}>
      <StateBadge shown={classifyAttention(rollout)} />
      <span className={classes.place}>
        <span className={classes.name}>
          <PlaceName href={rolloutHref(rollout)} namespace={rollout.namespace} name={rollout.name} />
        </span>{" "}
        <span className={classes.label}>{rollout.cluster}</span>
      </span>
      <TrafficCell rollout={rollout} />
      <span className={classes.waiting}>
        {since !== undefined && isWaiting && (
          <>
            <span className="visually-hidden">waiting </span>
            <RelativeTime at={since} form="since" />
            <span className={classes.label}>{wordTurn(item, role)}</span>
          </>
        )}
      </span>
    </div>
  );
}

function RowWords({ item: { rollout, sentence, follows, ownAct, answer }, isGone }: InboxRowProps) {
  return (
    <>
      <Text size="sm" className={classes.sentence}>
        <HostileText text={sentence} /> <span className={classes.versions}>{describeVersionPair(rollout.images)}</span>
        {follows !== null && answer === null && (
          <span className={classes.follows}>
            {" "}
            <HostileText text={follows} />
          </span>
        )}
      </Text>
      {ownAct !== null && !isGone && answer === null && <OwnActLine ownAct={ownAct} />}
    </>
  );
}

/** Shows why nothing more is needed: "Acknowledged by operator 5 min ago: known, fix is on its way". */
function AnswerLine({ answer: { kind, who, at, reason } }: { answer: InboxAnswer }) {
  return (
    <Text size="sm" c="dimmed">
      {kind === "acknowledged" ? "Acknowledged" : "Aborted on purpose"}
      {who === null ? ", client unknown," : ` by ${who}`} <RelativeTime at={at} />
      {reason !== null && (
        <>
          : <HostileText text={reason} />
        </>
      )}
    </Text>
  );
}

/** Shows the metrics of the run that decided, worst first, and that a newer run measures again. */
function RowEvidence({ item: { evidence, measuringAgain } }: { item: InboxItem }) {
  const more = evidence.length - mostMetrics;
  return (
    <>
      {evidence.slice(0, mostMetrics).map((line) => (
        <EvidenceLine key={`${line.runUid} ${line.metric}`} evidence={line} isShort />
      ))}
      {more > 0 && (
        <Text size="xs" c="dimmed">
          {more} more {more === 1 ? "metric" : "metrics"} in the evidence.
        </Text>
      )}
      {measuringAgain !== null && (
        <Text size="xs" c="dimmed" className={classes.links}>
          <span>
            The run that decided.{" "}
            <Anchor component={Link} href={runHref(measuringAgain.runUid)} inherit>
              Measuring again
            </Anchor>{" "}
            since <RelativeTime at={measuringAgain.since} />.
          </span>
        </Text>
      )}
    </>
  );
}

/** Shows how much traffic the new version gets, which decides the order of the inbox. */
function TrafficCell({ rollout: { weight } }: { rollout: Pick<RolloutSummary, "weight"> }) {
  const actual = weight?.actual ?? null;
  return (
    <span className={classes.traffic} data-live={(actual !== null && actual > 0) || undefined}>
      <span className={classes.value}>{actual === null ? "unknown" : `${actual}\u2009%`}</span>
      <span className={classes.label}>live traffic</span>
    </span>
  );
}

/** Keeps the focus in a row whose buttons disappear: otherwise the next key press begins at the top of the page. */
function useKeptFocus(isGone: boolean) {
  const ref = useRef<HTMLLIElement>(null);
  const hadFocus = useRef(false);
  useEffect(() => {
    if (!isGone || !hadFocus.current || document.activeElement !== document.body) return;
    ref.current?.querySelector<HTMLElement>("[data-row-link]")?.focus({ preventScroll: true });
  }, [isGone]);
  return {
    ref,
    onFocus: () => {
      hadFocus.current = true;
    },
    onBlur: ({ currentTarget, relatedTarget }: React.FocusEvent) => {
      hadFocus.current = currentTarget.contains(relatedTarget);
    },
  };
}

/** A rollout with a finding is here for its severity: its own phase may be Healthy. */
function classifyAttention(rollout: RolloutSummary): ShownState {
  const { attention } = rollout;
  if (attention?.reason !== "finding") return classifyRollout(rollout);
  return { state: classifySeverity(attention.severity).state, word: "Finding" };
}
