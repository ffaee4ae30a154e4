"use client";

import { Button, Code, NativeSelect, Paper, Skeleton, Table, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import classes from "#components/admin/admin.module.css";
import { PermissionResult } from "#components/admin/permission-result.tsx";
import { ErrorNotice, QueryView } from "#components/ui/query-view.tsx";
import { Section } from "#components/ui/section.tsx";
import { TableHead } from "#components/ui/table-parts.tsx";
import { useFilters } from "#components/ui/use-filters.ts";
import { useClusterPermissions, usePermissions } from "#lib/client/admin-queries.ts";
import type { AdminAccess, ClusterPermissions, PermissionAnswer } from "#lib/contract/admin-access.ts";

const fields = ["who", "username", "groups", "token", "cluster", "namespace", "kind", "name"] as const;
type Values = Record<(typeof fields)[number], string>;

/** Asks what a person, robot or token may do at a place; the question is in the URL. */
export function PermissionSection({ access }: { access: AdminAccess }) {
  const { values, applied, isFiltered, set, clear } = useFilters(fields);
  const query = queryOf(applied);
  const answer = usePermissions(query);
  return (
    <Section id="may" title="What may they do here?" mb={4}>
      <Text size="sm" c="dimmed" mb="xs" className={classes.words}>
        Name a person, a robot or a token, and a place. The answer comes from the same rules that decide a real request.
        Leave the groups empty to use those of their last sign-in.
      </Text>
      <Paper withBorder className={classes.panel}>
        <Fields access={access} values={values} set={set} />
        {isFiltered && (
          <Button size="xs" variant="subtle" mt="xs" onClick={clear}>
            Clear the question
          </Button>
        )}
        {query !== undefined && (
          <div className={classes.answer} aria-live="polite">
            <QueryView what="The answer" query={answer} skeleton={<Skeleton height={160} aria-hidden="true" />}>
              {(data) => (
                <>
                  <PermissionResult answer={data} />
                  {data.place !== null && data.role !== null && (
                    <ClusterAnswer key={JSON.stringify(query)} query={query} place={data.place} />
                  )}
                </>
              )}
            </QueryView>
          </div>
        )}
      </Paper>
    </Section>
  );
}

type FieldsProps = {
  access: AdminAccess;
  values: Values;
  set: (name: keyof Values) => (value: string | null) => void;
};

function Fields({ access: { known, clusters }, values, set }: FieldsProps) {
  const who = values.who === "" ? "person" : values.who;
  const names = [...new Set(known.filter(({ kind }) => kind === who).map(({ username }) => username))];
  const tokens = known.flatMap(({ kind, token, name, username }) =>
    kind === "token" && token !== null ? [{ value: token, label: `${name} of ${username}` }] : [],
  );
  const text = (name: keyof Values) => ({
    size: "xs",
    value: values[name],
    onChange: (event: React.ChangeEvent<HTMLInputElement>) => set(name)(event.currentTarget.value || null),
  });
  const choice = (name: keyof Values) => ({
    size: "xs",
    value: values[name],
    onChange: (event: React.ChangeEvent<HTMLSelectElement>) => set(name)(event.currentTarget.value || null),
  });
  return (
    <search className={classes.fields} aria-labelledby="may">
      <NativeSelect
        label="Who"
        {...choice("who")}
        data={[
          { value: "", label: "a person" },
          { value: "robot", label: "a robot" },
          { value: "token", label: "a token" },
        ]}
      />
      {who === "token" ? (
        <NativeSelect label="Token" {...choice("token")} data={[{ value: "", label: "choose one" }, ...tokens]} />
      ) : (
        <>
          <TextInput label="Name" list="known-names" autoComplete="off" {...text("username")} />
          <datalist id="known-names">
            {names.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
          <TextInput label="Groups" placeholder="as last seen" {...text("groups")} />
        </>
      )}
      <NativeSelect label="Cluster" {...choice("cluster")} data={[{ value: "", label: "choose one" }, ...clusters]} />
      <TextInput label="Namespace" {...text("namespace")} />
      <NativeSelect
        label="Kind"
        {...choice("kind")}
        data={[{ value: "", label: "whole namespace" }, "Rollout", "Canary"]}
      />
      <TextInput label="Rollout" placeholder="name" {...text("name")} />
    </search>
  );
}

/** Returns the query so far; undefined if no subject is named. An incomplete place is left out. */
function queryOf(values: Values): Record<string, string> | undefined {
  const who = values.who === "" ? "person" : values.who;
  if (who === "token" ? values.token === "" : values.username === "") return undefined;
  const { cluster, namespace, kind, name } = values;
  const query: Record<string, string> = { who };
  if (who === "token") query.token = values.token;
  else Object.assign(query, { username: values.username, groups: values.groups });
  if (cluster === "" || namespace === "") return query;
  Object.assign(query, { cluster, namespace });
  if (kind !== "" && name !== "") Object.assign(query, { kind, name });
  return query;
}

type ClusterAnswerProps = { query: Record<string, string>; place: NonNullable<PermissionAnswer["place"]> };

/** Asks the cluster, on a click: its own RBAC must allow an action too. */
function ClusterAnswer({ query, place }: ClusterAnswerProps) {
  const [isAsked, setAsked] = useState(false);
  const { data, error, isFetching, refetch } = useClusterPermissions(query, isAsked);
  return (
    <section aria-label="The cluster's own answer" className={classes.cluster}>
      <Text size="sm" c="dimmed" mb="xs">
        The cluster also applies its own RBAC. Asking does not change anything there.
      </Text>
      <Button
        size="xs"
        variant="default"
        loading={isFetching}
        onClick={() => (isAsked ? void refetch() : setAsked(true))}
      >
        Ask cluster {place.cluster}
      </Button>
      {error !== null && <ErrorNotice error={error} what="The cluster's answer" onRetry={() => void refetch()} />}
      {data !== undefined && <Answer answer={data} />}
    </section>
  );
}

const columns = [{ header: "Answer", width: "22%" }, { header: "Right", width: "34%" }, { header: "Needed for" }];

const answerWords = { allowed: "Allowed", denied: "Denied", unknown: "No answer" } as const;

function Answer({ answer: { text, rule, rights } }: { answer: ClusterPermissions }) {
  return (
    <>
      <Text size="sm" mt="xs">
        <bdi>{text}</bdi>
      </Text>
      {rule !== null && (
        <Text size="sm" component="div">
          Add this rule to a ClusterRole of Gatehouse's account (deploy/rbac-review.yaml):
          <Code block>{rule}</Code>
        </Text>
      )}
      {rights.length > 0 && (
        <Table className={classes.verdicts} aria-label="The cluster's answers">
          <TableHead columns={columns} />
          <Table.Tbody>
            {rights.map(({ right, resource, actions, answer }) => (
              <Table.Tr key={`${right} ${resource}`} data-row>
                <Table.Th scope="row">{answerWords[answer]}</Table.Th>
                <Table.Td>
                  <code>{right}</code> <bdi>{resource}</bdi>
                </Table.Td>
                <Table.Td>{actions.join(", ")}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </>
  );
}
