import { Checkbox } from "@mantine/core";
import classes from "#components/actions/many.module.css";
import { type Chosen, mayBeChosen } from "#components/actions/use-chosen.ts";
import type { Column } from "#components/ui/item-table.tsx";
import type { RolloutSummary } from "#lib/contract/rollout.ts";

type ChooseBoxProps = {
  chosen: Chosen;
  rollout: RolloutSummary;
  /** An action on it would be about something else than the list. */
  isOther?: boolean;
};

/** Chooses a rollout of a list; with Shift, all from the one before. */
export function ChooseBox({ chosen, rollout, isOther = false }: ChooseBoxProps) {
  const { namespace, name, cluster } = rollout;
  return (
    <Checkbox
      className={classes.box}
      size="xs"
      aria-label={`Choose ${namespace}/${name} in ${cluster}`}
      checked={chosen.has(rollout.id)}
      disabled={isOther || !mayBeChosen(rollout)}
      onChange={({ nativeEvent }) => chosen.toggle(rollout, "shiftKey" in nativeEvent && nativeEvent.shiftKey === true)}
    />
  );
}

/** Makes the column of these boxes, with one for all rows in its head. */
export function chooseColumn<Item>({
  chosen,
  items,
  rolloutOf,
  isOther = () => false,
}: {
  chosen: Chosen;
  items: readonly Item[];
  rolloutOf: (item: Item) => RolloutSummary;
  isOther?: (item: Item) => boolean;
}): Column<Item> {
  const possible = items
    .filter((item) => !isOther(item))
    .map(rolloutOf)
    .filter(mayBeChosen);
  const count = possible.filter(({ id }) => chosen.has(id)).length;
  return {
    key: "choose",
    header: "Choose",
    head: (
      <Checkbox
        size="xs"
        aria-label="Choose all rows that are loaded"
        checked={count > 0 && count === possible.length}
        indeterminate={count > 0 && count < possible.length}
        disabled={possible.length === 0}
        onChange={() => (count === possible.length ? chosen.drop(possible) : chosen.choose(possible))}
      />
    ),
    width: "3%",
    cell: (item) => <ChooseBox chosen={chosen} rollout={rolloutOf(item)} isOther={isOther(item)} />,
  };
}
