import { Button } from "@mantine/core";
import { useEffect, useState } from "react";
import { mayBeChosen } from "#components/actions/use-chosen.ts";
import type { ItemList } from "#lib/client/list-queries.ts";
import type { RolloutSummary } from "#lib/contract/rollout.ts";
import type { SetMember } from "#lib/contract/version-set.ts";
import { mostMembers } from "#lib/domain/acting/group-actions.ts";

type ChooseRestProps = {
  list: ItemList<SetMember>;
  listCurrent(members: readonly SetMember[]): RolloutSummary[];
  onChoose: (rollouts: RolloutSummary[]) => void;
};

/** Loads the rest of the list and chooses all of it, as far as one request allows. */
export function ChooseRest({ list, listCurrent, onChoose }: ChooseRestProps) {
  const [isOn, setOn] = useState(false);
  const { items = [], hasMore, isLoadingMore, loadMore } = list;
  const isEnough = !hasMore || items.length >= mostMembers;
  useEffect(() => {
    if (!isOn) return;
    if (!isEnough) loadMore();
    else {
      onChoose(listCurrent(items).filter(mayBeChosen).slice(0, mostMembers));
      setOn(false);
    }
  }, [isOn, isEnough, items, loadMore, listCurrent, onChoose]);
  if (!hasMore && !isOn) return null;
  return (
    <Button size="xs" variant="subtle" loading={isOn && isLoadingMore} onClick={() => setOn(true)}>
      Choose all, at most {mostMembers}
    </Button>
  );
}
