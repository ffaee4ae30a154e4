import { Anchor, Text } from "@mantine/core";
import Link from "next/link";
import classes from "#components/audit/audit.module.css";
import { checkLinks } from "#components/audit/check-links.ts";
import { StateIcon } from "#components/ui/state-icon.tsx";
import { auditHref } from "#lib/client/rollout-path.ts";
import type { AuditItem } from "#lib/contract/audit.ts";

/** Shows whether the visible entries are correctly chained: every reader may check that much. */
export function LinkState({ items }: { items: readonly AuditItem[] }) {
  const { checked, brokenAt } = checkLinks(items);
  if (checked === 0) return null;
  return (
    <Text size="xs" c={brokenAt === undefined ? "dimmed" : "var(--gh-red-text)"} className={classes.check}>
      <StateIcon state={brokenAt === undefined ? "successful" : "failed"} size={14} />
      {brokenAt === undefined ? (
        `Hash chain intact for the entries shown (${checked} links checked).`
      ) : (
        <span>
          Entry{" "}
          <Anchor component={Link} href={auditHref(brokenAt)} inherit>
            {brokenAt}
          </Anchor>{" "}
          does not match the previous entry: one of them was changed after it was written.
        </span>
      )}
    </Text>
  );
}
