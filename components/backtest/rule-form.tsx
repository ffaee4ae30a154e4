"use client";

import { Button, Group, Text, Textarea, TextInput, Title } from "@mantine/core";
import classes from "#components/backtest/backtest.module.css";
import { type RuleField, type Rules, ruleFields } from "#components/backtest/rule-fields.ts";
import type { BacktestSearch } from "#components/backtest/use-backtest-search.ts";
import type { Problem } from "#lib/contract/problem.ts";

type RuleFormProps = {
  /** The current rules; undefined while they load. */
  base: Rules | undefined;
  search: BacktestSearch;
  faults: Problem["invalidParams"];
};

/** Edits the proposal. A field shows the current rule until it is changed. */
export function RuleForm({ base, search, faults = [] }: RuleFormProps) {
  const { values, set, changed } = search;
  const reset = () => void set(Object.fromEntries(ruleFields.map(({ name }) => [name, null])));
  const fieldProps = (field: RuleField) => ({
    field,
    base: base?.[field.name],
    value: values[field.name],
    onChange: (text: string) => void set({ [field.name]: text === (base?.[field.name] ?? "") ? null : text }),
    fault: faults.find(({ name }) => name === `proposal.${field.name}`)?.reason,
  });
  return (
    <section aria-labelledby="proposal">
      <Group justify="space-between" mb="xs" align="baseline">
        <Title order={2} id="proposal">
          Proposal
        </Title>
        {changed > 0 && (
          <Button size="xs" variant="subtle" onClick={reset}>
            Reset {changed === 1 ? "1 change" : `${changed} changes`}
          </Button>
        )}
      </Group>
      <div className={classes.conditions}>
        {ruleFields
          .filter(({ isCondition }) => isCondition)
          .map((field) => (
            <RuleInput key={field.name} {...fieldProps(field)} />
          ))}
      </div>
      <div className={classes.limits}>
        {ruleFields
          .filter(({ isCondition }) => !isCondition)
          .map((field) => (
            <RuleInput key={field.name} {...fieldProps(field)} />
          ))}
      </div>
      <Text size="xs" c="dimmed" mt="xs">
        Unchanged rules stay as recorded with each run.
      </Text>
    </section>
  );
}

type RuleInputProps = {
  field: RuleField;
  base: string | undefined;
  /** Null: not changed. */
  value: string | null;
  onChange: (text: string) => void;
  fault: string | undefined;
};

function RuleInput({ field, base, value, onChange, fault }: RuleInputProps) {
  const isChanged = value !== null;
  const common = {
    label: field.label,
    size: "xs" as const,
    value: value ?? base ?? "",
    placeholder: field.unset,
    error: fault,
    "data-changed": isChanged || undefined,
    ...(isChanged && base !== undefined
      ? { className: classes.changed, description: `Changed from ${base === "" ? field.unset : base}` }
      : {}),
    inputWrapperOrder: ["label", "input", "description", "error"] as ("label" | "input" | "description" | "error")[],
    spellCheck: false,
    autoComplete: "off",
  };
  const onInput = (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value);
  if (!field.isCondition) return <TextInput {...common} onChange={onInput} />;
  return (
    <Textarea
      {...common}
      autosize
      minRows={1}
      maxRows={6}
      classNames={{ input: classes.code ?? "" }}
      onChange={onInput}
    />
  );
}
