"use client";

import { Button } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import dynamic from "next/dynamic";
import { useState } from "react";
import buttons from "#components/actions/actions.module.css";
import classes from "#components/actions/many.module.css";
import type { Chosen } from "#components/actions/use-chosen.ts";
import { useAllowedOnMany } from "#lib/client/set-queries.ts";
import type { GroupActionName, GroupPlanRequest } from "#lib/contract/action-group.ts";
import type { RolloutSummary } from "#lib/contract/rollout.ts";
import { entryOf, isProtective } from "#lib/domain/acting/action-catalogue.ts";
import { groupActions, mostMembers } from "#lib/domain/acting/group-actions.ts";
import { formatCount } from "#lib/util/words.ts";

const ManyDialog = dynamic(() => import("#components/actions/many-dialog.tsx").then((module) => module.ManyDialog), {
  ssr: false,
});

type ChosenBarProps = {
  chosen: Chosen;
  /** What they have in common, for the audit log. */
  of?: string | undefined;
  /** Chooses the rest of the list, which is not loaded yet. */
  more?: React.ReactNode;
};

/** Shows how many rollouts are chosen, and the actions that at least one of them allows now. */
export function ChosenBar({ chosen, of, more }: ChosenBarProps) {
  const { rollouts } = chosen;
  const [asked, setAsked] = useState<{ action: GroupActionName; rollouts: readonly RolloutSummary[] }>();
  const isTooMany = rollouts.length > mostMembers;
  const { counts, isSettled } = useAllowedCounts(rollouts);
  if (rollouts.length === 0) return null;
  const offered = groupActions.filter((action) => (counts?.get(action) ?? 0) > 0);
  return (
    <section className={classes.bar} aria-label="Chosen rollouts" ref={reserveFoot}>
      <span className={classes.count} role="status">
        {formatCount(rollouts.length)} chosen
        {isTooMany && `, at most ${mostMembers} at once`}
        {isSettled && offered.length === 0 && ", no action is possible now"}
      </span>
      {offered.map((action) => (
        <Button
          key={action}
          size="xs"
          variant="default"
          className={isProtective(action) ? buttons.protective : undefined}
          onClick={() => setAsked({ action, rollouts })}
        >
          {entryOf(action).label} {formatCount(counts?.get(action) ?? 0)}…
        </Button>
      ))}
      {more}
      <Button size="xs" variant="subtle" onClick={chosen.clear}>
        Choose none
      </Button>
      {asked !== undefined && <ManyDialog {...asked} of={of} onClose={() => setAsked(undefined)} />}
    </section>
  );
}

/** Keeps the bar from covering the focused element: reserves its height at the foot of the page. */
function reserveFoot(bar: HTMLElement | null): (() => void) | undefined {
  if (bar === null) return undefined;
  const root = document.documentElement;
  root.style.setProperty("--gh-foot-height", `${bar.offsetHeight}px`);
  return () => root.style.removeProperty("--gh-foot-height");
}

type AllowedCounts = {
  counts: ReadonlyMap<GroupActionName, number> | undefined;
  /** They are about all that is chosen now. */
  isSettled: boolean;
};

/** Counts the rollouts that allow each action, a moment after the choice changed. */
function useAllowedCounts(rollouts: readonly RolloutSummary[]): AllowedCounts {
  const members = rollouts.map(({ cluster, namespace, kind, name }) => ({ cluster, namespace, kind, name }));
  const chosen = JSON.stringify(members);
  const [settled] = useDebouncedValue(chosen, 250);
  const asked: GroupPlanRequest["members"] = JSON.parse(settled);
  const isPossible = (count: number) => count > 0 && count <= mostMembers;
  const { data, isPlaceholderData } = useAllowedOnMany(asked, isPossible(asked.length));
  if (data === undefined || !isPossible(members.length)) return { counts: undefined, isSettled: false };
  const counts = new Map<GroupActionName, number>();
  for (const action of data.items.flatMap(({ allowed }) => allowed)) counts.set(action, (counts.get(action) ?? 0) + 1);
  return { counts, isSettled: settled === chosen && !isPlaceholderData };
}
