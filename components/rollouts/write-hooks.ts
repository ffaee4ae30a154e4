import type { RolloutGate } from "#lib/contract/hook.ts";

/** Writes the webhooks of a Canary's analysis that let Gatehouse answer these gates, as YAML. */
export function writeHooks({
  origin,
  cluster,
  gates,
}: {
  /** Of Gatehouse, such as `https://gatehouse.example.com`. */
  origin: string;
  cluster: string;
  gates: readonly RolloutGate["gate"][];
}): string {
  const url = new URL(`/hooks/flagger/${encodeURIComponent(cluster)}`, origin);
  const base = `${url.protocol}//ID:SECRET@${url.host}${url.pathname}`;
  const hooks = gates.flatMap((gate) => [
    `      - name: gatehouse-${gate}`,
    `        type: ${gate}`,
    `        url: ${base}/${gate}`,
  ]);
  return ["spec:", "  analysis:", "    webhooks:", ...hooks].join("\n");
}
