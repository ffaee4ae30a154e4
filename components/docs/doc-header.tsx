"use client";

import classes from "#components/docs/doc-page.module.css";
import { useLightPrint } from "#components/shell/use-light-print.ts";
import { BrandMark } from "#components/ui/brand-mark.tsx";
import { withBasePath } from "#lib/client/base-path.ts";
import { docHref } from "#lib/client/doc-href.ts";

/** The head of every page of the documentation, for people who are signed in and for those who are not. */
export function DocHeader() {
  useLightPrint();
  return (
    <header className={classes.header}>
      <a className={classes.brand} href={docHref("README.md")}>
        <BrandMark /> Documentation
      </a>
      <a href={withBasePath("/docs/api")}>API</a>
      <a href={withBasePath("/inbox")}>Open Gatehouse</a>
    </header>
  );
}
