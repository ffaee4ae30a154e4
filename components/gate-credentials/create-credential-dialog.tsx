"use client";

import { Code, Group, NativeSelect, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { auditPolicy, writeAuditKubeconfig } from "#components/gate-credentials/write-audit-webhook.ts";
import { parseNamespaces, writeHooks } from "#components/gate-credentials/write-hooks.ts";
import { CopyText } from "#components/ui/copy-text.tsx";
import { DialogFoot } from "#components/ui/dialog-parts.tsx";
import { lifetimes, toExpiry } from "#components/ui/lifetimes.ts";
import classes from "#components/ui/secret-once.module.css";
import { SecretModal, SecretOnce } from "#components/ui/secret-once.tsx";
import { ownUrl } from "#lib/client/base-path.ts";
import { useCreateHookCredential } from "#lib/client/credential-queries.ts";
import type { CreatedHookCredential, HookPurpose } from "#lib/contract/hook.ts";

type CreateCredentialDialogProps = {
  /** The clusters to choose from; the first is chosen. */
  clusters: readonly string[];
  /** Initial value of the namespaces field. */
  namespaces: string;
  /** The types of the hooks that are written out. */
  types: readonly string[];
  /** Whether it may also be for the audit events of the API server. */
  canAudit?: boolean;
  onClose: () => void;
};

const purposeLabels: { value: HookPurpose; label: string }[] = [
  { value: "flagger", label: "Flagger: its gates and events" },
  { value: "kubernetes-audit", label: "The API server: its audit events" },
];

/**
 * Creates a credential for a cluster's controller or API server, then shows once the configuration that contains it.
 */
export function CreateCredentialDialog({
  clusters,
  namespaces: given,
  types,
  canAudit = false,
  onClose,
}: CreateCredentialDialogProps) {
  const [purpose, setPurpose] = useState<HookPurpose>("flagger");
  const [name, setName] = useState("");
  const [cluster, setCluster] = useState(clusters[0] ?? "");
  const [namespaces, setNamespaces] = useState(given);
  const [days, setDays] = useState("");
  const [isSent, setSent] = useState(false);
  const create = useCreateHookCredential();
  const isAudit = purpose === "kubernetes-audit";
  const patterns = isAudit ? ["*"] : parseNamespaces(namespaces);

  function submit(event: React.FormEvent): void {
    event.preventDefault();
    setSent(true);
    const trimmed = name.trim();
    if (trimmed === "" || patterns === undefined || create.isPending) return;
    create.mutate({ name: trimmed, cluster, purpose, namespaces: patterns, ...toExpiry(days) });
  }

  return (
    <SecretModal
      title={create.data === undefined ? "Create a hook credential" : `Hook credential ${create.data.name}`}
      isPending={create.isPending}
      hasSecret={create.data !== undefined}
      onClose={onClose}
    >
      {create.data?.purpose === "kubernetes-audit" ? (
        <AuditWebhookOnce credential={create.data} onClose={onClose} />
      ) : create.data !== undefined ? (
        <SecretOnce
          text={writeHooks({ url: ownUrl(), cluster, types, credential: create.data })}
          label="The hooks with their credential"
          copies="these hooks"
          onClose={onClose}
        >
          <Text size="sm">
            Add them to the canary's existing webhooks. Anyone who may read the canary can read the credential. It can
            only ask for decisions, never make one. The address must be one that the cluster can reach.
          </Text>
        </SecretOnce>
      ) : (
        <form onSubmit={submit} noValidate>
          <Stack gap="md">
            <TextInput
              label="Name"
              description="Its purpose. Recorded in the audit log with your name."
              withAsterisk
              maxLength={100}
              data-autofocus
              value={name}
              error={isSent && name.trim() === "" ? "Enter a name." : undefined}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            {canAudit && (
              <NativeSelect
                label="For"
                value={purpose}
                data={purposeLabels}
                onChange={(event) =>
                  setPurpose(event.currentTarget.value === "flagger" ? "flagger" : "kubernetes-audit")
                }
              />
            )}
            <NativeSelect
              label="Cluster"
              value={cluster}
              data={[...clusters]}
              onChange={(event) => setCluster(event.currentTarget.value)}
            />
            {!isAudit && (
              <TextInput
                label="Namespaces"
                description="Namespaces of the canaries, separated by commas. * stands for any characters."
                withAsterisk
                value={namespaces}
                error={
                  isSent && patterns === undefined
                    ? "Enter at least one: small letters, digits, dashes, * and ?."
                    : undefined
                }
                onChange={(event) => setNamespaces(event.currentTarget.value)}
              />
            )}
            <NativeSelect
              label="Expires after"
              description={
                isAudit
                  ? "After that, people behind kubectl are no longer named."
                  : "After that every gate that uses it is closed."
              }
              value={days}
              data={lifetimes}
              onChange={(event) => setDays(event.currentTarget.value)}
            />
            <DialogFoot
              label="Create the credential"
              onCancel={onClose}
              isPending={create.isPending}
              error={create.error}
              errorTitle="No credential was created"
            />
          </Stack>
        </form>
      )}
    </SecretModal>
  );
}

/** Shows once the kubeconfig with which an API server sends its audit events, and the policy that asks for them. */
function AuditWebhookOnce({ credential, onClose }: { credential: CreatedHookCredential; onClose: () => void }) {
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
        <CopyText text={auditPolicy} label="Copy the policy" variant="subtle" size="xs" />
      </Group>
    </SecretOnce>
  );
}
