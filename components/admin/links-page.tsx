"use client";

import { Anchor, Button, Checkbox, Group, Skeleton, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { stringify } from "yaml";
import { AdminFrame } from "#components/admin/admin-frame.tsx";
import { CopyText } from "#components/ui/copy-text.tsx";
import { FormDialog, RemoveDialog } from "#components/ui/form-dialog.tsx";
import { IconLink } from "#components/ui/icons.tsx";
import { NothingHere, QueryView } from "#components/ui/query-view.tsx";
import { EditButtons, SettingHead, useItemEditor, useItemRemoval } from "#components/ui/setting-parts.tsx";
import { SettingTable } from "#components/ui/setting-table.tsx";
import { splitNames } from "#components/ui/split-names.ts";
import { useLinkTemplates, useSetLinkTemplates } from "#lib/client/admin-queries.ts";
import { docHref } from "#lib/client/doc-href.ts";
import type { LinkTemplate, LinkTemplates } from "#lib/contract/link-template.ts";

/** Shows the links to places outside Gatehouse. An admin changes them here, unless the config file sets them. */
export function LinksPage() {
  const query = useLinkTemplates();
  return (
    <AdminFrame title="Links">
      <QueryView what="The links" query={query} skeleton={<Skeleton height={240} aria-hidden="true" />}>
        {(answer) => <Links answer={answer} />}
      </QueryView>
    </AdminFrame>
  );
}

function Links({ answer }: { answer: LinkTemplates }) {
  const { items, source } = answer;
  const mayChange = source === "interface";
  const set = useSetLinkTemplates();
  const remove = useSetLinkTemplates();
  const { edited, edit, close } = useItemEditor(answer, set);
  const removal = useItemRemoval<{ link: LinkTemplate; seen: LinkTemplates }>(remove);
  const { removed } = removal;
  return (
    <Stack gap="md" ref={removal.place} tabIndex={-1}>
      <SettingHead
        origin={answer}
        path="links"
        what="links"
        actions={
          <>
            {items.length > 0 && <CopyText text={stringify({ links: items })} label="Copy as YAML" size="xs" />}
            {mayChange && (
              <Button size="xs" onClick={() => edit(items.length)}>
                Add a link
              </Button>
            )}
          </>
        }
      >
        Shown on rollouts, releases, runs and metrics.
      </SettingHead>
      {items.length === 0 ? (
        <NothingHere
          icon={<IconLink size={40} stroke={1.2} />}
          title="No links"
          hint="A link leads from a rollout, a release or a metric to your dashboards, logs or wiki, with its name and time filled in."
        />
      ) : (
        <SettingTable
          label="Links"
          items={items}
          keyOf={JSON.stringify}
          nameWidth="16%"
          columns={columns}
          toTools={
            mayChange
              ? (link, index) => (
                  <EditButtons
                    name={link.name}
                    onEdit={() => edit(index)}
                    onRemove={() => removal.ask({ link, seen: answer })}
                  />
                )
              : undefined
          }
        />
      )}
      {edited !== undefined && (
        <LinkDialog
          link={edited.seen.items[edited.index]}
          request={set}
          onSave={(link) =>
            set.mutate(
              { items: edited.seen.items.toSpliced(edited.index, 1, link), changedAt: edited.seen.changedAt },
              { onSuccess: close },
            )
          }
          onClose={close}
        />
      )}
      {removed !== undefined && (
        <RemoveDialog
          name={removed.link.name}
          request={remove}
          errorTitle="The link was not removed"
          onRemove={() => {
            const { items, changedAt } = removed.seen;
            const change = { items: items.filter((link) => link !== removed.link), changedAt };
            remove.mutate(change, { onSuccess: removal.finish });
          }}
          onClose={removal.close}
        >
          <Text size="sm">It is no longer shown on any page.</Text>
        </RemoveDialog>
      )}
    </Stack>
  );
}

const columns = [
  { header: "Address", width: "48%", show: ({ url }: LinkTemplate) => <code>{url}</code> },
  { header: "Shown on", width: "20%", show: describePlaces },
];

/** Says where a link is shown: "rollout, release; in payments of every cluster". */
function describePlaces({ on, clusters, namespaces, kinds }: LinkTemplate): string {
  const limits = [
    clusters.includes("*") ? [] : `clusters ${clusters.join(", ")}`,
    namespaces.includes("*") ? [] : `namespaces ${namespaces.join(", ")}`,
    kinds === undefined ? [] : `kinds ${kinds.join(", ")}`,
  ].flat();
  return [on.join(", "), ...limits].join("; ");
}

type LinkDialogProps = {
  /** Undefined for a new one. */
  link: LinkTemplate | undefined;
  request: ReturnType<typeof useSetLinkTemplates>;
  onSave: (link: LinkTemplate) => void;
  onClose: () => void;
};

const places = ["rollout", "release", "run", "metric"] as const satisfies LinkTemplate["on"];

function LinkDialog({ link, request, onSave, onClose }: LinkDialogProps) {
  const [name, setName] = useState(link?.name ?? "");
  const [url, setUrl] = useState(link?.url ?? "");
  const [on, setOn] = useState<string[]>(link?.on ?? ["rollout"]);
  const [clusters, setClusters] = useState((link?.clusters ?? ["*"]).join(", "));
  const [namespaces, setNamespaces] = useState((link?.namespaces ?? ["*"]).join(", "));
  return (
    <FormDialog
      title={link === undefined ? "Add a link" : `Edit ${link.name}`}
      request={request}
      label="Save the link"
      errorTitle="The link was not saved"
      isDisabled={name.trim() === "" || url.trim() === "" || on.length === 0}
      onSubmit={() =>
        onSave({
          ...{ name: name.trim(), url: url.trim(), on: places.filter((place) => on.includes(place)) },
          ...{ clusters: splitNames(clusters), namespaces: splitNames(namespaces) },
          ...(link?.kinds === undefined ? {} : { kinds: link.kinds }),
        })
      }
      onClose={onClose}
    >
      <TextInput
        label="Name"
        withAsterisk
        maxLength={60}
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextInput
        label="Address"
        withAsterisk
        placeholder="https://grafana.example.com/d/{namespace}-{name}?from={fromMs}&to={toMs}"
        description={
          <>
            Placeholders such as {"{name}"} are filled in.{" "}
            <Anchor href={docHref("configuration.md")} inherit>
              All placeholders
            </Anchor>
          </>
        }
        value={url}
        onChange={(event) => setUrl(event.currentTarget.value)}
      />
      <Checkbox.Group label="Shown on" withAsterisk value={on} onChange={setOn}>
        <Group gap="md" mt={4}>
          {places.map((place) => (
            <Checkbox key={place} value={place} label={place} />
          ))}
        </Group>
      </Checkbox.Group>
      <TextInput
        label="Clusters"
        description="Names or patterns, separated by commas."
        value={clusters}
        onChange={(event) => setClusters(event.currentTarget.value)}
      />
      <TextInput
        label="Namespaces"
        description="Names or patterns, separated by commas."
        value={namespaces}
        onChange={(event) => setNamespaces(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
