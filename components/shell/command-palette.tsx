"use client";

import { Highlight, Loader } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { createSpotlight, Spotlight, type SpotlightStore, useSpotlight } from "@mantine/spotlight";
import { useRouter } from "next/navigation";
import { type MouseEvent, useEffect, useState } from "react";
import {
  type FoundGroup,
  groupFound,
  listVersions,
  type FoundRow as Row,
  readWhoMay,
} from "#components/shell/group-found.ts";
import { useNavItems } from "#components/shell/nav-items.ts";
import classes from "#components/shell/palette.module.css";
import {
  IconBolt,
  IconClipboardList,
  IconFlask,
  IconHelp,
  IconKeyboard,
  IconMessage,
  IconPlayerTrackNext,
  IconSearch,
  IconStack2,
  IconTemplate,
  IconUser,
  IconUserShield,
} from "#components/ui/icons.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { StateIcon } from "#components/ui/state-badge.tsx";
import { withBasePath } from "#lib/client/base-path.ts";
import { rolloutHref } from "#lib/client/rollout-path.ts";
import { useSearch } from "#lib/client/search-queries.ts";
import { useIsAdmin, useMe } from "#lib/client/system-queries.ts";
import type { SearchAnswer, SearchKind } from "#lib/contract/search.ts";
import { entryOf } from "#lib/domain/acting/action-catalogue.ts";
import { type Command, findCommand } from "#lib/domain/acting/find-command.ts";
import { docAddress } from "#lib/util/doc-address.ts";

import "@mantine/spotlight/styles.css";

const [store, palette] = createSpotlight();

/** For the kinds whose rows have no state. */
const icons: Partial<Record<SearchKind, typeof IconUser>> = {
  templates: IconTemplate,
  people: IconUser,
  messages: IconMessage,
  audit: IconClipboardList,
};

export type DocEntry = { file: string; title: string };
type CommandPaletteProps = { docs: readonly DocEntry[]; onClose: () => void; onHelp: () => void };

/**
 * Finds pages by name, and records through the server's search. Mounted when opened, so that its code is loaded only
 * then.
 */
export function CommandPalette({ docs, onClose, onHelp }: CommandPaletteProps) {
  const router = useRouter();
  const [query, setQuery] = useState("");
  const wanted = query.trim();
  const mayAct = (useMe().data?.role ?? "viewer") !== "viewer";
  const command = mayAct ? findCommand(wanted) : undefined;
  const searched = command?.rest ?? wanted;
  const [q] = useDebouncedValue(searched, 150);
  const search = useSearch(q);
  const pages = [...useWhoMay(wanted), ...usePages(wanted, onHelp)];
  const guides = findDocs(docs, wanted);
  const isCurrent = q === searched && !search.isPlaceholderData;
  const groups = wanted === "" || search.data === undefined ? [] : groupFound(search.data);
  const actions = command === undefined || search.data === undefined ? [] : listActions(command, search.data);
  const versions: Page[] =
    wanted === "" || search.data === undefined
      ? []
      : listVersions(search.data, searched).map((page) => ({ ...page, icon: IconStack2 }));
  const found = groups.flatMap(({ rows }) => rows.map(({ id }) => id));

  useEffect(() => {
    palette.open();
    return palette.close;
  }, []);

  // Results arrive after the typing: without this, Enter would have nothing selected.
  const firstFound = actions[0]?.href ?? found[0];
  useEffect(() => {
    if (firstFound !== undefined) chooseFirst();
  }, [firstFound]);
  const { listId, activeId } = useActiveOption(
    store,
    [
      ...pages.map(({ href }) => href),
      ...actions.map(({ href }) => href),
      ...found,
      ...versions.map(({ href }) => href),
      ...guides.map(({ href }) => href),
    ].join(" "),
  );

  const open = (href: string) => (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey) window.open(withBasePath(href), "_blank", "noopener");
    else router.push(href);
  };
  return (
    <Spotlight.Root
      store={store}
      shortcut={null}
      query={query}
      onQueryChange={setQuery}
      onSpotlightClose={onClose}
      scrollable
      maxHeight="min(70vh, 640px)"
      size={680}
      lockScroll={false}
      attributes={{ content: { "aria-label": "Find" } }}
      overlayProps={{ blur: 0, backgroundOpacity: 0.45 }}
    >
      <Spotlight.Search
        leftSection={<IconSearch size={18} aria-hidden="true" />}
        rightSection={
          wanted !== "" && search.isFetching ? <Loader size="xs" role="img" aria-label="Searching" /> : null
        }
        placeholder="Find a rollout, a version, a person, or type: abort checkout"
        aria-label="Find"
        role="combobox"
        aria-expanded="true"
        aria-autocomplete="list"
        aria-controls={listId}
        aria-activedescendant={activeId}
      />
      <Spotlight.ActionsList role="listbox" aria-label="Results" aria-busy={wanted !== "" && !isCurrent}>
        <PageActions label="Pages" pages={pages} open={open} />
        <PageActions label="Actions" pages={actions} open={open} />
        {groups.map((group) => (
          <FoundActions key={group.kind} group={group} terms={searched.split(/\s+/)} open={open} />
        ))}
        <PageActions label="Versions" pages={versions} open={open} />
        <PageActions label="Documentation" pages={guides} open={open} />
        {pages.length === 0 && found.length === 0 && guides.length === 0 && isCurrent && (
          <Spotlight.Empty>
            {search.error === null ? "Nothing found" : `The search failed: ${search.error.message}`}
          </Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
      {wanted !== "" && (
        <Spotlight.Footer className={classes.footer} role="status">
          {describeResult({ count: found.length, error: search.error, tooShort: search.data?.tooShort, isCurrent })}
        </Spotlight.Footer>
      )}
    </Spotlight.Root>
  );
}

type Open = (href: string) => (event: MouseEvent) => void;

type PageActionsProps = { label: string; pages: readonly Page[]; open: Open };

function PageActions({ label: title, pages, open }: PageActionsProps) {
  if (pages.length === 0) return null;
  return (
    <Spotlight.ActionsGroup label={title} role="group" aria-label={title}>
      {pages.map(({ href, label, icon: Icon, onClick }) => (
        <Spotlight.Action
          key={href}
          role="option"
          className={classes.action}
          label={label}
          leftSection={<Icon size={18} stroke={1.6} aria-hidden="true" />}
          onClick={onClick ?? open(href)}
        />
      ))}
    </Spotlight.ActionsGroup>
  );
}

type FoundActionsProps = { group: FoundGroup; terms: string[]; open: Open };

function FoundActions({ group: { kind, label, rows }, terms, open }: FoundActionsProps) {
  const Icon = icons[kind];
  return (
    <Spotlight.ActionsGroup label={label} role="group" aria-label={label}>
      {rows.map((row) => (
        <Spotlight.Action key={row.id} role="option" className={classes.action} onClick={open(row.href)}>
          <FoundRow
            row={row}
            terms={terms}
            icon={Icon === undefined ? null : <Icon size={16} stroke={1.6} aria-hidden="true" />}
          />
        </Spotlight.Action>
      ))}
    </Spotlight.ActionsGroup>
  );
}

type Page = {
  href: string;
  label: string;
  icon: typeof IconUser;
  /** For an entry that is not a page of its own. */
  onClick?: () => void;
};

function usePages(wanted: string, onHelp: () => void): Page[] {
  const pages: Page[] = [
    ...useNavItems(),
    { href: "/backtest", label: "Back-test", icon: IconPlayerTrackNext },
    { href: "/template-lab", label: "Template lab", icon: IconFlask },
    { href: "#keys", label: "Keyboard shortcuts", icon: IconKeyboard, onClick: onHelp },
  ];
  return pages.filter(({ label }) => label.toLowerCase().includes(wanted.toLowerCase()));
}

/** Leads to the answer to a question such as "who may abort in payments": for admins, who may ask about others. */
function useWhoMay(wanted: string): Page[] {
  const isAdmin = useIsAdmin();
  const question = readWhoMay(wanted);
  if (question === undefined) return [];
  if (!isAdmin) return [{ href: "/settings#rights", label: "What I may do", icon: IconUserShield }];
  const href = question === "" ? "/admin#who-may" : `/admin?${new URLSearchParams({ may: question })}`;
  return [{ href, label: question === "" ? "Who may…" : `Who may ${question}?`, icon: IconUserShield }];
}

/** Returns the pages of the documentation with these words in their titles; empty before any typing. */
function findDocs(docs: readonly DocEntry[], wanted: string): Page[] {
  if (wanted === "") return [];
  return docs
    .filter(({ title }) => title.toLowerCase().includes(wanted.toLowerCase()))
    .map(({ file, title }) => ({ href: docAddress(file), label: title, icon: IconHelp }));
}

/** At most this many of the rollouts that were found are offered for an action. */
const mostTargets = 3;

/** Opens the action's dialog on the page of a rollout. Nothing is done before it is confirmed there. */
function listActions({ actions }: Command, { rollouts }: SearchAnswer): Page[] {
  const targets = rollouts.items.filter(({ presence }) => presence === "live").slice(0, mostTargets);
  return targets.flatMap(({ rollout }) =>
    actions.map((action) => ({
      href: `${rolloutHref(rollout)}?do=${action}`,
      label: `${entryOf(action).label}: ${rollout.namespace}/${rollout.name}`,
      icon: IconBolt,
    })),
  );
}

type Result = { count: number; error: Error | null; tooShort: boolean | undefined; isCurrent: boolean };

function describeResult({ count, error, tooShort, isCurrent }: Result): string {
  if (error !== null) return "Only pages are listed: the search failed.";
  if (!isCurrent) return "Searching…";
  const found = count === 1 ? "1 result" : `${count} results`;
  return tooShort === true
    ? `${found}. Type three characters to search releases, runs, messages and the audit log too.`
    : found;
}

/**
 * Selects the first entry, as the palette itself does after typing; it offers no function for this. By itself, the mark
 * stays at its row when others come before that row: only a row chosen with the arrow keys may keep it.
 */
function chooseFirst(): void {
  const { listId, selected } = store.getState();
  const list = listId === "" ? null : document.getElementById(listId);
  const entries = [...(list?.querySelectorAll("[data-action]") ?? [])];
  if (selected > 0 && entries[selected]?.hasAttribute("data-selected")) return;
  for (const entry of entries) entry.removeAttribute("data-selected");
  entries[0]?.setAttribute("data-selected", "true");
  store.updateState((state) => ({ ...state, selected: 0 }));
}

/**
 * Names the chosen entry of the palette for screen readers: the keyboard stays in the field while the arrow keys choose.
 * `entries` changes when the list shows others.
 */
function useActiveOption(store: SpotlightStore, entries: string): { listId: string; activeId: string | undefined } {
  const { selected, listId } = useSpotlight(store);
  const [activeId, setActiveId] = useState<string>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the elements of the list change with its entries.
  useEffect(() => {
    const list = listId === "" ? null : document.getElementById(listId);
    for (const [index, option] of list?.querySelectorAll("[data-action]").entries() ?? []) {
      option.id = `${listId}-${index}`;
      option.setAttribute("aria-selected", String(index === selected && option.hasAttribute("data-selected")));
    }
    setActiveId(list?.querySelector("[data-selected]")?.id);
  }, [listId, selected, entries]);
  return { listId, activeId };
}

type FoundRowProps = { row: Row; terms: string[]; icon: React.ReactNode };

/** Shows one search result: its state, its name with the matches in bold, its place and its time. */
function FoundRow({ row: { label, detail, message = "", shown, at }, terms, icon }: FoundRowProps) {
  return (
    <span className={classes.row}>
      <span className={classes.icon}>
        {shown === undefined ? (
          icon
        ) : (
          <>
            <StateIcon state={shown.state} />
            <span className="visually-hidden">{shown.word}: </span>
          </>
        )}
      </span>
      <span>
        <Highlight component="span" className={classes.label} highlight={terms} highlightStyles={matched} title={label}>
          {label}
        </Highlight>
        <Highlight component="bdi" className={classes.detail} highlight={terms} highlightStyles={matched}>
          {formatDetail({ shown, detail, message }, terms)}
        </Highlight>
      </span>
      <span className={classes.time}>
        <RelativeTime at={at} />
      </span>
    </span>
  );
}

/** A message with a match comes first: the end of the line may be cut. */
function formatDetail({ shown, detail, message }: Pick<Row, "shown" | "detail" | "message">, terms: string[]): string {
  const text = message?.toLowerCase() ?? "";
  const hasMatch = terms.some((term) => term !== "" && text.includes(term.toLowerCase()));
  const parts = [shown?.word, ...(hasMatch ? [message, detail] : [detail, message])];
  return parts.filter((part) => part !== undefined && part !== "").join(" · ");
}

const matched = { background: "none", color: "inherit", fontWeight: 700 };
