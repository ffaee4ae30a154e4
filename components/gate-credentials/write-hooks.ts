import { gateNames } from "#lib/domain/delivery/gate-decision.ts";

export type HookCredentialWords = { id: string; secret: string };

/** Every hook that Gatehouse answers usefully: the gates, and the events with the values of failed checks. */
export const allHooks: readonly string[] = [...gateNames, "event"];

/** Writes the webhooks of a Canary's analysis that let Gatehouse answer hooks of these types, as YAML. */
export function writeHooks({
  url: gatehouse,
  cluster,
  types,
  credential: { id, secret } = { id: "ID", secret: "SECRET" },
}: {
  /** Of Gatehouse, such as `https://gatehouse.example.com` or `https://host.example.com/gatehouse`. */
  url: string;
  cluster: string;
  types: readonly string[];
  credential?: HookCredentialWords | undefined;
}): string {
  const url = new URL(`${gatehouse}/hooks/flagger/${encodeURIComponent(cluster)}`);
  const base = `${url.protocol}//${id}:${secret}@${url.host}${url.pathname}`;
  const hooks = types.flatMap((type) => [
    `      - name: gatehouse-${type}`,
    `        type: ${type}`,
    `        url: ${base}/${type}`,
  ]);
  return ["spec:", "  analysis:", "    webhooks:", ...hooks].join("\n");
}

/** Reads patterns that a person separated by commas or spaces; undefined if one cannot be a namespace's. */
export function parseNamespaces(text: string): string[] | undefined {
  const patterns = text.split(/[\s,]+/).filter((pattern) => pattern !== "");
  const isUsable = (pattern: string) => pattern.length <= 63 && /^[a-z0-9*?-]+$/.test(pattern);
  return patterns.length > 0 && patterns.every(isUsable) ? patterns : undefined;
}
