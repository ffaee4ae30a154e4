"use client";

import classes from "#components/docs/doc-page.module.css";
import { useLightPrint } from "#components/shell/use-light-print.ts";
import { BrandMark } from "#components/ui/brand-mark.tsx";

/** The head of every page of the documentation, for people who are signed in and for those who are not. */
export function DocHeader() {
  useLightPrint();
  return (
    <header className={classes.header}>
      <a className={classes.brand} href="/docs">
        <BrandMark /> Documentation
      </a>
      <a href="/docs/api">API</a>
      <a href="/inbox">Open Gatehouse</a>
    </header>
  );
}
