"use client";

import { useClipboard } from "@mantine/hooks";
import classes from "#components/docs/api-reference.module.css";

type CodeExampleProps = { text: string; label: string };

/** Shows code that can be scrolled by keyboard, with a button that copies it. Plain elements: a page may have a hundred. */
export function CodeExample({ text, label }: CodeExampleProps) {
  const { copied, copy } = useClipboard({ timeout: 4000 });
  return (
    <section className={classes.example} aria-label={label}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard */}
      <pre className={classes.code} tabIndex={0}>
        {text}
      </pre>
      <button type="button" className={classes.copy} onClick={() => copy(text)} aria-live="polite">
        {copied ? "Copied" : "Copy"}
      </button>
    </section>
  );
}
