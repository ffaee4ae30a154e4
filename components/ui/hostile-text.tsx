import { Anchor } from "@mantine/core";
import { Fragment } from "react";
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
