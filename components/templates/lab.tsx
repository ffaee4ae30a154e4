"use client";

import { Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconAlertTriangle, IconCircleCheck, IconCircleX } from "@tabler/icons-react";
import { useRef, useState } from "react";
import classes from "#components/templates/lab.module.css";
import { LabPlayground } from "#components/templates/lab-playground.tsx";
import { LabPreview } from "#components/templates/lab-preview.tsx";
import { YamlEditor, type YamlEditorHandle } from "#components/templates/yaml-editor.tsx";
import { formatSpec } from "#components/ui/format-spec.ts";
import { HostileText } from "#components/ui/hostile-text.tsx";
import { ErrorNotice } from "#components/ui/query-view.tsx";
import { useLint } from "#lib/client/template-lab-queries.ts";
import type { TemplateProblem } from "#lib/contract/analysis-engine.ts";
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
