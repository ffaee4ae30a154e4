import { Code } from "@mantine/core";
import classes from "#components/audit/audit.module.css";

/** The frozen evidence, as text: what it holds is fixed for ever, whatever the pages show today. */
export function Evidence({ evidence }: { evidence: unknown }) {
  return (
    <Code block className={classes.code}>
      {JSON.stringify(evidence, null, 2)}
    </Code>
  );
}
