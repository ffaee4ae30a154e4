"use client";

import { Anchor, Code, Group, NativeSelect, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { stringify } from "yaml";
import classes from "#components/ui/config-snippet.module.css";
import { CopyText } from "#components/ui/copy-text.tsx";
import { docHref } from "#lib/client/doc-href.ts";

type Values<Key extends string> = Readonly<Record<Key, string>>;
export type SnippetField<Key extends string> = {
  key: Key;
  label: string | ((values: Values<Key>) => string);
  /** The value at first. */
  value: string;
  options?: readonly (string | { value: string; label: string })[];
  /** Whether the other values leave a use for it. */
  isShown?: (values: Values<Key>) => boolean;
};

/** An item of a list of the config, and the key of the list. */
export type ConfigItem = { list: string; item: Readonly<Record<string, unknown>> };

type ConfigSnippetProps<Key extends string> = {
  title: string;
  fields: readonly SnippetField<Key>[];
  /** Returns the items that the fields describe. */
  write: (values: Values<Key>) => readonly ConfigItem[];
  /** The page of the documentation with all keys. */
  doc: string;
  /** What `gatehouse doctor` checks of these items, after "it". */
  checks?: string;
  isOpen?: boolean;
};

/** Writes items of the config from a few fields, to paste into the file: the interface does not change the file. */
export function ConfigSnippet<Key extends string>(props: ConfigSnippetProps<Key>) {
  const { title, fields, write, doc, checks, isOpen } = props;
  const [typed, setTyped] = useState<Partial<Record<Key, string>>>({});
  const values = Object.fromEntries(fields.map(({ key, value }) => [key, typed[key] ?? value])) as Record<Key, string>;
  const items = write(values);
  const text = items
    .map(({ list, item }) => `# ${list}\n${stringify([item])}`)
    .join("\n")
    .trimEnd();
  return (
    <details className={classes.snippet} open={isOpen}>
      <summary>{title}</summary>
      <div className={classes.columns}>
        <div className={classes.fields}>
          {fields.map(({ key, label: name, options, isShown }) => {
            if (isShown?.(values) === false) return null;
            const label = typeof name === "string" ? name : name(values);
            const onChange = (event: React.ChangeEvent<HTMLInputElement | HTMLSelectElement>) => {
              const { value } = event.currentTarget;
              setTyped((now) => ({ ...now, [key]: value }));
            };
            const field = { label, size: "xs", value: values[key], onChange } as const;
            return options === undefined ? (
              <TextInput key={key} {...field} />
            ) : (
              <NativeSelect key={key} {...field} data={[...options]} />
            );
          })}
        </div>
        <Stack gap="xs" miw={0}>
          <Code block className={classes.yaml} aria-label="Part of the config" tabIndex={0}>
            {text}
          </Code>
          <Group gap="sm">
            <CopyText text={text} size="xs" />
            <Text size="xs" c="dimmed">
              Add it to {items.map(({ list }) => list).join(" and ")} in the config, then run{" "}
              <code>gatehouse doctor</code>
              {checks !== undefined && `: it ${checks}`}.{" "}
              <Anchor href={docHref(doc)} inherit>
                All keys
              </Anchor>
            </Text>
          </Group>
        </Stack>
      </div>
    </details>
  );
}
