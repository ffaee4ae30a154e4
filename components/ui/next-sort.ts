/** The order by a column: the server's name for it, and whether the first click sorts downwards. */
type SortOf = { sort?: string; sortsDown?: boolean };

/** Returns the order after a click on a column's header: its natural direction first, then the reverse. */
export function nextSort({ sort: name = "", sortsDown = false }: SortOf, current: string): string {
  const [first, second] = sortsDown ? [`-${name}`, name] : [name, `-${name}`];
  return current === first ? second : first;
}

/** Returns the value of `aria-sort`; undefined for a column that cannot be sorted by. */
export function describeSort({ sort: name }: SortOf, current: string): "ascending" | "descending" | "none" | undefined {
  if (name === undefined) return undefined;
  if (current === name) return "ascending";
  return current === `-${name}` ? "descending" : "none";
}
