import { isSame } from "#lib/util/diff-merge.ts";
import type { KubeObject } from "#sandbox/apiserver/store-types.ts";
import { analysisOf, type Canary, serviceNamesOf } from "./canary-types.ts";
import { FLAGGER_MANAGER, type FlaggerContext } from "./flagger-context.ts";
import { ownedByCanary, type Routes, type TrafficRouter, withFluxDisabled } from "./owned-objects.ts";

const PREFIX = "nginx.ingress.kubernetes.io/canary";
const WEIGHT = `${PREFIX}-weight`;
const APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

type Path = { backend: { service?: { name: string } } };
type IngressSpec = { rules?: { http?: { paths: Path[] } }[] };

/** Routes with a second Ingress whose annotation holds the weight (pkg/router/ingress.go of flagger 1.44.0). */
export function createNginxRouter({ store }: FlaggerContext, canary: Canary): TrafficRouter {
  const { namespace } = canary.metadata;
  const source = canary.spec.ingressRef?.name ?? "";
  const name = `${source}-canary`;

  function find(wanted: string): KubeObject {
    const ingress = store.get("ingresses", namespace, wanted);
    if (ingress === undefined) {
      const reason = `ingresses.networking.k8s.io ${JSON.stringify(wanted)} not found`;
      throw new Error(`ingress ${wanted}.${namespace} get query error: ${reason}`);
    }
    return ingress;
  }

  return {
    reconcile() {
      if (source === "") {
        throw new Error("ingress selector is empty");
      }
      const original = find(source);
      const spec = withCanaryBackend(original, canary);
      const existing = store.get("ingresses", namespace, name);
      if (existing === undefined) {
        const { apiVersion, kind, metadata } = original;
        const annotations = resetAnnotations(metadata.annotations);
        const { labels } = metadata;
        const ownerReferences = [ownedByCanary(canary)];
        const own = { name, namespace, annotations, ownerReferences, ...(labels === undefined ? {} : { labels }) };
        store.create("ingresses", { apiVersion, kind, metadata: own, spec }, { manager: FLAGGER_MANAGER });
      } else if (!isSame(existing.spec, spec)) {
        store.update("ingresses", { ...existing, spec }, { manager: FLAGGER_MANAGER });
      }
    },
    read() {
      const annotations = find(name).metadata.annotations ?? {};
      const isByRequest = [`${PREFIX}-by-cookie`, `${PREFIX}-by-header`].some((key) => key in annotations);
      if (isByRequest && (analysisOf(canary).match ?? []).length > 0) {
        return { primary: 0, canary: 100, isMirrored: false };
      }
      const weight = Number(annotations[WEIGHT] ?? "0");
      return { primary: 100 - weight, canary: weight, isMirrored: false };
    },
    set(routes) {
      const ingress = find(name);
      const annotations = routeAnnotations(ingress.metadata.annotations, canary, routes);
      const next = { ...ingress, metadata: { ...ingress.metadata, annotations } };
      store.update("ingresses", next, { manager: FLAGGER_MANAGER });
    },
  };
}

function routeAnnotations(
  current: Record<string, string> | undefined,
  canary: Canary,
  routes: Routes,
): Record<string, string> {
  if (routes.canary === 0) {
    return resetAnnotations(current);
  }
  const { match = [] } = analysisOf(canary);
  const routed = match.length > 0 ? matchAnnotations(match) : { [WEIGHT]: String(routes.canary) };
  return { ...current, [PREFIX]: "true", ...routed };
}

function matchAnnotations(match: NonNullable<ReturnType<typeof analysisOf>["match"]>): Record<string, string> {
  const annotations: Record<string, string> = {};
  for (const [header, value] of match.flatMap(({ headers = {} }) => Object.entries(headers))) {
    if (header === "cookie") {
      annotations[`${PREFIX}-by-cookie`] = value.exact ?? "";
    } else {
      annotations[`${PREFIX}-by-header`] = header;
      annotations[`${PREFIX}-by-header-value`] = value.exact ?? "";
      annotations[`${PREFIX}-by-header-pattern`] = value.regex ?? "";
    }
  }
  return Object.fromEntries(Object.entries(annotations).filter(([, value]) => value !== ""));
}

/** Returns the annotations of an Ingress to which nothing is routed. */
function resetAnnotations(current: Record<string, string> | undefined): Record<string, string> {
  const kept = Object.entries(current ?? {}).filter(([key]) => !key.includes(PREFIX) && !key.includes(APPLIED));
  return { ...withFluxDisabled(Object.fromEntries(kept)), [PREFIX]: "true", [WEIGHT]: "0" };
}

function withCanaryBackend({ metadata, spec }: KubeObject, canary: Canary): Record<string, unknown> {
  const { apex } = serviceNamesOf(canary);
  const next = structuredClone(spec ?? {}) as IngressSpec & Record<string, unknown>;
  let hasBackend = false;
  for (const { backend } of next.rules?.flatMap(({ http }) => http?.paths ?? []) ?? []) {
    if (backend.service?.name === apex) {
      backend.service.name = `${apex}-canary`;
      hasBackend = true;
    }
  }
  if (!hasBackend) {
    throw new Error(`backend ${apex} not found in ingress ${metadata.name}`);
  }
  return next;
}
