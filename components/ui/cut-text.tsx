import classes from "#components/ui/cut-text.module.css";

/** Keeps text on one line and cuts what does not fit; the pointer shows all of it (`showCutText`). */
export function CutText({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <span className={classes.cut} data-full={title}>
      {children}
    </span>
  );
}
