"use client";

import { Anchor, Text } from "@mantine/core";
import Link from "next/link";
import { IconLock } from "#components/ui/icons.tsx";
import { PageTitle } from "#components/ui/page-title.tsx";
import { NothingHere } from "#components/ui/query-view.tsx";

/** Says in words why the page is not shown (status 403), and where to look instead. */
export function ForbiddenPage() {
  return (
    <>
      <PageTitle>Admins only</PageTitle>
      <NothingHere
        icon={<IconLock size={40} stroke={1.2} />}
        title="You may not see this page"
        hint="It needs the role admin for all clusters, namespaces and rollouts. A role within a scope is not enough. Role bindings are in the config: auth.roles."
        action={
          <Text size="sm">
            <Anchor component={Link} href="/settings" inherit>
              What I may do
            </Anchor>
          </Text>
        }
      />
    </>
  );
}
