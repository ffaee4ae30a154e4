import { type ControllerFacts, findSeries, ruleSamplesMs } from "#lib/domain/controllers/facts.ts";
import { type Increase, type Point, readStarts, sumIncreases } from "#lib/domain/controllers/increases.ts";
import { type LabelledIncreases, listIncreases, listStarts } from "#lib/domain/controllers/list-increases.ts";
import type { ProbeFailure } from "#lib/domain/controllers/scrape-state.ts";
import type { Evidence, Found, Rule } from "#lib/domain/oversight/rule.ts";
import { statusReconciler, statusReconcilerSeries } from "#lib/domain/prow/components.ts";
import { controllerEvidence, formatTime } from "./controller-evidence.ts";

/** The rules look back for a day, at most as far as every scrape is kept. */
const lookBackMs = 23 * 3_600_000;

function isStatusReconciler({ component }: ControllerFacts): boolean {
  return component.name === statusReconciler;
}

/**
 * Returns the loaded presubmits, oldest first. A gauge is 0 from the start of the process until its first config delta:
 * such a 0 says nothing, and is left out.
 */
function loadedPresubmits(facts: ControllerFacts): Point[] {
  const started = readStarts(listStarts(facts.samples));
  const points: Point[] = [];
  let loadedBy: number | undefined;
  for (const point of findSeries(facts, statusReconcilerSeries.presubmits)[0]?.points ?? []) {
    const start = started(point.at);
    if (point.value === 0 && (points.length === 0 || start !== loadedBy)) continue;
    loadedBy = start;
    points.push(point);
  }
  return points;
}

/** Returns by how much the counter of retired contexts rose, in all. Empty if it is not available. */
function retirements(facts: ControllerFacts): Increase[] {
  return increasesOf(facts, statusReconcilerSeries.retired).flatMap(({ increases }) => increases);
}

export type RepoRetirements = { repo: string; increases: Increase[] };

/** The same for each repository; empty if there are too many to keep apart. */
function retirementsByRepo(facts: ControllerFacts): RepoRetirements[] {
  return increasesOf(facts, statusReconcilerSeries.retiredByRepo).map(({ labels, increases }) => ({
    repo: `${labels.org}/${labels.repo}`,
    increases,
  }));
}

/**
 * The counter appears with its first retirement; the presubmits were there before, and are its marks. The marks of all
 * scrapes reach back for minutes only: what began then would seem to begin at another time later.
 */
function increasesOf({ samples, now }: ControllerFacts, key: string): LabelledIncreases[] {
  const from = Date.parse(now) - ruleSamplesMs.lookBack;
  return listIncreases(samples, key, { from, markKeys: [statusReconcilerSeries.presubmits] }).map((each) => ({
    ...each,
    increases: each.increases.filter(({ value }) => value > 0),
  }));
}

/**
 * Finds a status-reconciler whose config does not load. No metric shows it, but since pull request 628 its liveness
 * probe does. Without a probe the rule is not available; a probe without an answer proves nothing. It is one finding
 * while Kubernetes starts the process again and again (`ProbeFailure`).
 */
export const prowConfigLoadFailing: Rule<ControllerFacts> = {
  id: "prow-config-load-failing",
  about: "controller",
  severity: "critical",
  name: "Config does not load",
  explanation:
    "Prow's status-reconciler should stop when its config does not load. Its probe fails then, and Kubernetes starts it again. If contexts are retired nevertheless, it acts on an untrusted config. The finding stays the same while Kubernetes starts the process again and again; it closes when the probe was well at every scrape of a minute, and at least at two.",
  advice:
    "Stop status-reconciler (scale it to 0) if it goes on retiring contexts. Then repair its config directory; often git-sync could not fetch.",
  find(facts): Found[] {
    const failure = facts.scrape?.probe?.failure ?? undefined;
    if (!isStatusReconciler(facts) || facts.scrape === undefined || failure === undefined) return [];
    // The probe failed at some time after the scrape before.
    const from = Date.parse(failure.since) - facts.scrape.everySeconds * 1000;
    // Contexts retired after the config loads again are regular work.
    const to = failure.quiet?.state === "ok" ? Date.parse(failure.lastAt) : Number.POSITIVE_INFINITY;
    const meanwhile = retirements(facts).filter((increase) => increase.from <= to);
    const acted = Math.round(sumIncreases(meanwhile, from));
    return [
      {
        key: "config-load",
        severity: acted > 0 ? "critical" : "warning",
        title: titleOf(failure, acted),
        since: failure.since,
        evidence: [
          { label: "Probe failed", value: failure.message ?? "it fails", at: failure.since },
          ...(failure.quiet === null ? [] : [{ label: "Probe now", value: quietWords[failure.quiet.state] }]),
          { label: "Contexts retired since", value: String(acted) },
          controllerEvidence(facts),
        ],
      },
    ];
  },
};

const quietWords: Readonly<Record<NonNullable<ProbeFailure["quiet"]>["state"], string>> = {
  ok: "it is well; the finding closes when it was so for a minute",
  absent: "nothing answers; Kubernetes may be starting the process again",
};

/** Without a new probe, or an answer to it, the last known result holds. */
function titleOf({ quiet }: ProbeFailure, acted: number): string {
  const [words, when] =
    quiet?.state === "ok"
      ? ["The config did not load until just now", "meanwhile"]
      : ["The config does not load", "since"];
  return acted === 0 ? words : `${words}, and ${acted} contexts were retired ${when}`;
}

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
      .flatMap((burst) => foundOfBurst(facts, burst));
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

function foundOfBurst(facts: ControllerFacts, burst: Burst): Found[] {
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

/** A directory that empties may be loaded in parts. */
const withinMs = 300_000;
const fewest = 10;
/** A count that is back at this share has recovered. */
const recoveredShare = 0.75;

/** Finds a status-reconciler that loaded a config without most of its presubmits. */
export const prowPresubmitsCollapsed: Rule<ControllerFacts> = {
  id: "prow-presubmits-collapsed",
  about: "controller",
  severity: "critical",
  name: "Loaded presubmits collapsed",
  explanation:
    "Prow's status-reconciler retires the contexts of presubmits that are gone from its config: it turns required checks green. A config that was loaded from a missing or partial directory looks as if most presubmits had been removed. Found if the number of loaded presubmits falls by half or more, from at least 10, between two scrapes or within five minutes.",
  advice:
    "Stop status-reconciler now (scale it to 0) unless these jobs were removed on purpose. Then compare its config directory with the repository, and find the pull requests whose contexts were retired.",
  find(facts): Found[] {
    if (!isStatusReconciler(facts)) return [];
    const points = loadedPresubmits(facts);
    const earliest = Date.parse(facts.now) - lookBackMs;
    const found: Found[] = [];
    for (let index = 1; index < points.length; index++) {
      const point = points[index];
      const reference = point === undefined ? undefined : referenceOf(points, index);
      if (point === undefined || reference === undefined || point.at < earliest) continue;
      if (reference.value < fewest || point.value > reference.value / 2) continue;
      const later = points.slice(index + 1);
      const recovered = later.find(({ value }) => value >= reference.value * recoveredShare);
      found.push(foundOfCollapse({ facts, point, reference, recovered, last: later.at(-1) ?? point }));
      // Points until the recovery belong to the same collapse.
      if (recovered === undefined) break;
      index = points.indexOf(recovered);
    }
    return found;
  },
};

/** The point before, or the highest of the last minutes. */
function referenceOf(points: readonly Point[], index: number): Point | undefined {
  const at = points[index]?.at ?? 0;
  return points
    .slice(0, index)
    .filter((point, before) => before === index - 1 || at - point.at <= withinMs)
    .reduce<Point | undefined>(
      (highest, point) => (highest === undefined || point.value > highest.value ? point : highest),
      undefined,
    );
}

type Collapse = { facts: ControllerFacts; point: Point; reference: Point; recovered: Point | undefined; last: Point };

function foundOfCollapse({ facts, point, reference, recovered, last }: Collapse): Found {
  const retired = sumIncreases(retirements(facts), reference.at);
  return {
    key: `collapse ${formatTime(point.at)}`,
    severity: "critical",
    title: `Loaded presubmits fell from ${reference.value} to ${point.value}`,
    since: formatTime(point.at),
    evidence: [
      { label: "Before", value: `${reference.value} presubmits`, at: formatTime(reference.at) },
      { label: "After", value: `${point.value} presubmits`, at: formatTime(point.at) },
      { label: "Now", value: `${last.value} presubmits` },
      {
        label: "Contexts retired since",
        value:
          facts.scrape?.presence[statusReconcilerSeries.retired] === "not-available"
            ? "not available"
            : String(Math.round(retired)),
      },
      controllerEvidence(facts),
    ],
    ...(recovered === undefined
      ? {}
      : { over: { at: formatTime(recovered.at), why: `The count is back at ${recovered.value}` } }),
  };
}
