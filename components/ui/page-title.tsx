import { Title } from "@mantine/core";
import { useEffect } from "react";
import classes from "#components/ui/page-title.module.css";

type PageTitleProps = { children: React.ReactNode; aside?: React.ReactNode };

/** Renders the heading of a page, with content next to it. */
export function PageTitle({ children, aside }: PageTitleProps) {
  return (
    <header className={classes.header}>
      <Title order={1}>{children}</Title>
      {aside}
    </header>
  );
}

/** Names the tab after an object, once it is loaded. */
export function usePageTitle(name: string): void {
  useEffect(() => {
    document.title = `${name} · Gatehouse`;
  }, [name]);
}
