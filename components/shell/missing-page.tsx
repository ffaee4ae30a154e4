"use client";

import { Anchor, Group, Stack, Text } from "@mantine/core";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { describePath } from "#components/shell/describe-path.ts";
import { PageTitle } from "#components/ui/page-title.tsx";
import { cutText } from "#lib/util/text.ts";

/** Says that an address leads nowhere, and offers the inbox and the list that the address belongs to. */
export function MissingPage() {
  const pathname = usePathname();
  const [section] = describePath(pathname);
  const { label, href = "/rollouts" } =
    section?.href === undefined || section.href === "/inbox" ? { label: "Rollouts" } : section;
  return (
    <Stack gap="xs">
      <PageTitle>Page not found</PageTitle>
      <Text c="dimmed" style={{ overflowWrap: "anywhere" }}>
        Nothing at <code title={pathname}>{cutText(pathname, 120)}</code>. The address is wrong, or Gatehouse never
        recorded this object.
      </Text>
      <Group gap="md">
        <Anchor component={Link} href="/inbox">
          Go to inbox
        </Anchor>
        <Anchor component={Link} href={href}>
          Go to {label.toLowerCase()}
        </Anchor>
      </Group>
    </Stack>
  );
}
