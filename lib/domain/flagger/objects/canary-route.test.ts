import { describe, expect, it } from "vitest";
import { parseCanary } from "./canary-object.ts";
import { findTrafficRoute } from "./canary-route.ts";

function canaryOf(spec: object) {
  const parsed = parseCanary({
    apiVersion: "flagger.app/v1beta1",
    kind: "Canary",
    metadata: { name: "podinfo", namespace: "test", uid: "u", resourceVersion: "1" },
    spec: { targetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "podinfo" }, ...spec },
  });
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.value;
}

const destination = (host: string, weight: number) => ({ destination: { host }, weight });
const named = (name: string, weight: number) => ({ name, weight });
const nginx = (annotations: object) => ({ metadata: { annotations } });
const prefix = "nginx.ingress.kubernetes.io";
const ingressRef = { name: "web" };

describe("the object that routes a canary's traffic", () => {
  it.each([
    { provider: "istio", resource: "networking.istio.io/v1beta1/virtualservices", name: "podinfo" },
    { provider: "gatewayapi:v1beta1", resource: "gateway.networking.k8s.io/v1beta1/httproutes", name: "podinfo" },
    { provider: "gatewayapi:v1", resource: "gateway.networking.k8s.io/v1/httproutes", name: "podinfo" },
    { provider: "linkerd", resource: "split.smi-spec.io/v1alpha1/trafficsplits", name: "podinfo" },
    { provider: "smi:v1alpha3:x", resource: "split.smi-spec.io/v1alpha3/trafficsplits", name: "podinfo" },
    { provider: "contour", resource: "projectcontour.io/v1/httpproxies", name: "podinfo" },
    { provider: "traefik", resource: "traefik.io/v1alpha1/traefikservices", name: "podinfo" },
    { provider: "nginx", resource: "networking.k8s.io/v1/ingresses", name: "web-canary" },
    { provider: "skipper", resource: "networking.k8s.io/v1/ingresses", name: "web-canary" },
  ])("$provider: $resource", ({ provider, resource, name }) => {
    const route = findTrafficRoute(canaryOf({ provider, ingressRef }));
    expect(route && [Object.values(route.resource).join("/"), route.name]).toEqual([resource, name]);
  });

  it.each([
    { name: "no router", spec: { provider: "kubernetes" } },
    { name: "a router that is not read", spec: { provider: "appmesh" } },
    { name: "a router of the controller that nobody knows", spec: {} },
    { name: "nginx without an Ingress", spec: { provider: "nginx" } },
    { name: "A/B testing", spec: { provider: "istio", analysis: { match: [{ headers: {} }] } } },
    { name: "sessions that stick", spec: { provider: "istio", analysis: { sessionAffinity: { cookieName: "c" } } } },
  ])("none: $name", ({ spec }) => {
    expect(findTrafficRoute(canaryOf(spec))).toBeUndefined();
  });

  it("has the name of the apex Service, and may be the controller's default", () => {
    const route = findTrafficRoute(canaryOf({ service: { name: "web" } }), "istio");
    const http = [{ route: [destination("web-primary", 30), destination("web-canary", 70)] }];
    expect([route?.name, route?.readWeight({ spec: { http } })]).toEqual(["web", 70]);
  });
});

describe("the weight", () => {
  it.each([
    {
      name: "a VirtualService",
      provider: "istio",
      object: { spec: { http: [{ route: [destination("podinfo-primary", 80), destination("podinfo-canary", 20)] }] } },
      weight: 20,
    },
    {
      name: "a VirtualService of TCP, behind another route",
      provider: "istio",
      object: {
        spec: {
          http: [{ route: [destination("other", 100)] }],
          tcp: [{ route: [destination("podinfo-primary", 0), destination("podinfo-canary", 100)] }],
        },
      },
      weight: 100,
    },
    {
      name: "an HTTPRoute, whose weights are relative",
      provider: "gatewayapi:v1",
      object: { spec: { rules: [{ backendRefs: [named("podinfo-primary", 3), named("podinfo-canary", 1)] }] } },
      weight: 25,
    },
    {
      name: "a TrafficSplit",
      provider: "linkerd",
      object: {
        spec: {
          backends: [
            { service: "podinfo-primary", weight: "60" },
            { service: "podinfo-canary", weight: "40" },
          ],
        },
      },
      weight: 40,
    },
    {
      name: "an HTTPProxy",
      provider: "contour",
      object: { spec: { routes: [{ services: [named("podinfo-primary", 90), named("podinfo-canary", 10)] }] } },
      weight: 10,
    },
    {
      name: "a TraefikService that names the primary alone",
      provider: "traefik",
      object: { spec: { weighted: { services: [named("podinfo-primary", 100)] } } },
      weight: 0,
    },
    {
      name: "an Ingress of nginx",
      provider: "nginx",
      object: nginx({ [`${prefix}/canary`]: "true", [`${prefix}/canary-weight`]: "60" }),
      weight: 60,
    },
    {
      name: "an Ingress with another prefix",
      provider: "nginx",
      object: nginx({ "x.io/canary": "true", "x.io/canary-weight": "0" }),
      weight: 0,
    },
    {
      name: "an Ingress that is switched off",
      provider: "nginx",
      object: nginx({ [`${prefix}/canary`]: "false", [`${prefix}/canary-weight`]: "60" }),
      weight: 0,
    },
    {
      name: "an Ingress of skipper",
      provider: "skipper",
      object: nginx({ "zalando.org/backend-weights": '{"podinfo-primary":70,"podinfo-canary":30}' }),
      weight: 30,
    },
    {
      name: "no weights at all",
      provider: "istio",
      object: { spec: { http: [{ route: [destination("other", 100)] }] } },
      weight: undefined,
    },
    {
      name: "both 0",
      provider: "gatewayapi:v1",
      object: { spec: { rules: [{ backendRefs: [named("podinfo-primary", 0), named("podinfo-canary", 0)] }] } },
      weight: undefined,
    },
    {
      name: "no number",
      provider: "nginx",
      object: nginx({ [`${prefix}/canary`]: "true", [`${prefix}/canary-weight`]: "many" }),
      weight: undefined,
    },
    { name: "no annotation", provider: "nginx", object: nginx({}), weight: undefined },
    { name: "no JSON", provider: "skipper", object: nginx({ "zalando.org/backend-weights": "{" }), weight: undefined },
    { name: "nothing", provider: "istio", object: null, weight: undefined },
  ])("of $name", ({ provider, object, weight }) => {
    expect(findTrafficRoute(canaryOf({ provider, ingressRef }))?.readWeight(object)).toBe(weight);
  });
});
