import { Anchor } from "@mantine/core";
import { Fragment } from "react";
import classes from "#components/ui/cut-text.module.css";
import { splitLinks } from "#components/ui/split-links.ts";

/** Shows text from a cluster as plain text, with http(s) addresses as links that send no referrer or opener. */
export function HostileText({ text }: { text: string }) {
  const parts = splitLinks(text).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never move.
    <Fragment key={index}>
      {part.href === undefined ? (
        part.text
      ) : (
        <Anchor href={part.href} target="_blank" rel="noopener noreferrer nofollow" inherit underline="always">
          {part.text}
        </Anchor>
      )}
    </Fragment>
  ));
  // Direction marks inside the text must not affect the text around it.
  return <bdi className={hasLongWord(text) ? "breaks-anywhere" : undefined}>{parts}</bdi>;
}

/** A version or a name stays whole; a word that few columns can hold breaks anywhere. */
function hasLongWord(text: string): boolean {
  return /\S{33}/.test(text);
}

type CutTextProps = { title: string; lines?: 1 | 2; children: React.ReactNode };

/** Keeps text on one line, or on two, and cuts the overflow; hovering shows the full text (`showCutText`). */
export function CutText({ title, lines = 1, children }: CutTextProps) {
  return (
    <span className={classes.cut} data-full={title} data-lines={lines}>
      {children}
    </span>
  );
}

/**
 * Gives the link of a row the title of the cell under the pointer: the link covers the row, so the cells themselves are
 * never pointed at.
 */
export function showCutText({ target, clientX, clientY }: React.PointerEvent): void {
  if (!(target instanceof HTMLElement) || !target.matches("[data-row-link]")) return;
  const below = document.elementsFromPoint(clientX, clientY).filter((element) => element !== target);
  const full = below.map(fullTextOf).find((text) => text !== undefined);
  if (target.title !== (full ?? "")) target.title = full ?? "";
}

function fullTextOf(element: Element): string | undefined {
  if (!(element instanceof HTMLElement)) return undefined;
  const { full = element.title } = element.dataset;
  return full === "" ? undefined : full;
}
