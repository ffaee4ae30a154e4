"use client";

import { Button, Code, CopyButton, Group, Text } from "@mantine/core";
import { auditPolicy, writeAuditKubeconfig } from "#components/gate-credentials/write-audit-webhook.ts";
import classes from "#components/ui/secret-once.module.css";
import { SecretOnce } from "#components/ui/secret-once.tsx";
import { ownUrl } from "#lib/client/base-path.ts";
import type { CreatedHookCredential } from "#lib/contract/hook.ts";

/** Shows once the kubeconfig with which an API server sends its audit events, and the policy that asks for them. */
export function AuditWebhookOnce({ credential, onClose }: { credential: CreatedHookCredential; onClose: () => void }) {
  const { protocol } = window.location;
  return (
    <SecretOnce
      text={writeAuditKubeconfig({ url: ownUrl(), cluster: credential.cluster, credential })}
      label="The kubeconfig of the audit webhook"
      copies="this kubeconfig"
      onClose={onClose}
    >
      <Text size="sm">
        Start the API servers with <code>--audit-policy-file</code> and this policy, and with{" "}
        <code>--audit-webhook-config-file</code> and the kubeconfig below it. They must be able to reach the address.
      </Text>
      {protocol === "http:" && (
        <Text size="sm" fw={600}>
          An API server sends no credentials over http. Put TLS in front of Gatehouse, and write its https address into
          the kubeconfig.
        </Text>
      )}
      <Code block className={classes.secret} aria-label="The audit policy">
        {auditPolicy}
      </Code>
      <Group justify="flex-end">
        <CopyButton value={auditPolicy} timeout={4000}>
          {({ copied, copy }) => (
            <Button variant="subtle" size="xs" onClick={copy} aria-live="polite">
              {copied ? "Copied" : "Copy the policy"}
            </Button>
          )}
        </CopyButton>
      </Group>
    </SecretOnce>
  );
}
