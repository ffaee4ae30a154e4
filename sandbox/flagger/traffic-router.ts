import type { KubeObject } from "#sandbox/apiserver/store-types.ts";
import { type Canary, serviceNamesOf } from "./canary-types.ts";
import type { FlaggerContext } from "./flagger-context.ts";
import { FLAGGER_MANAGER } from "./flagger-context.ts";
import { createNginxRouter } from "./nginx-router.ts";
import { ALL_TO_CANARY, ALL_TO_PRIMARY, type Routes, type TrafficRouter } from "./owned-objects.ts";

/** The provider of a Canary that does not name one (-mesh-provider). */
const DEFAULT_PROVIDER = "istio";
/** On the main Service: the weights for providers whose kinds the sandbox does not serve. */
export const ROUTES_ANNOTATION = "sandbox.gatehouse/routes";

export function providerOf({ spec }: Canary): string {
  return spec.provider === undefined || spec.provider === "" ? DEFAULT_PROVIDER : spec.provider;
}

export function createRouter(context: FlaggerContext, canary: Canary): TrafficRouter {
  switch (providerOf(canary)) {
    case "kubernetes":
      return createNoRouter(canary);
    case "nginx":
      return createNginxRouter(context, canary);
    default:
      return createNotedRouter(context, canary);
  }
}

/** Routes nothing: the main Service always selects the primary (pkg/router/nop.go of flagger 1.44.0). */
function createNoRouter({ status }: Canary): TrafficRouter {
  return {
    reconcile() {},
    read: () => (status.iterations > 0 ? ALL_TO_CANARY : ALL_TO_PRIMARY),
    set() {},
  };
}

/** Keeps the routes of a mesh in an annotation of the main Service. */
function createNotedRouter({ store }: FlaggerContext, canary: Canary): TrafficRouter {
  const { namespace } = canary.metadata;
  const { apex } = serviceNamesOf(canary);
  function find(): KubeObject {
    const service = store.get("services", namespace, apex);
    if (service === undefined) {
      throw new Error(`service ${apex}.${namespace} get query error: services ${JSON.stringify(apex)} not found`);
    }
    return service;
  }
  function write(routes: Routes): void {
    const service = find();
    const annotations = { ...service.metadata.annotations, [ROUTES_ANNOTATION]: JSON.stringify(routes) };
    const next = { ...service, metadata: { ...service.metadata, annotations } };
    store.update("services", next, { manager: FLAGGER_MANAGER });
  }
  const read = (): Routes | undefined => {
    const text = find().metadata.annotations?.[ROUTES_ANNOTATION];
    return text === undefined ? undefined : (JSON.parse(text) as Routes);
  };
  return {
    reconcile() {
      if (read() === undefined) {
        write(ALL_TO_PRIMARY);
      }
    },
    // While an A/B test's match is routed, upstream reads it as all traffic to the canary; so it is written here.
    read: () => read() ?? ALL_TO_PRIMARY,
    set: write,
  };
}
