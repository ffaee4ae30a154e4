import type { ControllerFacts } from "#lib/domain/controllers/facts.ts";
import { type Increase, sumIncreases } from "#lib/domain/controllers/increases.ts";
import type { Evidence, Found, Rule } from "#lib/domain/oversight/rule.ts";
import { controllerEvidence, formatTime } from "./controller-evidence.ts";
import { isStatusReconciler, lookBackMs, retirements, retirementsByRepo } from "./prow-series.ts";

const quietMs = 600_000;
/** Fewer contexts are suspicious in several repositories at once than in one, whose owners may have removed a job. */
const manyRepos = { repos: 3, contexts: 25 };
const anyRepo = 100;
const namedRepos = 10;

type Burst = { from: number; to: number; count: number };

/** Finds a status-reconciler that retires contexts in bulk. */
export const prowContextsRetired: Rule<ControllerFacts> = {
  id: "prow-contexts-retired",
  about: "controller",
  severity: "critical",
  name: "Burst of retired contexts",
  explanation:
    "Each retired context is a check of an open pull request that Prow's status-reconciler set to success. Found if 25 or more are retired in three repositories or more, or 100 in any number, without a pause of ten minutes.",
  advice:
    "Stop status-reconciler now (scale it to 0) unless these jobs were removed on purpose. Block merges in the repositories below until their contexts were run again.",
  find(facts): Found[] {
    if (!isStatusReconciler(facts)) return [];
    const earliest = Date.parse(facts.now) - lookBackMs;
    return groupBursts(retirements(facts))
      .filter(({ from }) => from >= earliest)
      .flatMap((burst) => toFound(facts, burst));
  },
};

/**
 * Joins increases that follow each other. An increase that may have taken hours is spread evenly: only its last ten
 * minutes count.
 */
function groupBursts(increases: readonly Increase[]): Burst[] {
  const bursts: Burst[] = [];
  const recent = increases.map((increase): Burst => {
    const from = Math.max(increase.from, increase.to - quietMs);
    return { from, to: increase.to, count: sumIncreases([increase], from) };
  });
  for (const { from, to, count } of recent.toSorted((one, other) => one.from - other.from)) {
    const last = bursts.at(-1);
    if (last !== undefined && from - last.to <= quietMs) {
      last.to = Math.max(last.to, to);
      last.count += count;
    } else bursts.push({ from, to, count });
  }
  return bursts;
}

function toFound(facts: ControllerFacts, burst: Burst): Found[] {
  const repos = retirementsByRepo(facts)
    .map(({ repo, increases }) => ({
      repo,
      count: sumIncreases(
        increases.filter(({ to }) => to <= burst.to),
        burst.from,
      ),
    }))
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => other.count - one.count);
  const count = Math.round(burst.count);
  // Without repository names, several repositories cannot be ruled out.
  const isWide = repos.length === 0 || repos.length >= manyRepos.repos;
  if (count < (isWide ? manyRepos.contexts : anyRepo)) return [];
  const others = repos.length - namedRepos;
  const evidence: Evidence[] = repos.slice(0, namedRepos).map((each) => ({
    label: each.repo,
    value: `${Math.round(each.count)} contexts`,
  }));
  return [
    {
      key: `burst ${formatTime(burst.from)}`,
      severity: "critical",
      title:
        repos.length === 0
          ? `${count} contexts were retired`
          : `${count} contexts were retired in ${repos.length} ${repos.length === 1 ? "repository" : "repositories"}`,
      since: formatTime(burst.from),
      evidence: [
        { label: "Last retirement", value: formatTime(burst.to), at: formatTime(burst.to) },
        ...evidence,
        ...(others > 0 ? [{ label: "Others", value: `${others} more repositories` }] : []),
        controllerEvidence(facts),
      ],
    },
  ];
}
