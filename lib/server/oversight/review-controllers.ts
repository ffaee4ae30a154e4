import { type ControllerFacts, ruleSamplesMs } from "#lib/domain/controllers/facts.ts";
import { controllerId } from "#lib/domain/oversight/controllers/controller-evidence.ts";
import { controllerRules } from "#lib/domain/oversight/controllers/controller-rules.ts";
import { applyRules } from "#lib/domain/oversight/rule.ts";
import { listOffForCluster, type OversightScope } from "#lib/domain/oversight/scope.ts";
import {
  type ControllerCluster,
  type KnownController,
  readController,
  readControllers,
} from "#lib/server/oversight/controllers/read-controllers.ts";
import { readSamples } from "#lib/server/oversight/controllers/sample-rows.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import type { Connection } from "#lib/server/platform/db/run-query.ts";
import { type FindingStore, type FindingSubject, storeFindings } from "./record-findings.ts";

/** `scopes`: which rules are off. */
type Review = FindingStore & { scopes: readonly OversightScope[] };

/** Applies the rules to one controller, right after its scrape was stored. */
export async function reviewController({
  cluster,
  component,
  ...review
}: Review & { cluster: ControllerCluster; component: string }): Promise<void> {
  const known = await readController(review.pool, cluster, component);
  if (known !== undefined) await reviewKnown(review, known);
}

/**
 * Applies the rules to every controller, including those that are not scraped, and closes the findings of controllers
 * that are no longer known.
 */
export async function reviewControllers({
  clusters,
  ...review
}: Review & { clusters: readonly ControllerCluster[] }): Promise<void> {
  const known = await readControllers(review.pool, clusters);
  for (const each of known) await reviewKnown(review, each);
  const ids = new Set(known.map(controllerId));
  for (const { id, place } of await readOpen(review.pool))
    if (!ids.has(id)) await storeFindings(review, { about: "controller", id, place }, []);
}

async function reviewKnown(review: Review, known: KnownController): Promise<void> {
  const facts: ControllerFacts = { ...known, samples: await readRuleSamples(review.pool, known) };
  const { cluster, component } = known;
  const off = listOffForCluster(review.scopes, cluster);
  const found = applyRules(controllerRules, facts, off);
  const place = { cluster, namespace: "", kind: "Controller", name: component.name };
  await storeFindings(review, { about: "controller", id: controllerId(known), place }, found);
}

async function readRuleSamples(
  connection: Connection,
  { cluster, component, now }: KnownController,
): Promise<ControllerFacts["samples"]> {
  const place = { cluster, component: component.name };
  const { lookBack = [] } = component;
  const recent = await readSamples(connection, { ...place, from: new Date(Date.parse(now) - ruleSamplesMs.others) });
  if (lookBack.length === 0) return recent;
  const day = await readSamples(connection, {
    ...place,
    from: new Date(Date.parse(now) - ruleSamplesMs.lookBack),
    keys: lookBack,
  });
  return [...recent.filter(({ series }) => !lookBack.includes(series)), ...day];
}

async function readOpen(connection: Connection): Promise<Pick<FindingSubject, "id" | "place">[]> {
  const rows = await prismaOn(connection).finding.groupBy({
    by: ["subject", "cluster", "namespace", "kind", "name"],
    where: { about: "controller", closedAt: null },
  });
  return rows.map(({ subject, ...place }) => ({ id: subject, place }));
}
