import type { Controller } from "#lib/contract/controller.ts";
import { assessController } from "#lib/domain/controllers/assess-controller.ts";
import { type ControllerFacts, defectsOf, versionOf } from "#lib/domain/controllers/facts.ts";
import type { Quantile } from "#lib/domain/controllers/quantile.ts";
import type { ScrapeState } from "#lib/domain/controllers/scrape-state.ts";
import { type ControllerSummary, summarizeController } from "#lib/domain/controllers/summarize.ts";
import { type Rights, readsAllOf } from "#lib/domain/policy/rights.ts";

/** Returns a controller as the caller may see it: where its pods run is for those who read the whole cluster. */
export function serializeController(facts: ControllerFacts, rights: Rights): Controller {
  const { cluster, component, via, scrape, workloads } = facts;
  const { state, reason, since } = assessController(facts);
  return {
    id: `${cluster}/${component.name}`,
    cluster,
    component: component.name,
    label: component.label,
    purpose: component.purpose,
    state,
    reason,
    since: since ?? null,
    version: versionOf(facts) ?? null,
    defects: defectsOf(facts),
    via: via ?? null,
    everySeconds: scrape?.everySeconds ?? null,
    lastScrape: scrape?.at ?? null,
    lastSuccess: scrape?.lastOkAt ?? null,
    durationMs: scrape?.durationMs ?? null,
    error: serializeError(scrape),
    consecutiveFailures: scrape?.consecutiveFailures ?? 0,
    startedAt: scrape?.startedAt ?? null,
    restarts: scrape?.restarts ?? 0,
    probe: serializeProbe(scrape),
    workloads: readsAllOf(rights, { cluster, namespace: null })
      ? workloads.map(({ kind, namespace, name, desired, ready, tag }) => {
          return { kind, namespace, name, desired, ready, tag: tag ?? null };
        })
      : null,
    ...serializeSummary(summarizeController(facts)),
  };
}

function serializeError(scrape: ScrapeState | undefined): Controller["error"] {
  return scrape === undefined || scrape.error === null
    ? null
    : { code: scrape.error.code, message: scrape.error.message };
}

function serializeProbe(scrape: ScrapeState | undefined): Controller["probe"] {
  if (scrape === undefined || scrape.probe === null) return null;
  const { state, message, since } = scrape.probe;
  return { state, message, since };
}

function serializeSummary({
  errors,
  latency,
  depth,
}: ControllerSummary): Pick<Controller, "errors" | "latency" | "depth"> {
  if (latency === null) return { errors, latency, depth };
  const { p50, p99 } = latency;
  return { errors, depth, latency: { ...latency, p50: toBounded(p50), p99: toBounded(p99) } };
}

/** JSON has no infinity. */
function toBounded(quantile: Quantile | null) {
  return quantile === null ? null : { ...quantile, to: Number.isFinite(quantile.to) ? quantile.to : null };
}
