"use client";

import { useDebouncedValue } from "@mantine/hooks";
import { createSpotlight, Spotlight, type SpotlightActionData } from "@mantine/spotlight";
import "@mantine/spotlight/styles.css";
import { IconFlask, IconGitBranch, IconKeyboard, IconPlayerTrackNext, IconSearch } from "@tabler/icons-react";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { useNavItems } from "#components/shell/use-nav-items.ts";
import { classifyRollout } from "#components/ui/classify-state.ts";
import { rolloutHref } from "#lib/client/rollout-path.ts";
import { useRollouts } from "#lib/client/rollout-queries.ts";

const [store, palette] = createSpotlight();

type CommandPaletteProps = { onClose: () => void; onHelp: () => void };

/** Finds pages and rollouts by name. Mounted when opened, so that its code is loaded only then. */
export function CommandPalette({ onClose, onHelp }: CommandPaletteProps) {
  const router = useRouter();
  const navItems = useNavItems();
  const [query, setQuery] = useState("");
  const [search] = useDebouncedValue(query.trim(), 150);
  const rollouts = useRollouts({ q: search }, search !== "");

  useEffect(() => {
    palette.open();
    return palette.close;
  }, []);

  const pages: SpotlightActionData[] = [
    ...navItems.map(({ href, label, icon: Icon }) => ({
      id: href,
      label,
      leftSection: <Icon size={18} stroke={1.6} aria-hidden="true" />,
      onClick: () => router.push(href),
    })),
    {
      id: "/backtest",
      label: "Back-test",
      leftSection: <IconPlayerTrackNext size={18} stroke={1.6} aria-hidden="true" />,
      onClick: () => router.push("/backtest"),
    },
    {
      id: "/template-lab",
      label: "Template lab",
      leftSection: <IconFlask size={18} stroke={1.6} aria-hidden="true" />,
      onClick: () => router.push("/template-lab"),
    },
    {
      id: "keys",
      label: "Keys",
      leftSection: <IconKeyboard size={18} stroke={1.6} aria-hidden="true" />,
      onClick: onHelp,
    },
  ];
  const found: SpotlightActionData[] = (search === "" ? [] : (rollouts.items ?? [])).slice(0, 20).map((rollout) => ({
    id: rollout.id,
    label: rollout.name,
    description: `${rollout.cluster} / ${rollout.namespace} · ${classifyRollout(rollout).word}`,
    // The server matches names and namespaces; without this, the list would be filtered a second time.
    keywords: [search],
    leftSection: <IconGitBranch size={18} stroke={1.6} aria-hidden="true" />,
    onClick: () => router.push(rolloutHref(rollout)),
  }));

  // Results arrive after the typing: without this, Enter would have nothing selected.
  const firstFound = found[0]?.id;
  useEffect(() => {
    if (firstFound !== undefined) chooseFirst();
  }, [firstFound]);

  return (
    <Spotlight
      store={store}
      shortcut={null}
      query={query}
      onQueryChange={setQuery}
      onSpotlightClose={onClose}
      nothingFound={
        rollouts.error === null ? "Nothing found" : `Rollouts could not be searched: ${rollouts.error.message}`
      }
      limit={30}
      scrollable
      maxHeight={400}
      lockScroll={false}
      overlayProps={{ blur: 0, backgroundOpacity: 0.45 }}
      actions={[
        { group: "Pages", actions: pages },
        { group: "Rollouts", actions: found },
      ]}
      searchProps={{
        leftSection: <IconSearch size={18} aria-hidden="true" />,
        placeholder: "A page, or a rollout by name or namespace",
        "aria-label": "Find",
      }}
    />
  );
}

/** Selects the first entry, as the palette itself does after typing; it offers no function for this. */
function chooseFirst(): void {
  const { listId } = store.getState();
  const entries = listId === "" ? undefined : document.getElementById(listId)?.querySelectorAll("[data-action]");
  if (entries === undefined || [...entries].some((entry) => entry.hasAttribute("data-selected"))) return;
  entries[0]?.setAttribute("data-selected", "true");
  store.updateState((state) => ({ ...state, selected: 0 }));
}
