"use client";

import { Button, Text, UnstyledButton } from "@mantine/core";
import { useId, useState } from "react";
import { blockAdvancing } from "#components/actions/act-target.ts";
import buttons from "#components/actions/actions.module.css";
import { HeldBackLine } from "#components/actions/held-back-line.tsx";
import type { RowGroup } from "#components/inbox/group-rows.ts";
import classes from "#components/inbox/inbox.module.css";
import { InboxRow, TrafficCell } from "#components/inbox/inbox-row.tsx";
import { classifyRollout } from "#components/ui/classify-state.ts";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { IconChevronRight } from "#components/ui/icons.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { StateBadge } from "#components/ui/state-badge.tsx";
import { RowLink } from "#components/ui/table-parts.tsx";
import { useFreshness } from "#components/ui/use-freshness.ts";
import { shortenImage } from "#lib/client/describe-images.ts";
import { explainBlock } from "#lib/client/group-plan.ts";
import { versionSetHref } from "#lib/client/set-queries.ts";
import type { GroupActionName } from "#lib/contract/action-group.ts";
import type { RolloutSummary } from "#lib/contract/rollout.ts";
import { entryOf, isProtective } from "#lib/domain/acting/action-catalogue.ts";
import { groupActions } from "#lib/domain/acting/group-actions.ts";
import { parseImage } from "#lib/domain/delivery/version-set.ts";
import { formatList } from "#lib/util/words.ts";

/** An action to ask about, on the rollouts that allow it. */
export type AskedOfMany = { action: GroupActionName; rollouts: readonly RolloutSummary[]; of: string };

type GroupRowProps = { group: RowGroup; suggested: string | undefined; onAsk: (asked: AskedOfMany) => void };

/** Shows rollouts of one version that wait for the same reason in one line; the arrow opens their rows. */
export function GroupRow({ group: { image, rows }, suggested, onAsk }: GroupRowProps) {
  const [isOpen, setOpen] = useState(false);
  const list = useId();
  const isUnanswered = useFreshness().words === "no answer";
  const waiting = rows.filter(({ isGone }) => !isGone).map(({ item }) => item);
  const named = waiting.length > 0 ? waiting : rows.map(({ item }) => item);
  const [first] = rows;
  if (first === undefined) return null;
  const version = shortenImage(image);
  const { repository } = parseImage(image);
  const since = waiting.flatMap(({ rollout }) => rollout.waitingSince ?? rollout.attention?.since ?? []).sort()[0];
  const offered = groupActions.flatMap((action) => {
    const rollouts = waiting
      .filter(({ actions }) =>
        actions.some(
          (own) =>
            own.action === action && explainBlock({ plan: isUnanswered ? blockAdvancing(own) : own }) === undefined,
        ),
      )
      .map(({ rollout }) => rollout);
    return rollouts.length === 0 ? [] : [{ action, rollouts }];
  });
  const protective = offered.filter(({ action }) => isProtective(action));
  const toButton = ({ action, rollouts }: (typeof offered)[number]) => (
    <Button
      key={action}
      size="xs"
      variant="default"
      className={isProtective(action) ? buttons.protective : undefined}
      data-protective={isProtective(action) || undefined}
      onClick={() => onAsk({ action, rollouts, of: version })}
    >
      {entryOf(action).label} {rollouts.length}…
    </Button>
  );
  return (
    <li className={classes.row} data-severity={first.item.rollout.attention?.severity} data-row={`group ${image}`}>
      <div className={classes.line}>
        <UnstyledButton
          className={classes.toggle}
          aria-expanded={isOpen}
          aria-controls={list}
          aria-label={`The ${rows.length === 1 ? "rollout" : `${rows.length} rollouts`} of ${version}`}
          onClick={() => setOpen(!isOpen)}
        >
          <IconChevronRight size={16} stroke={1.6} aria-hidden="true" />
        </UnstyledButton>
        <StateBadge shown={classifyRollout(first.item.rollout)} variant="plain" size="sm" />
        <span className={classes.place}>
          <span className={classes.name}>
            <RowLink href={versionSetHref(image) ?? "/rollouts"}>
              {named.length} {named.length === 1 ? "rollout" : "rollouts"} of {version}
            </RowLink>
          </span>
          <span className={classes.label}>{repository}</span>
        </span>
        <div className={classes.words}>
          <HeldBackLine actions={waiting.flatMap(({ actions }) => actions)} />
          {isSame(named.map(({ sentence }) => sentence)) && (
            <Text size="sm" className={classes.sentence}>
              <HostileText text={first.item.sentence} />
            </Text>
          )}
          <Text size="xs" c="dimmed" className={classes.sentence}>
            {describePlaces(named.map(({ rollout }) => rollout))}
          </Text>
        </div>
        {isSame(named.map(({ rollout }) => rollout.weight?.actual ?? null)) ? (
          <TrafficCell rollout={first.item.rollout} />
        ) : (
          <span className={classes.traffic} />
        )}
        <span className={classes.waiting}>
          {since !== undefined && (
            <>
              <span className="visually-hidden">waiting </span>
              <RelativeTime at={since} form="since" />
            </>
          )}
        </span>
        <div className={classes.actions}>
          {waiting.length === 0 && (
            <Text size="sm" c="dimmed">
              No longer waiting.
            </Text>
          )}
          <div className={classes.ofGroup}>
            {offered.filter(({ action }) => !isProtective(action)).map(toButton)}
            {protective.length > 0 && <span className={buttons.apart}>{protective.map(toButton)}</span>}
          </div>
        </div>
      </div>
      <ul id={list} className={classes.list} aria-label={`Rollouts of ${version}`} hidden={!isOpen}>
        {isOpen && rows.map(({ key, ...row }) => <InboxRow key={key} {...row} isSuggested={key === suggested} />)}
      </ul>
    </li>
  );
}

function isSame(values: readonly unknown[]): boolean {
  return new Set(values).size === 1;
}

/**
 * Describes where the rollouts are: "shop/web in eu, us and asia", "shop/web and shop/api in eu", or "In 2 clusters:
 * shop/web, shop/api".
 */
function describePlaces(rollouts: readonly RolloutSummary[]): string {
  const clusters = [...new Set(rollouts.map(({ cluster }) => cluster))];
  const names = [...new Set(rollouts.map(({ namespace, name }) => `${namespace}/${name}`))];
  if (names.length === 1 || clusters.length === 1) return `${formatList(names)} in ${formatList(clusters)}`;
  return `In ${clusters.length} clusters: ${names.join(", ")}`;
}
