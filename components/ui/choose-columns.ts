import type { Column } from "#components/ui/item-table.tsx";

type ChooseColumns<Item> = {
  columns: readonly Column<Item>[];
  /** Keys of the chosen columns; undefined: the usual ones. */
  chosen: readonly string[] | undefined;
  /** With one cluster, its column is the same in each row. */
  hasClusters: boolean;
};

/** Returns the columns to show, in their own order. The one that names the row always stays. */
export function chooseColumns<Item>({ columns, chosen, hasClusters }: ChooseColumns<Item>): readonly Column<Item>[] {
  const known = chosen?.filter((key) => columns.some((column) => column.key === key));
  // A link with columns that this version does not have shows the usual ones.
  if (known === undefined || known.length === 0)
    return columns.filter(({ key, isExtra }) => isExtra !== true && (key !== "cluster" || hasClusters));
  return columns.filter(({ key, isName }) => isName === true || known.includes(key));
}
