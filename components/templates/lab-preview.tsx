"use client";

import { Alert, Select, Stack, Text, Title } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { Section } from "#components/ui/section.tsx";
import { SpecText } from "#components/ui/spec-diff.tsx";
import { useRollouts } from "#lib/client/rollout-queries.ts";
import type { LintAnswer } from "#lib/contract/analysis-engine.ts";

type LabPreviewProps = {
  rollout: string | null;
  onRollout: (id: string | null) => void;
  runs: LintAnswer["runs"];
  moreRuns: number;
  isReadable: boolean;
};

/** Shows the runs that a chosen rollout would create with the edited template. */
export function LabPreview({ rollout, onRollout, runs, moreRuns, isReadable }: LabPreviewProps) {
  return (
    <Section id="preview" title="Runs of a rollout">
      <RolloutChoice value={rollout} onChange={onRollout} />
      <Stack gap="sm" mt="sm">
        {rollout === null ? (
          <Text size="sm" c="dimmed">
            Choose a rollout to see the runs that it would create with this template.
          </Text>
        ) : (
          <>
            <Runs runs={runs} isReadable={isReadable} />
            {moreRuns > 0 && (
              <Text size="sm" c="dimmed">
                and {moreRuns} more, not shown
              </Text>
            )}
          </>
        )}
      </Stack>
    </Section>
  );
}

function Runs({ runs, isReadable }: Pick<LabPreviewProps, "runs" | "isReadable">) {
  if (!isReadable || runs === null) {
    return (
      <Text size="sm" c="dimmed">
        Correct the errors to see its runs.
      </Text>
    );
  }
  if (runs.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No analysis of this rollout names the template. Its kind and metadata.name must be those that the rollout names.
      </Text>
    );
  }
  return runs.map(({ where, spec, metadata, error }) => (
    <div key={where}>
      <Title order={3} size="sm" mb={4}>
        {where}
      </Title>
      {error === null ? (
        <SpecText spec={metadata === null ? spec : { metadata, spec }} label={`Run of ${where}`} />
      ) : (
        <Alert color="red" variant="outline" bg="var(--gh-surface)" title="The controller would refuse it">
          <HostileText text={error} />
        </Alert>
      )}
    </div>
  ));
}

function RolloutChoice({ value, onChange }: { value: string | null; onChange: (id: string | null) => void }) {
  const [typed, setTyped] = useState("");
  const [q] = useDebouncedValue(typed.trim(), 200);
  const rollouts = useRollouts({ q });
  const ids = (rollouts.items ?? []).map(({ id }) => id);
  const all = value === null || ids.includes(value) ? ids : [value, ...ids];
  return (
    <Select
      label="Rollout"
      size="xs"
      searchable
      clearable
      placeholder="A rollout by name or namespace"
      value={value}
      data={all.map((id) => ({ value: id, label: labelOf(id) }))}
      onSearchChange={setTyped}
      // The server searches.
      filter={({ options }) => options}
      nothingFoundMessage="Nothing found"
      limit={50}
      onChange={onChange}
    />
  );
}

function labelOf(id: string): string {
  const [cluster = "", namespace = "", , name = ""] = id.split("/");
  return `${namespace}/${name} (${cluster})`;
}
