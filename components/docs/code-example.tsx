"use client";

import { Button, CopyButton } from "@mantine/core";
import classes from "#components/docs/api-reference.module.css";

type CodeExampleProps = { text: string; label: string };

/** Shows code that can be scrolled by keyboard, with a button that copies it. */
export function CodeExample({ text, label }: CodeExampleProps) {
  return (
    <section className={classes.example} aria-label={label}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard */}
      <pre className={classes.code} tabIndex={0}>
        {text}
      </pre>
      <CopyButton value={text} timeout={4000}>
        {({ copied, copy }) => (
          <Button className={classes.copy} size="compact-xs" variant="default" onClick={copy} aria-live="polite">
            {copied ? "Copied" : "Copy"}
          </Button>
        )}
      </CopyButton>
    </section>
  );
}
