import classes from "#components/ui/cut-text.module.css";

/** Keeps text on one line and cuts the overflow; hovering shows the full text (`showCutText`). */
export function CutText({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <span className={classes.cut} data-full={title}>
      {children}
    </span>
  );
}
