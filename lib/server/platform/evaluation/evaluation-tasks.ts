import type { FaultyField, Proposal } from "#lib/domain/delivery/backtest.ts";
import type { DescribedRun, StoredMeasurements, StoredRun } from "#lib/domain/delivery/explaining.ts";
import type { ReportedMessage, ReportedRelease, ReportedRun } from "#lib/domain/delivery/reporting.ts";
import type { LintedTemplate, Preview, PreviewInput } from "#lib/domain/delivery/template-lab.ts";
import type { RecordedMeasurement, RecordedRun, VerdictCheck } from "#lib/domain/delivery/verdict-check.ts";
import { judgeEventLines, judgeEventList } from "#lib/domain/kube-audit/judge-event-list.ts";
import { analysisEngine, findProvider, measuringProviderOf } from "#lib/domain/providers.ts";
import { redactWithSecrets } from "#lib/domain/storable/redact-object.ts";
import { replayBatch } from "./replay-batch.ts";

/** The tasks that a worker accepts. Each is a pure function whose arguments and result can be sent between threads. */
export const evaluationTasks = {
  evaluate: analysisEngine.evaluate,
  assess: analysisEngine.assessRun,
  explain: ({ kind, ...stored }: OfKind<StoredMeasurements>): readonly (string | undefined)[] =>
    measuringProviderOf(kind).explaining.explainMeasurements(stored),
  describe: ({ kind, ...run }: OfKind<StoredRun>): DescribedRun =>
    measuringProviderOf(kind).explaining.describeRun(run),
  replay: (run: RecordedRun, parts: readonly MeasurementPart[] = []): VerdictCheck => {
    const measurements = Map.groupBy(parts, ({ metric }) => metric);
    return measuringProviderOf(run.kind).checkVerdict({
      ...run,
      metrics: run.metrics.map((metric) => {
        const own = (measurements.get(metric.name) ?? []).flatMap((part) => part.measurements);
        return { ...metric, measurements: [...metric.measurements, ...own] };
      }),
    });
  },
  findFaults: ({ kind, proposal }: OfKind<{ readonly proposal: Proposal }>): FaultyField[] =>
    measuringProviderOf(kind).backtesting?.findFaults(proposal) ?? [],
  backtest: replayBatch,
  lintTemplate: ({
    kind,
    source,
    controllerVersion,
  }: OfKind<{ readonly source: string; readonly controllerVersion?: string | undefined }>): LintedTemplate =>
    measuringProviderOf(kind).templateLab?.lintTemplate(source, controllerVersion) ?? {
      problems: [],
      moreProblems: 0,
      template: undefined,
    },
  judgeEventList,
  judgeEventLines,
  deriveRun: (
    { kind, ...reported }: OfKind<Omit<ReportedRelease, "messages">>,
    parts: readonly (readonly ReportedMessage[])[] = [],
  ): ReportedRun | undefined => findProvider(kind)?.reporting?.deriveRun({ ...reported, messages: parts.flat() }),
  previewRuns: ({ kind, ...input }: OfKind<PreviewInput>): Preview =>
    measuringProviderOf(kind).templateLab?.previewRuns(input) ?? { runs: [], more: 0 },
  redact: (text: string): { text: string; secrets: readonly string[] } => {
    const { value, secrets } = redactWithSecrets(JSON.parse(text));
    return { text: JSON.stringify(value), secrets };
  },
} as const satisfies Record<string, (input: never, parts?: never) => unknown>;

/** The run's `kind` names the provider. */
type OfKind<Input> = Input & { readonly kind: string };

export type EvaluationTasks = typeof evaluationTasks;

/** Some measurements of a recorded run, sent to the worker before the run, a few at a time. */
export type MeasurementPart = { readonly metric: string; readonly measurements: readonly RecordedMeasurement[] };
