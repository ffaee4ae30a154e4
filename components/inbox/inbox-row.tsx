"use client";

import { Anchor, Text, UnstyledButton } from "@mantine/core";
import { useEffect, useId, useRef, useState } from "react";
import { ActionButtons } from "#components/actions/action-buttons.tsx";
import { HeldBackLine } from "#components/actions/held-back-line.tsx";
import { ScheduledNote } from "#components/actions/scheduled-lines.tsx";
import { ClaimLine, SnoozeLine } from "#components/actions/wait-handling.tsx";
import classes from "#components/inbox/inbox.module.css";
import { OwnActLine } from "#components/inbox/own-act-line.tsx";
import { RowHandling, RowLinks } from "#components/inbox/row-foot.tsx";
import { wordTurn } from "#components/inbox/word-turn.ts";
import { classifyRollout, type ShownState } from "#components/ui/classify-state.ts";
import { EvidenceLine } from "#components/ui/evidence-line.tsx";
import { classifySeverity } from "#components/ui/finding-severity.tsx";
import { wordTimes } from "#components/ui/format-time.ts";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { HoverLink } from "#components/ui/hover-link.tsx";
import { IconChevronRight } from "#components/ui/icons.tsx";
import { PlaceName } from "#components/ui/place-name.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { StateBadge } from "#components/ui/state-badge.tsx";
import {
  describeAborted,
  describeVersionPair,
  nameAbortedTraffic,
  pairImages,
  shortenImage,
} from "#lib/client/describe-images.ts";
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
  /** The first row that can be answered: open at first, and its button is filled while no other row is pointed at. */
  isSuggested?: boolean;
};

/**
 * Shows a waiting rollout in one line: state, reason, traffic, age, and the buttons that answer it. Its evidence opens
 * below it by the arrow, or while the row has the keyboard focus.
 */
export function InboxRow({ item, isGone, isFolding = false, isSuggested = false }: InboxRowProps) {
  const { rollout, actions } = item;
  const { isOpen, toggle, rowProps } = useRowFocus({ isGone, isOpenAtFirst: isSuggested });
  const details = useId();
  return (
    <li
      {...rowProps}
      className={classes.row}
      data-row={rollout.id}
      data-open={isOpen || undefined}
      data-severity={rollout.attention?.severity}
      data-gone={isGone || undefined}
      data-folding={isFolding || undefined}
      data-suggested={isSuggested || undefined}
    >
      <div className={classes.line}>
        <UnstyledButton
          className={classes.toggle}
          aria-expanded={isOpen}
          aria-controls={details}
          aria-label={`Details of ${rollout.namespace}/${rollout.name}`}
          onClick={toggle}
        >
          <IconChevronRight size={16} stroke={1.6} aria-hidden="true" />
        </UnstyledButton>
        <StateBadge shown={classifyAttention(item)} variant="plain" size="sm" />
        <RowPlace rollout={rollout} />
        <div className={classes.words}>
          <RowWords item={item} isGone={isGone} />
        </div>
        <TrafficCell rollout={rollout} />
        <WaitingCell item={item} isGone={isGone} />
        <div className={classes.actions}>
          {isGone && (
            <Text size="sm" c="dimmed">
              No longer waiting.
            </Text>
          )}
          <ActionButtons target={rollout} actions={actions} isQuiet isGone={isGone} />
        </div>
        {!isGone && <RowHandling item={item} />}
      </div>
      <div id={details} className={classes.details} hidden={!isOpen}>
        <RowEvidence item={item} />
        <RowLinks item={item} />
      </div>
    </li>
  );
}

function RowPlace({ rollout }: { rollout: RolloutSummary }) {
  return (
    <span className={classes.place}>
      <span className={classes.name}>
        <PlaceName href={rolloutHref(rollout)} namespace={rollout.namespace} name={rollout.name} />
      </span>
      <span className={classes.label}>
        {[rollout.cluster, rollout.team ?? "", describeVersion(rollout)].filter((part) => part !== "").join(" · ")}
      </span>
    </span>
  );
}

/** Without a new version, names the one that serves: after an abort, that is not the one that failed. */
function describeVersion(rollout: RolloutSummary): string {
  const { images, attention } = rollout;
  const aborted = describeAborted(rollout);
  if (aborted !== undefined) return aborted;
  const { next, stable } = pairImages(images);
  if (next !== undefined || stable === undefined) return describeVersionPair(images);
  return attention?.reason === "degraded" ? `stable ${shortenImage(stable)}` : shortenImage(stable);
}

function WaitingCell({ item, isGone }: InboxRowProps) {
  const role = useMe().data?.role;
  const { rollout, answer } = item;
  const since = rollout.waitingSince ?? rollout.attention?.since;
  const turn = wordTurn(item, role);
  if (since === undefined || isGone || answer !== null) return <span className={classes.waiting} />;
  return (
    <span className={classes.waiting}>
      {turn === undefined ? (
        <RelativeTime at={since} />
      ) : (
        <>
          <span className="visually-hidden">waiting </span>
          <RelativeTime at={since} form="since" />
          <span className={classes.label}>{turn}</span>
        </>
      )}
    </span>
  );
}

/** Shows why the rollout waits, the controller's own next act, who is on it, and the last answer. */
function RowWords({ item: { rollout, sentence, ownAct, answer, handling, actions }, isGone }: InboxRowProps) {
  const stale = actions.find(({ reasonCode }) => reasonCode === "source_stale");
  return (
    <>
      {/* The answer says that it was aborted. */}
      {answer?.kind !== "aborted" && (
        <Text size="sm" className={classes.sentence} data-whole={rollout.attention?.reason === "finding" || undefined}>
          <HostileText text={sentence} />
        </Text>
      )}
      {!isGone && <HeldBackLine actions={actions} />}
      {ownAct !== null && !isGone && answer === null && <OwnActLine ownAct={ownAct} />}
      {answer !== null && <AnswerLine answer={answer} />}
      {!isGone && <ScheduledNote rolloutId={rollout.id} />}
      {!isGone && <ClaimLine handling={handling} />}
      {answer === null && handling.snooze !== null && <SnoozeLine snooze={handling.snooze} />}
      {stale?.reason !== undefined && (
        <Text size="xs" c="var(--gh-orange-text)">
          {wordTimes(stale.reason ?? "")} Actions that advance it are off.
        </Text>
      )}
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

/** Shows the metrics of the run that decided, worst first, that a newer run measures again, and what follows. */
function RowEvidence({ item: { evidence, measuringAgain, follows, answer } }: { item: InboxItem }) {
  const more = evidence.length - mostMetrics;
  return (
    <>
      {evidence.slice(0, mostMetrics).map((line) => (
        <EvidenceLine key={`${line.runUid} ${line.metric}`} evidence={line} isShort />
      ))}
      {more > 0 && (
        <Text size="xs" c="dimmed">
          {more} more {more === 1 ? "metric" : "metrics"} in the analysis run.
        </Text>
      )}
      {measuringAgain !== null && (
        <Text size="xs" c="dimmed" className={classes.links}>
          <span>
            The run that decided.{" "}
            <Anchor component={HoverLink} href={runHref(measuringAgain.runUid)} inherit>
              Measuring again
            </Anchor>{" "}
            since <RelativeTime at={measuringAgain.since} />.
          </span>
        </Text>
      )}
      {follows !== null && answer === null && (
        <Text size="sm" c="dimmed">
          <HostileText text={follows} />
        </Text>
      )}
    </>
  );
}

/** Shows how much traffic the new version gets, which decides the order of the inbox. */
export function TrafficCell({ rollout }: { rollout: RolloutSummary }) {
  const { weight, attention } = rollout;
  const actual = weight?.actual ?? null;
  // Blue-green has no weight; before the switch the active service serves the old version.
  const unmeasured = attention?.reason === "blueGreenPromotion" ? "0\u2009%" : "unknown";
  return (
    <span className={classes.traffic} data-live={(actual !== null && actual > 0) || undefined}>
      <span className={classes.value}>{actual === null ? unmeasured : `${actual}\u2009%`}</span>
      <span className={classes.label}>{nameAbortedTraffic(rollout) ?? "live traffic"}</span>
    </span>
  );
}

/**
 * Keeps a row open that its arrow opened; one that the keyboard reached is open while it has the focus. Keeps the focus
 * in a row whose buttons disappear: otherwise the next key press begins at the top of the page.
 */
function useRowFocus({ isGone, isOpenAtFirst }: { isGone: boolean; isOpenAtFirst: boolean }) {
  const [opened, setOpened] = useState<"by hand" | "by focus" | undefined>(isOpenAtFirst ? "by hand" : undefined);
  const ref = useRef<HTMLLIElement>(null);
  const hadFocus = useRef(false);
  useEffect(() => {
    if (!isGone || !hadFocus.current || document.activeElement !== document.body) return;
    ref.current?.querySelector<HTMLElement>("[data-row-link]")?.focus({ preventScroll: true });
  }, [isGone]);
  return {
    isOpen: opened !== undefined,
    toggle: () => setOpened(opened === undefined ? "by hand" : undefined),
    rowProps: {
      ref,
      onFocus: ({ target, currentTarget, relatedTarget }: React.FocusEvent) => {
        hadFocus.current = true;
        // React passes on what happens in the row's dialog, too.
        const hasEntered = currentTarget.contains(target) && !currentTarget.contains(relatedTarget);
        if (hasEntered && opened === undefined && target.matches(":focus-visible")) setOpened("by focus");
      },
      onBlur: ({ currentTarget, relatedTarget }: React.FocusEvent) => {
        hadFocus.current = currentTarget.contains(relatedTarget);
        const isInDialog = relatedTarget instanceof Element && relatedTarget.closest('[role="dialog"]') !== null;
        if (opened === "by focus" && !hadFocus.current && !isInDialog) setOpened(undefined);
      },
    },
  };
}

/** A rollout with a finding is here for its severity: its own phase may be Healthy. */
function classifyAttention({ rollout, finding }: Pick<InboxItem, "rollout" | "finding">): ShownState {
  const { attention } = rollout;
  if (attention?.reason !== "finding") return classifyRollout(rollout);
  const { state, word } = classifySeverity(attention.severity);
  return { state, word: finding?.badge ?? `${word} finding` };
}
