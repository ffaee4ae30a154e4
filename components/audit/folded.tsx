import { Code } from "@mantine/core";
import classes from "#components/audit/audit.module.css";

type FoldedProps = { title: React.ReactNode; isPrinted?: boolean; children: React.ReactNode };

/** Folds the record behind the words of the page. Paper has it too, unless it repeats what the page says. */
export function Folded({ title, isPrinted = true, children }: FoldedProps) {
  return (
    <details className={classes.fold} data-printed={isPrinted || undefined}>
      <summary>{title}</summary>
      {children}
    </details>
  );
}

/** Shows a text as it was recorded. */
export function RecordedText({ children }: { children: string }) {
  return (
    <Code block tabIndex={0} className={classes.code}>
      {children}
    </Code>
  );
}
