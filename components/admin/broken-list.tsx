import { Anchor, Text } from "@mantine/core";
import Link from "next/link";
import classes from "#components/admin/admin.module.css";
import { formatZoned } from "#components/admin/describe-freeze.ts";
import { Section } from "#components/ui/section.tsx";
import { auditHref } from "#lib/client/rollout-path.ts";
import type { BrokenFreeze } from "#lib/contract/admin.ts";

type BrokenListProps = { broken: readonly BrokenFreeze[]; allBroken: boolean; zone: string };

/** Lists who acted despite a freeze in the shown week. */
export function BrokenList({ broken, allBroken, zone }: BrokenListProps) {
  if (broken.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No freeze was overridden in this week.
      </Text>
    );
  return (
    <Section id="broken" title="Break-glass this week">
      <ul className={classes.reasons} aria-labelledby="broken">
        {broken.map(({ seq, at, sentence }) => (
          <li key={seq}>
            {formatZoned(at, zone)}{" "}
            <Anchor component={Link} href={auditHref(seq)} inherit>
              <bdi>{sentence}</bdi>
            </Anchor>
          </li>
        ))}
      </ul>
      {!allBroken && (
        <Text size="sm" c="dimmed">
          The audit log has the others.
        </Text>
      )}
    </Section>
  );
}
