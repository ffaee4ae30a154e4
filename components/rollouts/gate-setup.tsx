"use client";

import { Button, Code, CopyButton, Text } from "@mantine/core";
import { writeHooks } from "#components/rollouts/write-hooks.ts";
import type { RolloutGate } from "#lib/contract/hook.ts";
import type { RolloutDetail } from "#lib/contract/rollout.ts";

/** Shows what to add to a Canary so that Gatehouse answers the gates that it does not answer yet. */
export function GateSetup({ rollout, gates }: { rollout: RolloutDetail; gates: readonly RolloutGate[] }) {
  const missing = gates.filter(({ wired }) => wired !== true).map(({ gate }) => gate);
  if (missing.length === 0) return null;
  const origin = typeof window === "undefined" ? "https://gatehouse.example.com" : window.location.origin;
  const yaml = writeHooks({ origin, cluster: rollout.cluster, gates: missing });
  return (
    <details>
      <summary>
        <Text size="sm" component="span">
          Let Gatehouse answer {missing.length === gates.length ? "these gates" : "the other gates"}
        </Text>
      </summary>
      <Text size="sm" my="xs">
        Add these to the webhooks that the canary has already; do not replace those. Replace ID and SECRET with a
        credential for {rollout.cluster} and {rollout.namespace}, which an admin creates with{" "}
        <Code>POST /api/v1/hook-credentials</Code>. The address must be one that the cluster can reach. The line “Last
        asked” above shows that a gate works.
      </Text>
      <Code block>{yaml}</Code>
      <CopyButton value={yaml} timeout={4000}>
        {({ copied, copy }) => (
          <Button size="xs" variant="default" mt="xs" onClick={copy}>
            {copied ? "Copied" : "Copy"}
          </Button>
        )}
      </CopyButton>
    </details>
  );
}
