/** The API path of a template, by its id: `cluster/namespace/Kind/name`, with `-` where it has no namespace. */
export function templateApiPath(id: string): string {
  return `/api/v1/templates/${encodeId(id)}`;
}

/** The page of a template; with `version`, what that version says and how it differs from the one before it. */
export function templateHref(id: string, version?: number): string {
  const path = `/templates/${encodeId(id)}`;
  return version === undefined ? path : `${path}?version=${version}`;
}

/** Takes the name of a template that another one names, as `Kind/name`, to its id. */
export function resolveTemplateRef(ref: string, from: { cluster: string; namespace: string | null }): string {
  const isClusterWide = ref.startsWith("ClusterAnalysisTemplate/");
  return `${from.cluster}/${isClusterWide ? "-" : (from.namespace ?? "-")}/${ref}`;
}

/** The id taken apart for display: `namespace/name`, or the bare name of one that has no namespace. */
export function shortTemplateName(id: string): string {
  const [, namespace, , name] = id.split("/");
  if (name === undefined) return id;
  return namespace === "-" ? name : `${namespace}/${name}`;
}

function encodeId(id: string): string {
  return id.split("/").map(encodeURIComponent).join("/");
}
