import { z } from "zod";
import { effectiveCount } from "#lib/domain/argo/analysis/int-or-string.ts";
import {
  composeRun,
  expandTemplates,
  type NamedTemplate,
  type TemplateSpec,
} from "#lib/domain/argo/analysis/merge-templates.ts";
import { prepareRun } from "#lib/domain/argo/analysis/reconcile-run.ts";
import { createMetricResolver, resolveAllMetricArgs } from "#lib/domain/argo/analysis/resolve-metric-args.ts";
import { buildRolloutArgs, type RolloutAnalysisArgument } from "#lib/domain/argo/analysis/rollout-args.ts";
import type { AnalysisRunSpec, Argument, MetricSpec, Outcome } from "#lib/domain/argo/analysis/types.ts";
import type { Preview, PreviewedRun, PreviewInput } from "#lib/domain/delivery/template-lab.ts";
import { cutText } from "#lib/util/text.ts";
import { formatList } from "#lib/util/words.ts";

const Analysis = z.looseObject({
  templates: z.array(z.looseObject({ templateName: z.string(), clusterScope: z.boolean().optional() })).optional(),
  args: z.array(z.unknown()).optional(),
  dryRun: z.array(z.looseObject({ metricName: z.string() })).optional(),
  measurementRetention: z.array(z.looseObject({ metricName: z.string(), limit: z.number().optional() })).optional(),
  analysisRunMetadata: z
    .looseObject({
      labels: z.record(z.string(), z.string()).optional(),
      annotations: z.record(z.string(), z.string()).optional(),
    })
    .optional(),
});
type Analysis = z.infer<typeof Analysis>;

const Rollout = z.looseObject({
  spec: z.looseObject({
    strategy: z.looseObject({
      canary: z
        .looseObject({
          analysis: Analysis.optional(),
          steps: z.array(z.looseObject({ analysis: Analysis.optional() })).optional(),
        })
        .optional(),
      blueGreen: z
        .looseObject({ prePromotionAnalysis: Analysis.optional(), postPromotionAnalysis: Analysis.optional() })
        .optional(),
    }),
  }),
  status: z.looseObject({ stableRS: z.string().optional(), currentPodHash: z.string().optional() }).optional(),
});

const most = { runs: 50, characters: 1_000_000, namedPlaces: 10, errorLength: 1000 };

type Composed = Omit<PreviewedRun, "where">;

/**
 * Composes the analyses of a Rollout that lead to the edited template, as the controller would. A rollout may have
 * hundreds of equal steps: each analysis is composed once, and none beyond the limits of `Preview`.
 */
export function previewRuns({ rollout, edited, templates }: PreviewInput): Preview {
  const parsed = Rollout.safeParse(rollout);
  if (!parsed.success) return { runs: [], more: 0 };
  const own: NamedTemplate = { name: edited.name, spec: edited.spec as TemplateSpec };
  const isOwn = ({ kind, name }: { kind: string; name: string }) => kind === edited.kind && name === edited.name;
  const others = templates.filter((template) => !isOwn(template));
  const known = {
    templates: namedOf(others, "AnalysisTemplate", edited.kind === "AnalysisTemplate" ? own : undefined),
    clusterTemplates: namedOf(
      others,
      "ClusterAnalysisTemplate",
      edited.kind === "ClusterAnalysisTemplate" ? own : undefined,
    ),
  };

  /** Returns undefined if the analysis does not lead to the template. */
  function composeOne({ where, analysis }: Place): Composed | undefined {
    const refs = (analysis.templates ?? []).map(({ templateName, clusterScope = false }) => ({
      templateName,
      clusterScope,
    }));
    const found = expandTemplates(refs, known);
    const namesOwn = refs.some(
      ({ templateName, clusterScope }) =>
        templateName === edited.name && clusterScope === (edited.kind === "ClusterAnalysisTemplate"),
    );
    if ("error" in found) return namesOwn ? refused(found.error) : undefined;
    const all = [...found.value.templates, ...found.value.clusterTemplates];
    if (!all.includes(own)) return undefined;
    const rollout = (parsed as { data: z.infer<typeof Rollout> }).data;
    const composed = compose(found.value, { where, analysis }, rollout);
    if ("error" in composed) return refused(composed.error);
    const metadata = analysis.analysisRunMetadata;
    return { spec: composed.value, error: undefined, ...(metadata === undefined ? {} : { metadata }) };
  }

  return collect(analysesOf(parsed.data), composeOne);
}

function refused(error: string): Composed {
  return { spec: undefined, error: cutText(error, most.errorLength) };
}

type Place = { readonly where: string; readonly analysis: Analysis };

/** Composes equal analyses once, and joins the places whose runs are equal. */
function collect(analyses: readonly Place[], composeOne: (place: Place) => Composed | undefined): Preview {
  const byAnalysis = Map.groupBy(
    analyses,
    ({ where, analysis }) => `${where === background} ${JSON.stringify(analysis)}`,
  );
  const byRun = new Map<string, Composed & { places: string[] }>();
  let characters = 0;
  let more = 0;
  for (const equal of byAnalysis.values()) {
    const [first] = equal;
    const isFull = byRun.size >= most.runs || characters >= most.characters;
    const run = first === undefined || isFull ? undefined : composeOne(first);
    if (isFull) more += equal.length;
    if (run === undefined) continue;
    const key = JSON.stringify(run);
    const places = equal.map(({ where }) => where);
    const known = byRun.get(key);
    if (known !== undefined) known.places.push(...places);
    else if (characters + key.length > most.characters) more += places.length;
    else {
      characters += key.length;
      byRun.set(key, { ...run, places });
    }
  }
  return { runs: [...byRun.values()].map(({ places, ...run }) => ({ where: namePlaces(places), ...run })), more };
}

function namePlaces(places: readonly string[]): string {
  const { namedPlaces } = most;
  if (places.length <= namedPlaces) return formatList(places);
  return formatList([...places.slice(0, namedPlaces - 1), `${places.length - namedPlaces + 1} more`]);
}

function namedOf(templates: PreviewInput["templates"], kind: string, own: NamedTemplate | undefined): NamedTemplate[] {
  const named = templates.flatMap((template) =>
    // Stored specs were accepted by the API server.
    template.kind === kind ? [{ name: template.name, spec: template.spec as TemplateSpec }] : [],
  );
  return own === undefined ? named : [own, ...named];
}

const background = "background";

function analysesOf({ spec: { strategy } }: z.infer<typeof Rollout>): Place[] {
  const { canary, blueGreen } = strategy;
  const named = [
    { where: background, analysis: canary?.analysis },
    ...(canary?.steps ?? []).map(({ analysis }, index) => ({ where: `step ${index + 1}`, analysis })),
    { where: "before promotion", analysis: blueGreen?.prePromotionAnalysis },
    { where: "after promotion", analysis: blueGreen?.postPromotionAnalysis },
  ];
  return named.flatMap(({ where, analysis }) => (analysis === undefined ? [] : [{ where, analysis }]));
}

function compose(
  found: { readonly templates: readonly NamedTemplate[]; readonly clusterTemplates: readonly NamedTemplate[] },
  { where, analysis }: Place,
  rollout: z.infer<typeof Rollout>,
): Outcome<AnalysisRunSpec> {
  const { stableRS: stablePodHash = "", currentPodHash: latestPodHash = "" } = rollout.status ?? {};
  // The API server accepted the arguments.
  const given = (analysis.args ?? []) as readonly RolloutAnalysisArgument[];
  const args = buildRolloutArgs({ args: given, rollout, stablePodHash, latestPodHash });
  if ("error" in args) return args;
  const composed = composeRun({
    templates: found.templates.map(({ spec }) => spec),
    clusterTemplates: found.clusterTemplates.map(({ spec }) => spec),
    args: args.value,
    dryRun: analysis.dryRun,
    measurementRetention: analysis.measurementRetention,
  });
  if ("error" in composed) return composed;
  const invalid = findInvalidAnalysis(found, where === background);
  if (invalid !== undefined) return { error: `InvalidSpec: ${invalid}` };
  // What the controller refuses only when it reconciles the run.
  const prepared = prepareRun(composed.value);
  return "error" in prepared ? { error: prepared.error } : composed;
}

type Templates = { readonly templates: readonly NamedTemplate[]; readonly clusterTemplates: readonly NamedTemplate[] };

/**
 * Returns why a Rollout with this analysis becomes InvalidSpec, in upstream's words; undefined if it does not. Each
 * template is resolved with its own arguments: those that the Rollout gives do not count. Only a background analysis
 * may measure without end. Mirrors argo-rollouts pkg/apis/rollouts/validation/validation_references.go
 * `ValidateAnalysisTemplateWithType`, which is called once the templates were merged.
 */
function findInvalidAnalysis(found: Templates, isBackground: boolean): string | undefined {
  if (isBackground) return undefined;
  for (const { name, spec } of [...found.templates, ...found.clusterTemplates]) {
    const resolved = resolveAlone(spec.metrics ?? [], spec.args ?? []);
    if ("error" in resolved) return `AnalysisTemplate ${name}: ${resolved.error}`;
    const endless = resolved.value.find((metric) => effectiveCount(metric) === undefined);
    if (endless === undefined) continue;
    const count = `Invalid value for count: ${endless.count ?? "<nil>"}`;
    return `AnalysisTemplate ${name} has metric ${endless.name} which runs indefinitely. ${count}`;
  }
  return undefined;
}

function resolveAlone(metrics: readonly MetricSpec[], args: readonly Argument[]): Outcome<readonly MetricSpec[]> {
  const both = args.find(({ value, valueFrom }) => value !== undefined && valueFrom !== undefined);
  if (both !== undefined) return { error: `arg '${both.name}' has both Value and ValueFrom fields` };
  return resolveAllMetricArgs(
    metrics,
    createMetricResolver(args.map(({ name, value }) => ({ name, value: value ?? "dummy-value" }))),
  );
}
