"use client";

import { Alert, Select, Stack, Text, Title } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useRef, useState } from "react";
import classes from "#components/templates/lab.module.css";
import { LabPlayground } from "#components/templates/lab-playground.tsx";
import { YamlEditor, type YamlEditorHandle } from "#components/templates/yaml-editor.tsx";
import { formatSpec } from "#components/ui/format-spec.ts";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { IconAlertTriangle, IconCircleCheck, IconCircleX } from "#components/ui/icons.tsx";
import { ErrorNotice } from "#components/ui/query-view.tsx";
import { Section } from "#components/ui/section.tsx";
import { SpecText } from "#components/ui/spec-diff.tsx";
import { useRollouts } from "#lib/client/rollout-queries.ts";
import { useLint } from "#lib/client/template-lab-queries.ts";
import type { LintAnswer, TemplateProblem } from "#lib/contract/analysis-engine.ts";
import type { TemplateDetail } from "#lib/contract/template.ts";

const example = `kind: AnalysisTemplate
metadata:
  name: success-rate
spec:
  args:
    - name: service
  metrics:
    - name: success-rate
      interval: 30s
      count: 10
      failureLimit: 2
      successCondition: result[0] >= 0.95
      provider:
        prometheus:
          address: http://prometheus:9090
          query: sum(rate(requests_total{service="{{args.service}}",code!~"5.."}[1m]))
`;

type LabProps = {
  /** Null: an example. */
  template: TemplateDetail | null;
  rollout: string | null;
  onRollout: (id: string | null) => void;
};

/** Shows the editor, with the problems, preview and playground of its text. */
export function Lab({ template, rollout, onRollout }: LabProps) {
  const editor = useRef<YamlEditorHandle>(null);
  const [initial] = useState(() => (template === null ? example : formatTemplate(template)));
  const [source, setSource] = useState(initial);
  const [applied] = useDebouncedValue(source, 350);
  const lint = useLint({ source: applied, ...(rollout === null ? {} : { rollout }) });
  const problems = lint.data?.source === source ? lint.data.problems : noProblems;
  const metrics = lint.data?.metrics ?? null;
  return (
    <div className={classes.lab}>
      <div className={classes.left}>
        <YamlEditor ref={editor} initial={initial} label="Template (YAML)" problems={problems} onChange={setSource} />
        {lint.error === null ? (
          lint.data !== undefined && (
            <LabProblems
              problems={lint.data.problems}
              more={lint.data.moreProblems}
              onGoTo={(position) => editor.current?.goTo(position)}
            />
          )
        ) : (
          <ErrorNotice error={lint.error} what="The problems" onRetry={() => void lint.refetch()} />
        )}
      </div>
      <div className={classes.right}>
        <LabPreview
          rollout={rollout}
          onRollout={onRollout}
          runs={lint.data?.runs ?? null}
          moreRuns={lint.data?.moreRuns ?? 0}
          isReadable={metrics !== null}
        />
        {metrics !== null && <LabPlayground metrics={metrics} source={sourceOf(template?.id ?? null, rollout)} />}
      </div>
    </div>
  );
}

const noProblems: readonly TemplateProblem[] = [];

function sourceOf(template: string | null, rollout: string | null): { template?: string; rollout?: string } {
  if (rollout !== null) return { rollout };
  return template === null ? {} : { template };
}

function formatTemplate({ kind, name, spec }: TemplateDetail): string {
  const head = `kind: ${kind}\nmetadata:\n  name: ${name}\n`;
  return `${head}${formatSpec({ spec })}\n`;
}

type LabProblemsProps = {
  problems: readonly TemplateProblem[];
  more: number;
  onGoTo: (position: TemplateProblem["from"]) => void;
};

/** Lists the problems in the order of the text; each leads to its place. */
function LabProblems({ problems, more, onGoTo }: LabProblemsProps) {
  if (problems.length === 0) {
    return (
      <Text size="sm" role="status" className={classes.problemLine}>
        <IconCircleCheck size={16} aria-hidden="true" color="var(--gh-green-mark)" /> No problems found.
      </Text>
    );
  }
  return (
    <ul className={classes.problems} aria-label="Problems">
      {problems.map(({ severity, text, from }) => (
        <li key={`${from.line}:${from.column} ${text}`}>
          <button type="button" className={classes.problem} onClick={() => onGoTo(from)}>
            {severity === "error" ? (
              <IconCircleX size={16} aria-hidden="true" color="var(--gh-red-mark)" />
            ) : (
              <IconAlertTriangle size={16} aria-hidden="true" color="var(--gh-amber-mark)" />
            )}
            <span>
              <Text span size="xs" c="dimmed">
                {severity === "error" ? "Error" : "Warning"}, line {from.line}:{" "}
              </Text>
              <HostileText text={text} />
            </span>
          </button>
        </li>
      ))}
      {more > 0 && (
        <Text component="li" size="xs" c="dimmed">
          and {more} more
        </Text>
      )}
    </ul>
  );
}

type LabPreviewProps = {
  rollout: string | null;
  onRollout: (id: string | null) => void;
  runs: LintAnswer["runs"];
  moreRuns: number;
  isReadable: boolean;
};

/** Shows the runs that a chosen rollout would create with the edited template. */
function LabPreview({ rollout, onRollout, runs, moreRuns, isReadable }: LabPreviewProps) {
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
        No analysis of this rollout uses the template. Its kind and metadata.name must match those in the rollout.
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
