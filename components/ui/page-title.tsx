import { Title } from "@mantine/core";
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
