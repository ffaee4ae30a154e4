"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef } from "react";
import { findBinding, type KeyCommand, listKeys } from "#components/shell/key-table.ts";
import { timeFormChoice } from "#lib/client/time-display.ts";

type ShortcutHandlers = { openPalette(): void; openHelp(): void; playsFaults: boolean; isAdmin: boolean };

const pairTimeoutMs = 1_200;

/** Listens to the keys of key-table.ts. Text input, open dialogs and focused widgets keep their keys. */
export function useShortcuts(input: ShortcutHandlers): void {
  const router = useRouter();
  const handlers = useRef(input);
  handlers.current = input;

  useEffect(() => {
    let pending: string | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;

    function run(command: KeyCommand): boolean {
      switch (command.kind) {
        case "go":
          router.push(command.href);
          return true;
        case "palette":
          handlers.current.openPalette();
          return true;
        case "help":
          handlers.current.openHelp();
          return true;
        case "search":
          if (!focusPageSearch()) handlers.current.openPalette();
          return true;
        case "row":
          return moveRow(command.move, command.fromRow === true);
        case "times":
          timeFormChoice.set(timeFormChoice.get() === "ago" ? "clock" : "ago");
          return true;
        case "claim":
          return claimRow();
        case "decide":
          return decideRow();
        case "none":
          return false;
      }
    }

    function listen(event: KeyboardEvent): void {
      if (event.defaultPrevented || event.isComposing || isDialogOpen()) return;
      const isPaletteKey = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k";
      if (!isPaletteKey && ownsKeys(event.target)) return;
      const found = findBinding(event, pending, listKeys(handlers.current.playsFaults, handlers.current.isAdmin));
      clearTimeout(timer);
      pending = undefined;
      if (found === undefined) return;
      if ("pending" in found) {
        pending = found.pending;
        timer = setTimeout(() => {
          pending = undefined;
        }, pairTimeoutMs);
      } else if (run(found.command)) {
        event.preventDefault();
      }
    }

    document.addEventListener("keydown", listen);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("keydown", listen);
    };
  }, [router]);
}

/** Returns whether the focused element handles letters itself. */
function ownsKeys(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    target.closest('input, textarea, select, [role="listbox"], [role="menu"], [role="combobox"]') !== null
  );
}

function isDialogOpen(): boolean {
  return document.querySelector('[role="dialog"][aria-modal="true"]') !== null;
}

function focusPageSearch(): boolean {
  const search = document.querySelector<HTMLInputElement>("main input[type=search]");
  search?.focus();
  search?.select();
  return search !== null;
}

/**
 * Moves focus between rows, which are the links marked `data-row-link`, so Enter opens them and screen readers follow.
 */
function moveRow(move: 1 | -1, fromRow: boolean): boolean {
  const rows = [...document.querySelectorAll<HTMLElement>("[data-row-link]")];
  const active = document.activeElement;
  const row = active?.closest("[data-row]");
  if (rows.length === 0 || (fromRow && row == null)) return false;
  const current = rows.findIndex((link) => link === active || row?.contains(link) === true);
  const next =
    current === -1 ? (move === 1 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, current + move));
  rows[next]?.focus();
  rows[next]?.scrollIntoView({ block: "nearest" });
  return true;
}

/** Opens the dialog of the first answer to the row that has the focus. The dialog asks; the key does nothing more. */
function decideRow(): boolean {
  const button = document.activeElement?.closest("[data-row]")?.querySelector<HTMLElement>("[data-lead]");
  button?.click();
  return button !== null && button !== undefined;
}

/** Claims the focused row unless it is claimed: a key never takes over another person's claim. */
function claimRow(): boolean {
  const button = document.activeElement?.closest("[data-row]")?.querySelector<HTMLElement>("[data-claim]");
  button?.click();
  return button !== null && button !== undefined;
}
