type Judged = { reasonCode?: string | undefined };
type WithActions = { actions?: readonly Judged[] };
type Shapes = Judged & WithActions & { pages?: readonly { items: readonly WithActions[] }[] };

/** Says whether loaded data (a rollout, a page of the inbox, a plan) has an action that is off because a source is stale. */
export function saysStale(data: unknown): boolean {
  if (typeof data !== "object" || data === null) return false;
  const { reasonCode, actions = [], pages = [] } = data as Shapes;
  const judged = [...actions, ...pages.flatMap(({ items }) => items.flatMap((item) => item?.actions ?? []))];
  return reasonCode === "source_stale" || judged.some((action) => action.reasonCode === "source_stale");
}
