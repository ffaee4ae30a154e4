import { apiVersionOf, RESOURCES, type Resource } from "./resources.ts";
import { REVIEWS } from "./serve-reviews.ts";

const VERBS = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];
const SUB_VERBS = ["get", "patch", "update"];

const VERSION = {
  major: "1",
  minor: "36",
  emulationMajor: "1",
  emulationMinor: "36",
  minCompatibilityMajor: "1",
  minCompatibilityMinor: "35",
  gitVersion: "v1.36.2",
  gitCommit: "",
  gitTreeState: "clean",
  buildDate: "2026-07-23T00:00:00Z",
  goVersion: "",
  compiler: "",
  platform: "linux/amd64",
};

type GroupVersion = { group: string; version: string };

const GROUP_VERSIONS: readonly GroupVersion[] = [
  ...new Map(
    [...RESOURCES, ...REVIEWS.map(({ group }) => ({ group, version: "v1" }))]
      .filter(({ group }) => group !== "")
      .map(({ group, version }) => [group, { group, version }]),
  ).values(),
];

/** Returns the JSON of discovery paths, plain text for probes, or undefined for any other path. */
export function discover(path: string): { json: unknown } | { text: string } | undefined {
  const trimmed = path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
  switch (trimmed) {
    case "/livez":
    case "/readyz":
    case "/healthz":
      return { text: "ok" };
    case "/version":
      return { json: VERSION };
    case "/api":
      return { json: { kind: "APIVersions", versions: ["v1"], serverAddressByClientCIDRs: [] } };
    case "/apis":
      return { json: { kind: "APIGroupList", apiVersion: "v1", groups: GROUP_VERSIONS.map(describeGroup) } };
    case "/openapi/v2":
      return {
        json: { swagger: "2.0", info: { title: "sandbox", version: VERSION.gitVersion }, paths: {}, definitions: {} },
      };
    case "/openapi/v3":
      return {
        json: { paths: Object.fromEntries(documents().map((at) => [at, { serverRelativeURL: `/openapi/v3/${at}` }])) },
      };
    default:
      return discoverGroup(trimmed);
  }
}

function discoverGroup(path: string): { json: unknown } | undefined {
  const segments = path.split("/").slice(1);
  if (segments[0] === "openapi" && segments[1] === "v3") return describeOpenApi(segments.slice(2).join("/"));
  if (path === "/api/v1") return { json: resourceList({ group: "", version: "v1" }) };
  if (segments[0] !== "apis") return undefined;
  const known = GROUP_VERSIONS.find((candidate) => candidate.group === segments[1]);
  if (known === undefined) return undefined;
  if (segments.length === 2) return { json: { kind: "APIGroup", apiVersion: "v1", ...describeGroup(known) } };
  if (segments.length === 3 && segments[2] === known.version) return { json: resourceList(known) };
  return undefined;
}

function describeGroup({ group, version }: GroupVersion) {
  const entry = { groupVersion: `${group}/${version}`, version };
  return { name: group, versions: [entry], preferredVersion: entry };
}

function resourceList({ group, version }: GroupVersion): unknown {
  const reviews = REVIEWS.filter((review) => review.group === group).map((review) => ({
    name: review.plural,
    singularName: review.kind.toLowerCase(),
    namespaced: false,
    kind: review.kind,
    verbs: ["create"],
  }));
  const resources = RESOURCES.filter((resource) => resource.group === group).flatMap(describeResource);
  const groupVersion = group === "" ? version : `${group}/${version}`;
  return { kind: "APIResourceList", apiVersion: "v1", groupVersion, resources: [...resources, ...reviews] };
}

function describeResource(resource: Resource): unknown[] {
  const { plural, singular, namespaced, kind, shortNames } = resource;
  const main = {
    name: plural,
    singularName: singular,
    namespaced,
    kind,
    verbs: VERBS,
    ...(shortNames.length === 0 ? {} : { shortNames }),
  };
  const status = { name: `${plural}/status`, singularName: "", namespaced, kind, verbs: SUB_VERBS };
  const scale = { ...status, name: `${plural}/scale`, group: "autoscaling", version: "v1", kind: "Scale" };
  return [main, ...(resource.hasStatus ? [status] : []), ...(resource.hasScale ? [scale] : [])];
}

function documents(): string[] {
  return ["api/v1", ...GROUP_VERSIONS.map(({ group, version }) => `apis/${group}/${version}`)];
}

/** Returns just enough OpenAPI for kubectl to see which kinds exist and that fieldValidation is supported. */
function describeOpenApi(document: string): { json: unknown } | undefined {
  if (!documents().includes(document)) return undefined;
  const { group, version } = splitDocument(document);
  const resources = RESOURCES.filter((resource) => resource.group === group && resource.version === version);
  const paths = Object.fromEntries(resources.map((resource) => describePath(document, resource)));
  return { json: { openapi: "3.0.0", info: { title: "sandbox", version: VERSION.gitVersion }, paths } };
}

function splitDocument(document: string): GroupVersion {
  const [root, first = "", second = ""] = document.split("/");
  return root === "api" ? { group: "", version: first } : { group: first, version: second };
}

function describePath(document: string, resource: Resource): [string, unknown] {
  const scope = resource.namespaced ? "namespaces/{namespace}/" : "";
  const path = `/${document}/${scope}${resource.plural}/{name}`;
  const [group, version] = [resource.group, resource.version];
  const kind = { group, version, kind: resource.kind };
  const parameters = ["dryRun", "fieldManager", "fieldValidation"].map((name) => ({
    name,
    in: "query",
    schema: { type: "string" },
  }));
  const description = `Patch of a ${apiVersionOf(resource)} ${resource.kind}`;
  const responses = { "200": { description: "OK" } };
  const patch = {
    description,
    parameters,
    responses,
    "x-kubernetes-action": "patch",
    "x-kubernetes-group-version-kind": kind,
  };
  return [path, { patch }];
}
