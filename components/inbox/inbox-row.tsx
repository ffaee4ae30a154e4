"use client";

import { Anchor, Text } from "@mantine/core";
import Link from "next/link";
import { ActionButtons } from "#components/actions/action-buttons.tsx";
import { ClaimButtons, ClaimLine } from "#components/actions/claim.tsx";
import { SnoozeLine } from "#components/actions/snoozed.tsx";
import { AcknowledgeButton } from "#components/inbox/acknowledge-button.tsx";
import { AnswerLine } from "#components/inbox/answer-line.tsx";
import classes from "#components/inbox/inbox.module.css";
import { SnoozeButton } from "#components/inbox/snooze-button.tsx";
import { classifyRollout, type ShownState } from "#components/ui/classify-state.ts";
import { describeVersionPair } from "#components/ui/describe-images.ts";
import { EvidenceLine } from "#components/ui/evidence-line.tsx";
import { wordTimes } from "#components/ui/format-time.ts";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { LinkList } from "#components/ui/link-list.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { RowLink } from "#components/ui/row-link.tsx";
import { StateBadge } from "#components/ui/state-badge.tsx";
import { findingHref } from "#lib/client/finding-queries.ts";
import { rolloutHref, runHref } from "#lib/client/rollout-path.ts";
import type { InboxItem } from "#lib/contract/inbox.ts";

const mostMetrics = 3;
const mostLinks = 3;

/** The rollout's own phase may be Healthy: that is not why it is here. */
const findingState: ShownState = { state: "error", word: "Finding" };

type InboxRowProps = { item: InboxItem; isGone: boolean };

export function InboxRow({ item, isGone }: InboxRowProps) {
  const { rollout, sentence, actions, evidence, measuringAgain, answer, handling, links, finding } = item;
  const since = rollout.waitingSince ?? rollout.attention?.since;
  const runUid = evidence[0]?.runUid;
  const stale = actions.find(({ reasonCode }) => reasonCode === "source_stale");
  return (
    <li className={classes.row} data-row data-gone={isGone || undefined}>
      <div className={classes.top}>
        <StateBadge shown={rollout.attention?.reason === "finding" ? findingState : classifyRollout(rollout)} />
        <span className={classes.name}>
          <RowLink href={rolloutHref(rollout)}>
            {rollout.namespace}/{rollout.name}
          </RowLink>
        </span>
        <span className={classes.cluster}>{rollout.cluster}</span>
        {since !== undefined && !isGone && (
          <span className={classes.waiting}>
            {rollout.waitingSince === null ? "for" : "waiting"}{" "}
            <RelativeTime at={since} form="since" focusable={false} />
          </span>
        )}
      </div>
      <Text size="sm" className={classes.sentence}>
        <HostileText text={sentence} /> <span className={classes.versions}>{describeVersionPair(rollout.images)}</span>
      </Text>
      {evidence.slice(0, mostMetrics).map((line) => (
        <EvidenceLine key={`${line.runUid} ${line.metric}`} evidence={line} />
      ))}
      {evidence.length > mostMetrics && (
        <Text size="xs" c="dimmed">
          {evidence.length - mostMetrics} more {evidence.length - mostMetrics === 1 ? "metric" : "metrics"} in the
          evidence.
        </Text>
      )}
      {measuringAgain !== null && (
        <Text size="xs" c="dimmed" className={classes.links}>
          <Anchor component={Link} href={runHref(measuringAgain.runUid)} inherit>
            Measuring again
          </Anchor>{" "}
          since <RelativeTime at={measuringAgain.since} focusable={false} />.
        </Text>
      )}
      {answer !== null && <AnswerLine answer={answer} />}
      {!isGone && <ClaimLine handling={handling} />}
      {answer === null && handling.snooze !== null && <SnoozeLine snooze={handling.snooze} />}
      {stale?.reason !== undefined && (
        <Text size="xs" c="var(--gh-orange-text)">
          {wordTimes(stale.reason ?? "")} Actions that advance it are off.
        </Text>
      )}
      <div className={classes.bottom}>
        <span className={classes.links}>
          {finding !== null && (
            <Anchor
              component={Link}
              href={findingHref(finding.id)}
              size="sm"
              aria-label={`Finding about ${rollout.name}: ${finding.title}`}
            >
              Finding
            </Anchor>
          )}
          {runUid !== undefined && (
            <Anchor
              component={Link}
              href={runHref(runUid)}
              size="sm"
              aria-label={`Evidence: analysis of ${rollout.name}`}
            >
              Evidence
            </Anchor>
          )}
          <Anchor
            component={Link}
            href={rolloutHref(rollout, "releases")}
            size="sm"
            aria-label={`Releases of ${rollout.name}`}
          >
            Releases
          </Anchor>
          <LinkList links={links} about={rollout.name} most={mostLinks} />
        </span>
        {!isGone && (
          <span className={classes.handling}>
            {(answer === null || handling.claim !== null) && <ClaimButtons rollout={rollout} handling={handling} />}
            <SnoozeButton item={item} />
            <AcknowledgeButton item={item} />
          </span>
        )}
        <span className={classes.actions}>
          {isGone && (
            <Text size="sm" c="dimmed" role="status">
              No longer waiting.
            </Text>
          )}
          <ActionButtons target={rollout} actions={actions} isGone={isGone} />
        </span>
      </div>
    </li>
  );
}
