"use client";

import { Alert, Button, Checkbox, CopyButton, Paper, Skeleton, Stack, Table, Text, TextInput } from "@mantine/core";
import { parseAsBoolean, parseAsString, useQueryStates } from "nuqs";
import { Fragment } from "react";
import classes from "#components/admin/admin.module.css";
import { AdminFrame } from "#components/admin/admin-frame.tsx";
import { IconFileDiff } from "#components/ui/icons.tsx";
import { QueryView } from "#components/ui/query-view.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { Section } from "#components/ui/section.tsx";
import { TableHead } from "#components/ui/table-parts.tsx";
import { useAdminConfig } from "#lib/client/admin-queries.ts";
import type { AdminConfig, ConfigEntry } from "#lib/contract/admin.ts";

/** Shows the config in force with the origin of each value; a held change as a list of differences. */
export function ConfigPage() {
  const query = useAdminConfig();
  return (
    <AdminFrame title="Effective config">
      <QueryView what="The config" query={query} skeleton={<Skeleton height={400} aria-hidden="true" />}>
        {(config) => (
          <Stack gap="lg">
            <Source config={config} />
            {config.pending !== null && <Pending pending={config.pending} />}
            <Entries config={config} />
            <Environment environment={config.environment} />
          </Stack>
        )}
      </QueryView>
    </AdminFrame>
  );
}

function Source({ config: { file, digest, loadedAt, needsRestart, yaml } }: { config: AdminConfig }) {
  return (
    <div>
      <Text size="sm" className={classes.words}>
        Loaded <RelativeTime at={loadedAt} /> from <code>{file}</code> (SHA-256 <code>{digest.slice(0, 12)}</code>), as
        this web process has it. Secrets come from files or environment variables; values that look like secrets are
        masked.
      </Text>
      {needsRestart.length > 0 && (
        <Text size="sm" className={classes.mark}>
          Changed in the file, but in force only after a restart: {needsRestart.join(", ")}.
        </Text>
      )}
      <CopyButton value={yaml}>
        {({ copied, copy }) => (
          <Button size="xs" variant="default" mt="xs" onClick={copy}>
            {copied ? "Copied" : "Copy as YAML"}
          </Button>
        )}
      </CopyButton>
    </div>
  );
}

function Pending({ pending: { state, since, error, changes } }: { pending: NonNullable<AdminConfig["pending"]> }) {
  return (
    <Alert
      color={state === "held" ? "orange" : "red"}
      variant="outline"
      bg="var(--gh-surface)"
      icon={<IconFileDiff size={18} />}
      title={state === "held" ? "A change of the file is held" : "The file cannot be used"}
    >
      <Text size="sm">
        <bdi>{error}</bdi> (<RelativeTime at={since} />)
      </Text>
      {changes !== null && (
        <>
          <Text size="sm" mt="xs">
            If an admin confirms it in the notice at the top of the page, this changes:
          </Text>
          <Table className={classes.verdicts} aria-label="Changes in the held file">
            <TableHead columns={changeColumns} />
            <Table.Tbody>
              {changes.slice(0, 200).map(({ path, before, after }) => (
                <Table.Tr key={path}>
                  <Table.Th scope="row">
                    <code>{path}</code>
                  </Table.Th>
                  <Table.Td>{before === null ? "not set" : <code>{before}</code>}</Table.Td>
                  <Table.Td>{after === null ? "removed" : <code>{after}</code>}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
          {changes.length > 200 && <Text size="sm">And {changes.length - 200} more.</Text>}
        </>
      )}
    </Alert>
  );
}

const changeColumns = [{ header: "Key", width: "40%" }, { header: "In force" }, { header: "Held file" }];
const entryColumns = [{ header: "Key", width: "42%" }, { header: "Value" }, { header: "From", width: "6rem" }];

function Entries({ config: { entries } }: { config: AdminConfig }) {
  const [{ q, own }, set] = useQueryStates(
    { q: parseAsString.withDefault(""), own: parseAsBoolean.withDefault(false) },
    { history: "replace", clearOnDefault: true },
  );
  const shown = filterEntries(entries, { text: q, own });
  return (
    <Section id="entries" title="Values">
      <search className={classes.search}>
        <TextInput
          size="xs"
          type="search"
          w={280}
          aria-label="Search in the config"
          placeholder="Search keys and values"
          value={q}
          onChange={(event) => void set({ q: event.currentTarget.value })}
        />
        <Checkbox
          size="xs"
          label="Only keys set in the file"
          checked={own}
          onChange={(event) => void set({ own: event.currentTarget.checked })}
        />
        <Text size="sm" c="dimmed" role="status">
          {shown.length} of {entries.length}
        </Text>
      </search>
      {shown.length === 0 ? (
        <Text size="sm">No key or value matches.</Text>
      ) : (
        <Paper withBorder className={classes.frame}>
          <Table aria-labelledby="entries" className={classes.config} verticalSpacing={3}>
            <TableHead columns={entryColumns} />
            <Table.Tbody>
              {shown.map((entry, index) => (
                <Fragment key={entry.path}>
                  {sectionOf(entry) !== sectionOf(shown[index - 1]) && (
                    <Table.Tr className={classes.group}>
                      <Table.Th colSpan={3} scope="colgroup">
                        {sectionOf(entry)}
                      </Table.Th>
                    </Table.Tr>
                  )}
                  <Entry entry={entry} />
                </Fragment>
              ))}
            </Table.Tbody>
          </Table>
        </Paper>
      )}
    </Section>
  );
}

/** The part of the config that an entry is of: `auth`, or one cluster, binding or rule of a list. */
function sectionOf(entry: ConfigEntry | undefined): string | undefined {
  return entry === undefined ? undefined : /^[^.[]+/.exec(entry.path)?.[0];
}

function Entry({ entry: { path, value, origin, line, note } }: { entry: ConfigEntry }) {
  return (
    <Table.Tr data-origin={origin} data-row>
      <Table.Th scope="row">
        <code>{path}</code>
      </Table.Th>
      <Table.Td>
        <code className={classes.yaml}>{value}</code>
        {note !== null && (
          <Text size="xs" c="dimmed">
            {note}
          </Text>
        )}
      </Table.Td>
      <Table.Td className={classes.origin}>
        {origin === "file" ? `line ${line}` : origin === "start" ? "last start" : origin}
      </Table.Td>
    </Table.Tr>
  );
}

function Environment({ environment }: Pick<AdminConfig, "environment">) {
  return (
    <Section id="environment" title="Environment of this process">
      <Paper withBorder className={classes.frame}>
        <Table aria-labelledby="environment" className={classes.config} verticalSpacing={3}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">Variable</Table.Th>
              <Table.Th scope="col">Value</Table.Th>
              <Table.Th scope="col">What</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {environment.map(({ name, value, note }) => (
              <Table.Tr key={name}>
                <Table.Th scope="row">
                  <code>{name}</code>
                </Table.Th>
                <Table.Td>{value === null ? "not set" : <code className={classes.yaml}>{value}</code>}</Table.Td>
                <Table.Td>{note}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Paper>
    </Section>
  );
}

/** Returns the entries whose path or value contains every word, ignoring case. `own`: without defaults. */
export function filterEntries(
  entries: readonly ConfigEntry[],
  { text, own }: { text: string; own: boolean },
): readonly ConfigEntry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return entries.filter(({ path, value, origin }) => {
    const line = `${path}: ${value}`.toLowerCase();
    return (!own || origin !== "default") && words.every((word) => line.includes(word));
  });
}
