"use client";

import { Button, Code, CopyButton, Group, Text } from "@mantine/core";
import dynamic from "next/dynamic";
import { useState } from "react";
import { writeHooks } from "#components/gate-credentials/write-hooks.ts";
import { ownUrl } from "#lib/client/base-path.ts";
import { useIsClusterAdmin } from "#lib/client/system-queries.ts";
import type { RolloutGate } from "#lib/contract/hook.ts";
import type { RolloutDetail } from "#lib/contract/rollout.ts";

// Few people ever open it, so its code loads on demand.
const CreateCredentialDialog = dynamic(
  () =>
    import("#components/gate-credentials/create-credential-dialog.tsx").then((module) => module.CreateCredentialDialog),
  { ssr: false },
);

/** Shows what to add to a Canary so that Gatehouse answers the gates that it does not answer yet. */
export function GateSetup({ rollout, gates }: { rollout: RolloutDetail; gates: readonly RolloutGate[] }) {
  const isAdmin = useIsClusterAdmin(rollout.cluster);
  // The missing hooks may change while the dialog shows a secret.
  const [creating, setCreating] = useState<readonly string[]>();
  const missing = gates.filter(({ wired }) => wired !== true).map(({ gate }) => gate);
  if (missing.length === 0 && creating === undefined) return null;
  const isUnwired = missing.length === gates.length;
  // A canary that asks at a gate already may report its events too.
  const types = isUnwired ? [...missing, "event"] : missing;
  const url = typeof window === "undefined" ? "https://gatehouse.example.com" : ownUrl();
  const yaml = writeHooks({ url, cluster: rollout.cluster, types });
  return (
    <details>
      <summary>
        <Text size="sm" component="span">
          Let Gatehouse answer {isUnwired ? "these gates" : "the other gates"}
        </Text>
      </summary>
      <Text size="sm" my="xs">
        Add these to the webhooks that the canary has already; do not replace those. ID and SECRET are a credential for
        cluster {rollout.cluster} and namespace {rollout.namespace}
        {isAdmin ? "." : ", which an admin of the cluster creates in the settings."} The address must be one that the
        cluster can reach. “Flagger checked” above shows that a gate works.
      </Text>
      <Code block>{yaml}</Code>
      <Group mt="xs" gap="xs">
        {isAdmin && (
          <Button size="xs" variant="default" onClick={() => setCreating(types)}>
            Create a hook credential
          </Button>
        )}
        <CopyButton value={yaml} timeout={4000}>
          {({ copied, copy }) => (
            <Button size="xs" variant="default" onClick={copy}>
              {copied ? "Copied" : "Copy"}
            </Button>
          )}
        </CopyButton>
      </Group>
      {creating !== undefined && (
        <CreateCredentialDialog
          clusters={[rollout.cluster]}
          namespaces={rollout.namespace}
          types={creating}
          onClose={() => setCreating(undefined)}
        />
      )}
    </details>
  );
}
