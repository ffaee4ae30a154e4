"use client";

import { ActionIcon, Button, Kbd } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import dynamic from "next/dynamic";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { Fragment, useEffect, useSyncExternalStore } from "react";
import { ActionToasts } from "#components/actions/action-toasts.tsx";
import { Breadcrumb } from "#components/shell/breadcrumb.tsx";
import type { DocEntry } from "#components/shell/command-palette.tsx";
import { docOfPageHref } from "#components/shell/doc-of-page.ts";
import { usePlaysFaults } from "#components/shell/nav-items.ts";
import { PrintHeader } from "#components/shell/print-header.tsx";
import { BottomBar, Rail } from "#components/shell/rail.tsx";
import classes from "#components/shell/shell.module.css";
import { ConfigBanner, FreshnessLamp, StatusBanner } from "#components/shell/status-banner.tsx";
import { useLightPrint } from "#components/shell/use-light-print.ts";
import { useShortcuts } from "#components/shell/use-shortcuts.ts";
import { BrandMark } from "#components/ui/brand-mark.tsx";
import { IconHelp, IconSearch } from "#components/ui/icons.tsx";
import { sessionEnd } from "#lib/client/session.ts";
import { useIsAdmin } from "#lib/client/system-queries.ts";
import { timeZoneChoice } from "#lib/client/time-display.ts";
import { useChangeStream } from "#lib/client/use-change-stream.ts";
import { useSourceChanges } from "#lib/client/use-source-changes.ts";

const loadPalette = () => import("#components/shell/command-palette.tsx").then((module) => module.CommandPalette);
const CommandPalette = dynamic(loadPalette, { ssr: false });
const BrowserNotifier = dynamic(
  () => import("#components/shell/browser-notifier.tsx").then((module) => module.BrowserNotifier),
  { ssr: false },
);
const PersonMenu = dynamic(() => import("#components/shell/person-menu.tsx").then((module) => module.PersonMenu), {
  ssr: false,
  loading: () => <ActionIcon size="lg" variant="subtle" color="gray" aria-label="You" disabled={true} />,
});
const FreezeBanner = dynamic(
  () => import("#components/actions/freeze-banner.tsx").then((module) => module.FreezeBanner),
  { ssr: false },
);
const KeyHelp = dynamic(() => import("#components/shell/key-help.tsx").then((module) => module.KeyHelp), {
  ssr: false,
});

const SessionDialog = dynamic(
  () => import("#components/shell/session-dialog.tsx").then((module) => module.SessionDialog),
  { ssr: false },
);

type ConsoleShellProps = {
  docs: readonly DocEntry[];
  /** A line above each page; null for none. */
  hint: React.ReactNode;
  children: React.ReactNode;
};

export function ConsoleShell({ docs, hint, children }: ConsoleShellProps) {
  const pathname = usePathname();
  const [isPaletteOpen, palette] = useDisclosure();
  const [isHelpOpen, help] = useDisclosure();
  const zone = useSyncExternalStore(timeZoneChoice.subscribe, timeZoneChoice.get, () => undefined);
  const hasSessionEnded = useSyncExternalStore(sessionEnd.subscribe, sessionEnd.snapshot, sessionEnd.serverSnapshot);
  useChangeStream();
  useSourceChanges();
  useLightPrint();
  useShortcuts({
    openPalette: palette.open,
    openHelp: help.open,
    playsFaults: usePlaysFaults(),
    isAdmin: useIsAdmin(),
  });
  useEffect(() => {
    // Not needed to show the page, but preloaded because people type as soon as they open it.
    const timer = setTimeout(() => void loadPalette().catch(() => undefined), 1_500);
    return () => clearTimeout(timer);
  }, []);

  return (
    <>
      <a href="#main" className={classes.skip}>
        Skip to content
      </a>
      <div className={classes.frame}>
        <header className={classes.header}>
          <Link href="/inbox" className={classes.brand} aria-label="Gatehouse">
            <BrandMark />
            <span className="mantine-visible-from-sm">Gatehouse</span>
          </Link>
          <Breadcrumb />
          <Button
            variant="default"
            size="xs"
            visibleFrom="sm"
            leftSection={<IconSearch size={14} aria-hidden="true" />}
            onClick={palette.open}
            rightSection={<Kbd size="xs">Ctrl K</Kbd>}
          >
            Find
          </Button>
          <ActionIcon
            component="a"
            href={docOfPageHref(pathname)}
            variant="subtle"
            color="gray"
            size="lg"
            visibleFrom="sm"
            aria-label="Documentation of this page"
            title="Documentation of this page"
          >
            <IconHelp size={20} stroke={1.5} aria-hidden="true" />
          </ActionIcon>
          <FreshnessLamp />
          <PersonMenu onKeys={help.open} />
        </header>
        <div className={classes.rail}>
          <Rail />
        </div>
        <main className={classes.main} id="main" tabIndex={-1}>
          <div className={classes.content}>
            <PrintHeader />
            <ConfigBanner />
            <StatusBanner />
            <FreezeBanner />
            {hint !== null && <div className={classes.hint}>{hint}</div>}
            {/* Times are formatted all over a page: with another zone it is built again. */}
            <Fragment key={zone ?? ""}>{children}</Fragment>
          </div>
        </main>
        <div className={classes.footer}>
          <BottomBar onFind={palette.open} />
        </div>
      </div>
      {isPaletteOpen && <CommandPalette docs={docs} onClose={palette.close} onHelp={help.open} />}
      {isHelpOpen && <KeyHelp onClose={help.close} />}
      {hasSessionEnded && <SessionDialog />}
      <ActionToasts />
      <BrowserNotifier />
    </>
  );
}
