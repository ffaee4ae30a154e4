"use client";

import { Button } from "@mantine/core";
import dynamic from "next/dynamic";
import { useState } from "react";
import classes from "#components/actions/many.module.css";
import type { Chosen } from "#components/actions/use-chosen.ts";
import { useGroupPlan } from "#lib/client/set-queries.ts";
import type { GroupActionName } from "#lib/contract/action-group.ts";
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
  const counts = useAllowedCounts(rollouts, rollouts.length > 0 && !isTooMany);
  if (rollouts.length === 0) return null;
  const offered = groupActions.filter((action) => (counts?.get(action) ?? 0) > 0);
  return (
    <section className={classes.bar} aria-label="Chosen rollouts" ref={reserveFoot}>
      <span className={classes.count} role="status">
        {formatCount(rollouts.length)} chosen
        {isTooMany && `, at most ${mostMembers} at once`}
        {counts !== undefined && offered.length === 0 && ", no action is possible now"}
      </span>
      {offered.map((action) => (
        <Button
          key={action}
          size="xs"
          variant="default"
          data-protective={isProtective(action) || undefined}
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

/** Keeps what has the keyboard focus clear of the bar, by the height that it covers at the foot of the page. */
function reserveFoot(bar: HTMLElement | null): (() => void) | undefined {
  if (bar === null) return undefined;
  const root = document.documentElement;
  root.style.setProperty("--gh-foot-height", `${bar.offsetHeight}px`);
  return () => root.style.removeProperty("--gh-foot-height");
}

/** Counts the rollouts that allow each action; undefined while that is loading. */
function useAllowedCounts(
  rollouts: readonly RolloutSummary[],
  enabled: boolean,
): ReadonlyMap<GroupActionName, number> | undefined {
  const members = rollouts.map(({ cluster, namespace, kind, name }) => ({ cluster, namespace, kind, name }));
  const states = rollouts.map(({ id, viewDigest }) => `${id} ${viewDigest}`);
  const plan = useGroupPlan({ members }, states, enabled).data;
  if (plan === undefined) return undefined;
  const counts = new Map<GroupActionName, number>();
  for (const action of plan.items.flatMap(({ allowed }) => allowed)) counts.set(action, (counts.get(action) ?? 0) + 1);
  return counts;
}
