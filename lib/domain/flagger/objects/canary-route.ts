import type { TrafficRoute } from "#lib/domain/delivery/sampling.ts";
import type { CanaryObject } from "./canary-object.ts";
import { analysisOf, apexNameOf, routerOf } from "./canary-spec.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The place of the weights in a router's object: the lists of backends, and the Service of each backend. */
type Backends = { lists: (spec: Fields) => unknown[]; serviceOf: (backend: Fields) => unknown };

const byName = (backend: Fields) => backend.name;
const rulesOf = (rules: unknown, list: string) => listOf(rules).map((rule) => fieldsOf(rule)[list]);

const virtualService: Backends = {
  lists: ({ http, tcp }) => [...rulesOf(http, "route"), ...rulesOf(tcp, "route")],
  serviceOf: ({ destination }) => fieldsOf(destination).host,
};
const httpRoute: Backends = { lists: ({ rules }) => rulesOf(rules, "backendRefs"), serviceOf: byName };
const trafficSplit: Backends = { lists: ({ backends }) => [backends], serviceOf: ({ service }) => service };
const httpProxy: Backends = { lists: ({ routes }) => rulesOf(routes, "services").slice(0, 1), serviceOf: byName };
const traefikService: Backends = { lists: ({ weighted }) => [fieldsOf(weighted).services], serviceOf: byName };

type Router = { matches: RegExp; group: string; version: string; name: string; backends: Backends };

/** The routers of fluxcd/flagger pkg/router 1.44.0 whose object has the name of the apex Service. */
const routers: readonly Router[] = [
  {
    matches: /^istio$/,
    group: "networking.istio.io",
    version: "v1beta1",
    name: "virtualservices",
    backends: virtualService,
  },
  {
    matches: /^gatewayapi:v1beta1/,
    group: "gateway.networking.k8s.io",
    version: "v1beta1",
    name: "httproutes",
    backends: httpRoute,
  },
  {
    matches: /^gatewayapi:v1/,
    group: "gateway.networking.k8s.io",
    version: "v1",
    name: "httproutes",
    backends: httpRoute,
  },
  {
    matches: /^(linkerd$|smi:v1alpha1)/,
    group: "split.smi-spec.io",
    version: "v1alpha1",
    name: "trafficsplits",
    backends: trafficSplit,
  },
  {
    matches: /^(osm$|smi:v1alpha2)/,
    group: "split.smi-spec.io",
    version: "v1alpha2",
    name: "trafficsplits",
    backends: trafficSplit,
  },
  {
    matches: /^smi:v1alpha3/,
    group: "split.smi-spec.io",
    version: "v1alpha3",
    name: "trafficsplits",
    backends: trafficSplit,
  },
  { matches: /^contour$/, group: "projectcontour.io", version: "v1", name: "httpproxies", backends: httpProxy },
  { matches: /^traefik$/, group: "traefik.io", version: "v1alpha1", name: "traefikservices", backends: traefikService },
];

const ingresses = { group: "networking.k8s.io", version: "v1", name: "ingresses" };

/**
 * Returns the object in which Flagger writes the weights. Undefined if its router is not known or not read here, if the
 * request decides (A/B testing), or if sessions stick: then the weights do not show where users are.
 */
export function findTrafficRoute(canary: CanaryObject, defaultRouter?: string): TrafficRoute | undefined {
  const analysis = analysisOf(canary);
  if ((analysis?.match ?? []).length > 0 || analysis?.sessionAffinity != null) return undefined;
  const router = routerOf(canary, defaultRouter);
  const apex = apexNameOf(canary);
  const services = { primary: `${apex}-primary`, canary: `${apex}-canary` };
  if (router === "nginx" || router === "skipper") {
    const ingress = fieldsOf(canary.spec.ingressRef).name;
    const readWeight = router === "nginx" ? readNginxWeight : (object: unknown) => readSkipperWeight(object, services);
    return typeof ingress === "string" ? { resource: ingresses, name: `${ingress}-canary`, readWeight } : undefined;
  }
  const known = routers.find(({ matches }) => matches.test(router));
  if (known === undefined) return undefined;
  const { group, version, name, backends } = known;
  return {
    resource: { group, version, name },
    name: apex,
    readWeight: (object) => readBackends(fieldsOf(fieldsOf(object).spec), { backends, services }),
  };
}

type Services = { primary: string; canary: string };

/** Reads the list that names the canary's Service. One that names only the primary's sends nothing to the canary. */
function readBackends(spec: Fields, { backends, services }: { backends: Backends; services: Services }) {
  const lists = backends.lists(spec).map((list) => listOf(list).map(fieldsOf));
  const names = (service: string) => (list: Fields[]) =>
    list.some((backend) => backends.serviceOf(backend) === service);
  const list = lists.find(names(services.canary)) ?? lists.find(names(services.primary));
  const weightOf = (service: string) => list?.find((backend) => backends.serviceOf(backend) === service)?.weight;
  if (list === undefined) return undefined;
  return names(services.canary)(list) ? share(weightOf(services.canary), weightOf(services.primary)) : 0;
}

/** Flagger rewrites the annotation together with the others; `-ingress-annotations-prefix` may change its prefix. */
function readNginxWeight(object: unknown): number | undefined {
  const annotations = annotationsOf(object);
  const key = Object.keys(annotations).find((name) => name.endsWith("/canary-weight"));
  if (key === undefined) return undefined;
  const isOn = annotations[key.replace(/-weight$/, "")] === "true";
  return isOn ? percent(Number(annotations[key])) : 0;
}

function readSkipperWeight(object: unknown, services: Services): number | undefined {
  const text = annotationsOf(object)["zalando.org/backend-weights"];
  try {
    const weights = fieldsOf(JSON.parse(String(text)));
    return share(weights[services.canary], weights[services.primary]);
  } catch {
    return undefined;
  }
}

function share(canary: unknown, primary: unknown): number | undefined {
  const [one, other] = [Number(canary ?? 0), Number(primary ?? 0)];
  return one + other > 0 ? percent((100 * one) / (one + other)) : undefined;
}

function percent(value: number): number | undefined {
  return value >= 0 && value <= 100 ? value : undefined;
}

function annotationsOf(object: unknown): Fields {
  return fieldsOf(fieldsOf(fieldsOf(object).metadata).annotations);
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
