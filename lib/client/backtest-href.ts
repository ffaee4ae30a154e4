/** Returns the page that replays the runs of a rollout or a template with a metric. Ids as in the API. */
export function backtestHref({
  rollout,
  template,
  metric,
}: {
  rollout?: string;
  template?: string;
  metric: string;
}): string {
  const params = new URLSearchParams();
  if (rollout !== undefined) params.set("rollout", rollout);
  if (template !== undefined) params.set("template", template);
  params.set("metric", metric);
  return `/backtest?${params}`;
}
