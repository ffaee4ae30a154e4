export type MissingRight = { verb: string; resource: string; namespace: string | undefined };

/**
 * Reads from an API server's refusal which right is missing
 * (`pods "a" is forbidden: User "b" cannot get resource "pods/log" in API group "" in the namespace "c"`, as
 * k8s.io/apiserver words it). Undefined for a refusal in other words, such as a webhook's.
 */
export function readMissingRight(message: string): MissingRight | undefined {
  const found = / cannot ([a-z:-]+) resource "([^"]+)" in API group "([^"]*)"(?: in the namespace "([^"]+)")?/.exec(
    message,
  );
  if (found === null) return undefined;
  const [, verb = "", name = "", group = "", namespace] = found;
  return { verb, resource: group === "" ? name : `${name}.${group}`, namespace };
}
