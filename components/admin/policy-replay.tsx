"use client";

import { Anchor, Button, Group, NativeSelect, Paper, Stack, Text, Textarea } from "@mantine/core";
import Link from "next/link";
import { useId, useState } from "react";
import classes from "#components/admin/admin.module.css";
import { describeCheck, describeReplayedRule } from "#components/admin/describe-replay.ts";
import { FormError } from "#components/ui/dialog-parts.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { Section } from "#components/ui/section.tsx";
import { useReplayPolicies } from "#lib/client/admin-queries.ts";
import { auditHref } from "#lib/client/rollout-path.ts";
import type { AdminPolicy } from "#lib/contract/admin.ts";
import type { PolicyReplay, ReplayedRule } from "#lib/contract/policy-replay.ts";
import { formatCountOf } from "#lib/util/words.ts";

const ownText = "yaml";
const example = `freezes:
  - name: weekend
    start: "0 18 * * 5"
    timeZone: Europe/Berlin
    duration: 62h
`;

/** Replays a rule, of the config or proposed, over the actions of the last days. */
export function ReplaySection({ policies }: { policies: readonly AdminPolicy[] }) {
  const first = policies.find(({ mode }) => mode === "observe") ?? policies[0];
  const [rule, setRule] = useState(first?.path ?? ownText);
  const [yaml, setYaml] = useState(example);
  const [days, setDays] = useState<30 | 90>(30);
  const replay = useReplayPolicies();
  const isOwn = rule === ownText || !policies.some(({ path }) => path === rule);

  function submit(event: React.FormEvent): void {
    event.preventDefault();
    if (!replay.isPending) replay.mutate(isOwn ? { yaml, days } : { rule, days });
  }

  return (
    <Section id="replay" title="Try a rule on past actions">
      <Paper withBorder className={classes.panel}>
        <form onSubmit={submit}>
          <Stack gap="sm">
            <Text size="sm" c="dimmed" className={classes.words}>
              What a rule would have decided about actions that were let through. Nothing is changed.
            </Text>
            <Group align="end" gap="sm">
              <NativeSelect
                size="xs"
                label="Rule"
                value={isOwn ? ownText : rule}
                onChange={(event) => setRule(event.currentTarget.value)}
                data={[
                  ...policies.map(({ path, name, mode }) => ({
                    value: path,
                    label: `${name ?? path}${mode === "observe" ? " (observed)" : ""}`,
                  })),
                  { value: ownText, label: "A new rule…" },
                ]}
              />
              <NativeSelect
                size="xs"
                label="Over"
                value={String(days)}
                onChange={(event) => setDays(event.currentTarget.value === "90" ? 90 : 30)}
                data={[
                  { value: "30", label: "30 days" },
                  { value: "90", label: "90 days" },
                ]}
              />
              <Button size="xs" type="submit" loading={replay.isPending}>
                Replay
              </Button>
            </Group>
            {isOwn && (
              <Textarea
                label="YAML, as under policies in the config"
                autosize
                minRows={5}
                maxRows={16}
                maxLength={10_000}
                spellCheck={false}
                styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
                value={yaml}
                onChange={(event) => setYaml(event.currentTarget.value)}
              />
            )}
            <FormError title="The rule was not replayed" error={replay.error} />
          </Stack>
        </form>
        <div aria-live="polite">
          {replay.data !== undefined && !replay.isPending && <Replayed replay={replay.data} />}
        </div>
      </Paper>
    </Section>
  );
}

function Replayed({ replay: { since, complete, actions, rules, check } }: { replay: PolicyReplay }) {
  const checked = describeCheck(check);
  return (
    <Stack gap="sm" className={classes.answer}>
      {rules.map((rule, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two rules may have one name, and the list never changes.
        <RuleResult key={index} rule={rule} total={actions} />
      ))}
      <Text size="sm" c="dimmed" className={classes.words}>
        {formatCountOf(actions, "action")} since <RelativeTime at={since} />
        {complete ? "." : ", the newest only."} {checked}
        {check.others.length > 0 && " Not reproduced: "}
        {check.others.map((seq) => (
          <EntryLink key={seq} seq={seq} />
        ))}
      </Text>
    </Stack>
  );
}

function RuleResult({ rule, total }: { rule: ReplayedRule; total: number }) {
  const id = useId();
  const { entries, byAction } = rule;
  const count = byAction.reduce((sum, each) => sum + each.count, 0);
  return (
    <div>
      <Text fw={600} component="h3" id={id}>
        <bdi>{rule.rule}</bdi>
      </Text>
      <Text size="sm">{describeReplayedRule(rule, total)}</Text>
      {entries.length > 0 && (
        <details className={classes.later}>
          <summary>
            {entries.length === count
              ? formatCountOf(count, "entry", "entries")
              : `The newest ${entries.length} entries`}
          </summary>
          <ul className={classes.reasons} aria-labelledby={id}>
            {entries.map(({ seq, at, sentence }) => (
              <li key={seq}>
                <RelativeTime at={at} />{" "}
                <Anchor component={Link} href={auditHref(seq)} inherit>
                  <bdi>{sentence}</bdi>
                </Anchor>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

function EntryLink({ seq }: { seq: number }) {
  return (
    <>
      <Anchor component={Link} href={auditHref(seq)} inherit>
        entry {seq}
      </Anchor>{" "}
    </>
  );
}
