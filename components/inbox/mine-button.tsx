"use client";

import { Button } from "@mantine/core";
import { useMe } from "#lib/client/system-queries.ts";
import type { InboxItem } from "#lib/contract/inbox.ts";
import { formatList } from "#lib/util/words.ts";

type MineButtonProps = {
  /** The loaded rows under the filters of the page; undefined until they have arrived. */
  items: readonly InboxItem[] | undefined;
  hasMore: boolean;
  isOn: boolean;
  onChange: (value: string | null) => void;
};

/** Shows only the rollouts of the reader's teams, with the number of those; nothing for a person without a team. */
export function MineButton({ items, hasMore, isOn, onChange }: MineButtonProps) {
  const known = useMe().data?.teams ?? [];
  const teams = known.filter(({ isMine }) => isMine).map(({ name }) => name);
  if (teams.length === 0 && !isOn) return null;
  const count = items === undefined ? "" : ` ${countWaiting(items, teams)}${hasMore ? "+" : ""}`;
  return (
    <Button
      size="xs"
      variant={isOn ? "light" : "default"}
      aria-pressed={isOn}
      title={teams.length === 0 ? "You are not in any team." : `Rollouts of ${formatList(teams)}`}
      onClick={() => onChange(isOn ? null : "true")}
    >
      Mine{count}
    </Button>
  );
}

/** Counts the rows of these teams that are not snoozed. */
export function countWaiting(items: readonly InboxItem[], teams: readonly string[]): number {
  const waiting = items.filter(({ handling }) => handling.snooze === null);
  return waiting.filter(({ rollout: { team } }) => team !== null && teams.includes(team)).length;
}
