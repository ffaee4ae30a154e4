"use client";

import { ActionIcon, Button, Menu } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { IconChevronDown, IconDots, IconUsers } from "#components/ui/icons.tsx";
import classes from "#components/ui/list-views-bar.module.css";
import { formatViewQuery, type ListState } from "#components/ui/use-list-state.ts";
import { savedViewHref, useDeleteView, useSavedViews, useSaveView } from "#lib/client/saved-view-queries.ts";
import { useIsAdmin, useMe } from "#lib/client/system-queries.ts";
import type { SavedView } from "#lib/contract/saved-view.ts";

const SaveViewDialog = dynamic(
  () => import("#components/ui/save-view-dialog.tsx").then((module) => module.SaveViewDialog),
  { ssr: false },
);

/** More views than fit are in a menu. */
const shownViews = 6;

/** Shows the saved views of a list as tabs over it: one's own first, then the shared ones. The address stays the truth. */
export function ListViewsBar({ state }: { state: ListState }) {
  const [isRenaming, setRenaming] = useState(false);
  const views = orderViews(useSavedViews(state.list).data?.items ?? []);
  const opened = views.find(({ id }) => id === state.viewId);
  const isChanged = opened !== undefined && queryOf(opened) !== state.query;
  const isPlain = opened === undefined && state.query === "";
  const tabs = views.slice(0, shownViews);
  const rest = views.slice(shownViews);
  if (views.length === 0) return null;
  return (
    <nav aria-label="Views" className={classes.views}>
      <Link href={`/${state.list}`} aria-current={isPlain ? "page" : undefined} prefetch={false}>
        All
      </Link>
      {tabs.map((view) => (
        <ViewLink key={view.id} view={view} isOpen={view === opened} isChanged={view === opened && isChanged} />
      ))}
      {rest.length > 0 && <MoreViews views={rest} opened={opened} />}
      {opened !== undefined && (
        <ViewMenu view={opened} state={state} isChanged={isChanged} onRename={() => setRenaming(true)} />
      )}
      {isRenaming && opened !== undefined && (
        <SaveViewDialog state={state} view={opened} onClose={() => setRenaming(false)} />
      )}
    </nav>
  );
}

/** One's own first, each part by name. */
function orderViews(views: readonly SavedView[]): SavedView[] {
  return [...views.filter(({ mine }) => mine), ...views.filter(({ mine }) => !mine)];
}

function queryOf({ query }: SavedView): string {
  return formatViewQuery(Object.fromEntries(new URLSearchParams(query)));
}

function ViewLink({ view, isOpen, isChanged }: { view: SavedView; isOpen: boolean; isChanged: boolean }) {
  return (
    <Link
      href={savedViewHref(view)}
      aria-current={isOpen ? "page" : undefined}
      prefetch={false}
      title={describeView(view)}
      aria-label={nameView(view, isChanged)}
    >
      {view.shared && <IconUsers size={13} aria-hidden="true" />}
      <bdi className={classes.name}>{view.name}</bdi>
      {isChanged && <span className={classes.changed}>changed</span>}
    </Link>
  );
}

function nameView({ name, shared, mine, owner }: SavedView, isChanged: boolean): string {
  const sharing = shared ? (mine ? ", shared" : `, shared by ${owner}`) : "";
  return `${name}${sharing}${isChanged ? ", changed" : ""}`;
}

function describeView({ name, shared, mine, owner }: SavedView): string {
  if (!shared) return `${name}: only you see it`;
  return mine ? `${name}: you share it` : `${name}: shared by ${owner}`;
}

function MoreViews({ views, opened }: { views: readonly SavedView[]; opened: SavedView | undefined }) {
  const hidden = views.find((view) => view === opened);
  return (
    <Menu position="bottom-start" withinPortal shadow="md">
      <Menu.Target>
        <Button
          size="compact-xs"
          variant={hidden === undefined ? "default" : "light"}
          rightSection={<IconChevronDown size={13} aria-hidden="true" />}
        >
          {hidden === undefined ? `${views.length} more` : hidden.name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah="60vh" style={{ overflowY: "auto" }}>
        {views.map((view) => (
          <Menu.Item
            key={view.id}
            component={Link}
            href={savedViewHref(view)}
            leftSection={view.shared ? <IconUsers size={14} aria-hidden="true" /> : <span className={classes.space} />}
          >
            <bdi>{view.name}</bdi>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

type ViewMenuProps = { view: SavedView; state: ListState; isChanged: boolean; onRename: () => void };

/** What may be done with the opened view: everything with one's own; an admin may delete a shared one. */
function ViewMenu({ view, state, isChanged, onRename }: ViewMenuProps) {
  const me = useMe().data;
  const isAdmin = useIsAdmin();
  const save = useSaveView(state.list);
  const remove = useDeleteView(state.list);
  const router = useRouter();
  const mayShare = me !== undefined && me.role !== "viewer";
  if (!view.mine && !isAdmin) return null;
  const fail = (error: Error) =>
    notifications.show({ color: "red", title: "The view is as before", message: error.message });
  const change = (what: { query?: string; shared?: boolean }) =>
    save.mutate({ id: view.id, ...what }, { onError: fail });
  return (
    <Menu position="bottom-start" withinPortal shadow="md">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="sm" aria-label={`What to do with the view ${view.name}`}>
          <IconDots size={16} aria-hidden="true" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {view.mine && isChanged && (
          <Menu.Item onClick={() => change({ query: state.query })}>Save the changes</Menu.Item>
        )}
        {isChanged && (
          <Menu.Item component={Link} href={savedViewHref(view)}>
            Undo the changes
          </Menu.Item>
        )}
        {view.mine && <Menu.Item onClick={onRename}>Rename</Menu.Item>}
        {view.mine && (mayShare || view.shared) && (
          <Menu.Item onClick={() => change({ shared: !view.shared })}>
            {view.shared ? "Stop sharing" : "Share"}
          </Menu.Item>
        )}
        <Menu.Item
          color="red"
          onClick={() =>
            remove.mutate(view.id, { onError: fail, onSuccess: () => router.replace(`/${state.list}?${state.query}`) })
          }
        >
          {view.shared ? "Delete for everyone" : "Delete"}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
