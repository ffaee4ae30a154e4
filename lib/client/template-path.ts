/** Returns the API path of a template, by its id: `cluster/namespace/Kind/name`, with `-` if it has no namespace. */
export function templateApiPath(id: string): string {
  return `/api/v1/templates/${encodeId(id)}`;
}

/** Returns the path of a template's page; with `version`, of that version and its difference from the one before. */
export function templateHref(id: string, version?: number): string {
  const path = `/templates/${encodeId(id)}`;
  return version === undefined ? path : `${path}?version=${version}`;
}

/** Resolves a template's name in another template, `Kind/name`, to its id. */
export function resolveTemplateRef(ref: string, from: { cluster: string; namespace: string | null }): string {
  const isClusterWide = ref.startsWith("ClusterAnalysisTemplate/");
  return `${from.cluster}/${isClusterWide ? "-" : (from.namespace ?? "-")}/${ref}`;
}

/** Formats the id for display: `namespace/name`, or the bare name if it has no namespace. */
export function shortTemplateName(id: string): string {
  const [, namespace, , name] = id.split("/");
  if (name === undefined) return id;
  return namespace === "-" ? name : `${namespace}/${name}`;
}

function encodeId(id: string): string {
  return id.split("/").map(encodeURIComponent).join("/");
}
