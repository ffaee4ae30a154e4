/** Formats one `kubectl patch` per patch, to be run in this order. */
export function formatPatchCommands({
  resource,
  name,
  namespace,
  patches,
}: {
  /** As kubectl takes it, such as `rollout`. */
  resource: string;
  name: string;
  namespace: string;
  patches: readonly { subresource: "" | "status"; body: unknown }[];
}): string {
  return patches
    .map(({ subresource, body }) => {
      const status = subresource === "" ? "" : ` --subresource=${subresource}`;
      const target = `kubectl patch ${resource} ${quoteWord(name)} -n ${quoteWord(namespace)}`;
      return `${target}${status} --type=merge -p ${quoteWord(JSON.stringify(body), true)}`;
    })
    .join(" && ");
}

/** Quotes a word for the shell: names come from the cluster and are not always what Kubernetes would allow. */
export function quoteWord(text: string, always = false): string {
  if (!always && /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(text)) return text;
  return `'${text.replaceAll("'", "'\\''")}'`;
}
