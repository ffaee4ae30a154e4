import type { BacktestingProvider } from "#lib/domain/delivery/backtest.ts";
import type {
  DescribedExperiment,
  MeasuredExperiment,
  MeasuredMetric,
  MeasuredRun,
  MeasuringProvider,
  RunTemplate,
} from "#lib/domain/delivery/measuring.ts";
import type { TemplateLabProvider } from "#lib/domain/delivery/template-lab.ts";
import type { RecordedRun, VerdictCheck } from "#lib/domain/delivery/verdict-check.ts";
import { type FieldHolder, findFieldHolders } from "#lib/domain/kube/find-field-holders.ts";
import { controllerOf, type ObjectMeta, type Parsed } from "#lib/domain/kube/kube-object.ts";
import { podHashLabel } from "#lib/domain/kube/watched-kind.ts";
import { storableTime } from "#lib/domain/storable/escape-text.ts";
import { knownLanguageOf } from "./analysis/controller-language.ts";
import { findHarmless } from "./analysis/find-harmless.ts";
import { parseMeasurementValue } from "./analysis/measurement-value.ts";
import { isCompleted } from "./analysis/phase.ts";
import { readableMetrics } from "./analysis/resolve-metric-args.ts";
import type { AnalysisRunSpec } from "./analysis/types.ts";
import { checkVerdict } from "./analysis/verdict-check.ts";
import { prepareReplay } from "./backtest/prepare-replay.ts";
import { findFaults } from "./backtest/propose-metric.ts";
import { argoExplaining } from "./explaining.ts";
import { judgeTermination } from "./history/judge-termination.ts";
import { lintTemplate } from "./lab/lint-template.ts";
import { previewRuns } from "./lab/preview-runs.ts";
import { type AnalysisRunObject, parseAnalysisRun, parseRunSpec, runTypeOf } from "./objects/analysis-run-object.ts";
import type { MetricResultObject } from "./objects/analysis-run-parts.ts";
import { type ExperimentObject, experimentEndOf, parseExperiment } from "./objects/experiment-object.ts";
import { revisionOf } from "./objects/rollout-object.ts";
import { collectTemplateRefs, parseTemplate, type TemplateObject } from "./objects/template-object.ts";
import { controllerManager, nameWriter } from "./recognise-controller.ts";

const argoTemplateLab: TemplateLabProvider = { lintTemplate, previewRuns };

const argoBacktesting: BacktestingProvider = { findFaults, prepareReplay };

export const argoMeasuring: MeasuringProvider = {
  kinds: ["AnalysisRun", "Experiment", "AnalysisTemplate", "ClusterAnalysisTemplate"],
  parseRun: (object) => converted(parseAnalysisRun(object), (run) => toMeasuredRun(run, object)),
  parseExperiment: (object) => converted(parseExperiment(object), toMeasuredExperiment),
  parseTemplate: (object) => converted(parseTemplate(object), toRunTemplate),
  parseValue: parseMeasurementValue,
  judgeTermination,
  readRules: parseRunSpec,
  checkVerdict: checkRecordedVerdict,
  // The rules were made by `readRules`.
  findHarmless: (rules) => findHarmless(rules as AnalysisRunSpec),
  explaining: argoExplaining,
  backtesting: argoBacktesting,
  templateLab: argoTemplateLab,
};

function converted<Own, Value>(parsed: Parsed<Own>, convert: (own: Own) => Value): Parsed<Value> {
  return parsed.ok ? { ok: true, value: convert(parsed.value) } : parsed;
}

function toMeasuredRun(run: AnalysisRunObject, received: unknown): MeasuredRun {
  const { metadata, spec, status } = run;
  const stepIndex = metadata.labels["step-index"];
  return {
    ...describeMeasured(run),
    type: runTypeOf(run),
    stepIndex: stepIndex !== undefined && /^\d{1,6}$/.test(stepIndex) ? Number(stepIndex) : undefined,
    startedAt: status?.startedAt,
    readCompletedAt: () => readCompletedAt(run),
    // Parsing adds and drops fields.
    rules: (received as { spec: unknown }).spec,
    results: status?.metricResults ?? [],
    listMetrics: () => listMetrics(spec, status?.metricResults ?? []),
    summary: status?.runSummary,
    dryRunSummary: status?.dryRunSummary,
  };
}

function toMeasuredExperiment(experiment: ExperimentObject): MeasuredExperiment {
  return {
    ...describeMeasured(experiment),
    availableAt: experiment.status?.availableAt,
    completedAt: experimentEndOf(experiment),
    describe: () => describeExperiment(experiment),
  };
}

function toRunTemplate({ metadata, spec }: TemplateObject): RunTemplate {
  return {
    metadata,
    spec,
    listTemplateRefs: () => collectTemplateRefs(spec),
  };
}

function describeMeasured({ kind, metadata, spec, status }: AnalysisRunObject | ExperimentObject) {
  return {
    uid: metadata.uid,
    name: metadata.name,
    namespace: metadata.namespace ?? "",
    owner: controllerOf(metadata) ?? (kind === "AnalysisRun" ? labelledOwner(metadata) : undefined),
    revision: revisionOf(metadata),
    podHash: metadata.labels[podHashLabel],
    phase: status?.phase || "Pending",
    message: status?.message ?? "",
    createdAt: metadata.creationTimestamp,
    isTerminated: spec.terminate,
    findEnders: (managers: readonly string[]) => findEnders(metadata, { kind, managers }),
  };
}

/** Kargo names the Stage that a run verifies by a label (api/v1alpha1/labels.go), and sets no owner. */
function labelledOwner({ labels }: ObjectMeta) {
  const name = labels["kargo.akuity.io/stage"];
  return name === undefined || name === "" ? undefined : { kind: "Stage", name, uid: "", controller: undefined };
}

function findEnders(
  { managedFields }: ObjectMeta,
  { kind, managers }: { kind: "AnalysisRun" | "Experiment"; managers: readonly string[] },
): FieldHolder[] | undefined {
  const holders = findFieldHolders(managedFields, ["spec", "terminate"]).map(({ manager, at }) => ({
    manager: nameWriter(manager, { kind, managedFields, managers }),
    at,
  }));
  return holders.some(({ manager }) => manager === controllerManager) ? undefined : holders;
}

/** Reads completedAt. Controllers before 1.7 do not write it: then the end of the last measurement is taken. */
function readCompletedAt({ status }: AnalysisRunObject): string | undefined {
  if (status === undefined || !isCompleted(status.phase)) return undefined;
  if (status.completedAt !== undefined) return status.completedAt;
  const ends = (status.metricResults ?? []).flatMap((result) =>
    result.measurements.flatMap((measurement) => storableTime(measurement.finishedAt) ?? []),
  );
  return ends.toSorted().at(-1) ?? status.startedAt;
}

function listMetrics(spec: AnalysisRunObject["spec"], metricResults: readonly MetricResultObject[]): MeasuredMetric[] {
  const results = new Map(metricResults.map((result) => [result.name, result]));
  // A name may come from an argument; the controller writes results by the resolved name.
  const specs = spec.metrics.some(({ name }) => name.includes("{{"))
    ? readableMetrics(spec)
    : new Map(spec.metrics.map((metric) => [metric.name, metric]));
  return [...new Set([...specs.keys(), ...results.keys()])].map((name) => {
    const result = results.get(name);
    const { ResolvedPrometheusQuery, ResolvedNewRelicQuery } = result?.metadata ?? {};
    return {
      name,
      metricProvider: Object.keys(specs.get(name)?.provider ?? {})[0],
      query: ResolvedPrometheusQuery ?? ResolvedNewRelicQuery,
      metadata: result?.metadata,
      result,
    };
  });
}

function checkRecordedVerdict({ rules, phase, message, metrics, controllerVersion }: RecordedRun): VerdictCheck {
  const language = knownLanguageOf(controllerVersion);
  // The return value of this provider's `readRules`.
  const run = { spec: rules as AnalysisRunSpec, phase, message, metrics };
  return checkVerdict(language === undefined ? run : { ...run, language });
}

/** Describes an Experiment: its templates and its analyses, each with its status next to its spec. */
export function describeExperiment(experiment: ExperimentObject): DescribedExperiment {
  const { duration, progressDeadlineSeconds } = experiment.spec;
  return {
    duration,
    progressDeadlineSeconds,
    templates: describeTemplates(experiment),
    analyses: describeAnalyses(experiment),
  };
}

function describeTemplates({ metadata, spec, status }: ExperimentObject): DescribedExperiment["templates"] {
  const byName = new Map((status?.templateStatuses ?? []).map((each) => [each.name, each]));
  return spec.templates.map(({ name, replicas, template }) => {
    const found = byName.get(name);
    return {
      name,
      desired: replicas ?? 1,
      status: found?.status ?? "",
      message: found?.message ?? "",
      replicas: found?.replicas ?? 0,
      ready: found?.readyReplicas ?? 0,
      available: found?.availableReplicas ?? 0,
      images: (template?.spec?.containers ?? []).map(({ image }) => image).filter((image) => image !== ""),
      // newReplicaSetFromTemplate of experiments/replicaset.go, Argo Rollouts 1.8.
      replicaSet: `${metadata.name}-${name}`,
    };
  });
}

function describeAnalyses({ spec, status }: ExperimentObject): DescribedExperiment["analyses"] {
  const byName = new Map((status?.analysisRuns ?? []).map((each) => [each.name, each]));
  return spec.analyses.map((analysis) => {
    const run = byName.get(analysis.name);
    return {
      name: analysis.name,
      template: {
        kind: analysis.clusterScope ? "ClusterAnalysisTemplate" : "AnalysisTemplate",
        name: analysis.templateName,
      },
      required: analysis.requiredForCompletion,
      phase: run?.phase ?? "",
      message: run?.message ?? "",
      run: run?.analysisRun === "" ? undefined : run?.analysisRun,
      measures: findMeasured(analysis.args, spec.templates),
    };
  });
}

/**
 * Finds the template that an analysis measures: the only one that its arguments refer to, as
 * `{{templates.NAME.podTemplateHash}}` or `{{templates.NAME.replicaset.name}}`.
 */
function findMeasured(args: readonly { value: string }[], templates: readonly { name: string }[]): string | undefined {
  const texts = args.map(({ value }) => value.replaceAll(/\s/g, ""));
  const named = templates.filter(({ name }) => texts.some((text) => text.includes(`{{templates.${name}.`)));
  return named.length === 1 ? named[0]?.name : undefined;
}
