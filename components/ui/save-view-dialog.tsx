"use client";

import { Checkbox, Text, TextInput } from "@mantine/core";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { FormDialog } from "#components/ui/form-dialog.tsx";
import { useStoredColumns } from "#components/ui/list-preferences.ts";
import { formatViewQuery, type ListState } from "#components/ui/use-list-state.ts";
import { savedViewHref, useSaveView } from "#lib/client/saved-view-queries.ts";
import { useMe } from "#lib/client/system-queries.ts";
import type { SavedView } from "#lib/contract/saved-view.ts";

type SaveViewDialogProps = {
  state: ListState;
  /** The view to rename; undefined to save a new one. */
  view: SavedView | undefined;
  onClose: () => void;
};

/** Names a view of the list: saves a new one from the current address, or renames an existing one. */
export function SaveViewDialog({ state, view, onClose }: SaveViewDialogProps) {
  const [name, setName] = useState(view?.name ?? "");
  const [isShared, setShared] = useState(false);
  const [isNameMissing, setNameMissing] = useState(false);
  const [stored] = useStoredColumns(state.list);
  const save = useSaveView(state.list);
  const router = useRouter();
  const me = useMe().data;

  function submit(): void {
    const trimmed = name.trim();
    setNameMissing(trimmed === "");
    if (trimmed === "") return;
    const query = withColumns(state.query, stored);
    save.mutate(view === undefined ? { name: trimmed, query, shared: isShared } : { id: view.id, name: trimmed }, {
      onSuccess: (saved) => {
        onClose();
        if (view === undefined) router.replace(savedViewHref(saved));
      },
    });
  }

  return (
    <FormDialog
      title={view === undefined ? "Save this view" : `Rename ${view.name}`}
      request={save}
      onSubmit={submit}
      onClose={onClose}
      label={view === undefined ? "Save the view" : "Rename the view"}
      errorTitle="The view was not saved"
    >
      <TextInput
        label="Name"
        withAsterisk
        maxLength={60}
        data-autofocus
        value={name}
        error={isNameMissing && name.trim() === "" ? "Enter a name." : undefined}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {view === undefined && me !== undefined && me.role !== "viewer" && (
        <Checkbox
          label="Share with everyone who may read these rows"
          description="Recorded in the audit log. Each reader sees only rows that they may see."
          checked={isShared}
          onChange={(event) => setShared(event.currentTarget.checked)}
        />
      )}
      {view === undefined && (
        <Text size="xs" c="dimmed">
          Keeps the filters, the order and the columns.
        </Text>
      )}
    </FormDialog>
  );
}

/** A view keeps the shown columns, even if they are stored only in this browser. */
function withColumns(query: string, stored: readonly string[] | undefined): string {
  const parameters = Object.fromEntries(new URLSearchParams(query));
  if (stored === undefined || parameters.columns !== undefined) return query;
  return formatViewQuery({ ...parameters, columns: stored.join(",") });
}
