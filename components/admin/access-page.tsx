"use client";

import { Box, Skeleton, Stack, Text } from "@mantine/core";
import classes from "#components/admin/admin.module.css";
import { AdminFrame } from "#components/admin/admin-frame.tsx";
import { BindingTable } from "#components/admin/binding-table.tsx";
import { PermissionSection } from "#components/admin/permission-section.tsx";
import { WhoMaySection } from "#components/admin/who-may-section.tsx";
import { bindingFields, writeBinding } from "#components/admin/write-binding.ts";
import { ConfigSnippet } from "#components/ui/config-snippet.tsx";
import { QueryView } from "#components/ui/query-view.tsx";
import { Section } from "#components/ui/section.tsx";
import { useAdminAccess } from "#lib/client/admin-queries.ts";
import type { AdminAccess } from "#lib/contract/admin-access.ts";

/** Shows who may carry out an action at a place, the permissions of one person, robot or token, and the bindings. */
export function AccessPage() {
  const query = useAdminAccess();
  return (
    <AdminFrame title="Access">
      <QueryView what="The role bindings" query={query} skeleton={<Skeleton height={360} aria-hidden="true" />}>
        {(access) => (
          <Stack gap="xl">
            <WhoMaySection access={access} />
            <PermissionSection access={access} />
            <Bindings access={access} />
          </Stack>
        )}
      </QueryView>
    </AdminFrame>
  );
}

function Bindings({ access }: { access: AdminAccess }) {
  const { bindings, issuer, demo } = access;
  return (
    <Section id="bindings" title="Role bindings" mb={4}>
      <Text size="sm" c="dimmed" mb="xs" className={classes.words}>
        {demo
          ? "This is a demo: the role of a person is that of their demo account. Bindings apply to robots and tokens only."
          : `People sign in at ${issuer ?? "no identity provider"}. Role bindings do not expire; tokens do.`}
      </Text>
      {bindings.length === 0 ? (
        <Text size="sm" mb="sm">
          {demo
            ? "No role bindings for robots and tokens yet."
            : "No role bindings yet. Add one to the config so that people can sign in."}
        </Text>
      ) : (
        <BindingTable bindings={bindings} labelledBy="bindings" />
      )}
      <Box mt="sm">
        <ConfigSnippet
          title="Write YAML for a role binding"
          fields={bindingFields}
          write={writeBinding}
          doc="access.md"
          isOpen={bindings.length === 0}
        />
      </Box>
    </Section>
  );
}
