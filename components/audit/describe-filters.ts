const names: Readonly<Record<string, string>> = {
  q: "search",
  actor: "person",
  action: "action",
  outcome: "outcome",
  source: "source",
  cluster: "cluster",
  namespace: "namespace",
  name: "rollout",
  policy: "policy",
  last: "last",
  from: "from",
  to: "to",
};

/** Says which filters are set, for paper: "action abort, from 2026-11-20T00:00:00Z"; "none" if none is. */
export function describeFilters(filters: Readonly<Record<string, string>>): string {
  const report = filters.report === "aborts" ? ["aborted releases"] : [];
  const rows = filters.rows === "entries" ? ["every entry"] : [];
  const set = Object.entries(names).flatMap(([key, name]) => {
    const value = filters[key] ?? "";
    return value === "" ? [] : [`${name} ${value}`];
  });
  const signIns = filters.signIns === "hidden" ? ["without sign-ins"] : [];
  return [...report, ...rows, ...signIns, ...set].join(", ") || "none";
}
