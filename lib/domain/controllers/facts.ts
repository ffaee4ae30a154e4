import { parse } from "semver";
import type { WorkloadState } from "#lib/domain/kube/workload-object.ts";
import type { Component, KnownDefect } from "./component.ts";
import type { Point } from "./increases.ts";
import type { ScrapeState } from "./scrape-state.ts";

/** A stored series, oldest point first. */
export type StoredSeries = { series: string; labels: Readonly<Record<string, string>>; points: readonly Point[] };

/** A recorded workload whose image is the component's. */
export type ControllerWorkload = Pick<WorkloadState, "kind" | "desired" | "ready" | "conditions"> & {
  namespace: string;
  name: string;
  /** The image's tag. */
  tag: string | undefined;
};

/** How far back the samples reach that rules look at: of the series in `lookBack`, and of the others. */
export const ruleSamplesMs = { lookBack: 24 * 3_600_000, others: 15 * 60_000 } as const;

/** The known facts about one controller. */
export type ControllerFacts = {
  cluster: string;
  component: Component;
  /** By the database's clock; ISO 8601. */
  now: string;
  /** How its metrics are read according to the config; undefined if it does not set this. */
  via: "endpoint" | "prometheus" | undefined;
  scrape: ScrapeState | undefined;
  workloads: readonly ControllerWorkload[];
  samples: readonly StoredSeries[];
};

/**
 * Returns the version in its metrics, or else in its image's tag. Undefined if neither has one, or if its workloads
 * disagree.
 */
export function versionOf({ scrape, workloads }: Pick<ControllerFacts, "scrape" | "workloads">): string | undefined {
  const said = scrape?.version;
  if (said !== null && said !== undefined) return readVersion(said) ?? said;
  const tags = new Set(workloads.map(({ tag }) => tag));
  const [tag] = tags;
  return tags.size !== 1 || tag === undefined ? undefined : (readVersion(tag) ?? tag);
}

/** Lists the known defects of its version. Empty if the version is not known: that proves nothing. */
export function defectsOf(facts: ControllerFacts): KnownDefect[] {
  const version = versionOf(facts);
  return version === undefined || readVersion(version) === undefined ? [] : facts.component.findDefects(version);
}

export function findSeries({ samples }: Pick<ControllerFacts, "samples">, key: string): StoredSeries[] {
  return samples.filter(({ series }) => series === key);
}

/**
 * Reads a version as a controller or the tag of its image says it: `v1.8.3+49fa151` is 1.8.3. Undefined if the text has
 * none, such as `latest`.
 */
export function readVersion(text: string): string | undefined {
  return parse(text.trim())?.version;
}
