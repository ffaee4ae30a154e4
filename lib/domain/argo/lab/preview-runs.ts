import { z } from "zod";
import { composeRun } from "#lib/domain/argo/analysis/compose-run.ts";
import { expandTemplates, type NamedTemplate, type TemplateSpec } from "#lib/domain/argo/analysis/merge-templates.ts";
import type { Outcome } from "#lib/domain/argo/analysis/outcome.ts";
import { prepareRun } from "#lib/domain/argo/analysis/reconcile-run.ts";
import { buildRolloutArgs, type RolloutAnalysisArgument } from "#lib/domain/argo/analysis/rollout-args.ts";
import type { AnalysisRunSpec } from "#lib/domain/argo/analysis/types.ts";
import type { PreviewedRun, PreviewInput } from "#lib/domain/delivery/template-lab.ts";

const Analysis = z.looseObject({
  templates: z.array(z.looseObject({ templateName: z.string(), clusterScope: z.boolean().optional() })).optional(),
  args: z.array(z.unknown()).optional(),
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

/** Composes each analysis of a Rollout that leads to the edited template, as the controller would. */
export function previewRuns({ rollout, edited, templates }: PreviewInput): PreviewedRun[] {
  const parsed = Rollout.safeParse(rollout);
  if (!parsed.success) return [];
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
  return analysesOf(parsed.data).flatMap(({ where, analysis }) => {
    const refs = (analysis.templates ?? []).map(({ templateName, clusterScope = false }) => ({
      templateName,
      clusterScope,
    }));
    const found = expandTemplates(refs, known);
    const namesOwn = refs.some(
      ({ templateName, clusterScope }) =>
        templateName === edited.name && clusterScope === (edited.kind === "ClusterAnalysisTemplate"),
    );
    if ("error" in found) return namesOwn ? [{ where, spec: undefined, error: found.error }] : [];
    const all = [...found.value.templates, ...found.value.clusterTemplates];
    if (!all.includes(own)) return [];
    const composed = compose(found.value, analysis, parsed.data);
    return [
      "error" in composed
        ? { where, spec: undefined, error: composed.error }
        : { where, spec: composed.value, error: undefined },
    ];
  });
}

function namedOf(templates: PreviewInput["templates"], kind: string, own: NamedTemplate | undefined): NamedTemplate[] {
  const named = templates.flatMap((template) =>
    // Stored specs were accepted by the API server.
    template.kind === kind ? [{ name: template.name, spec: template.spec as TemplateSpec }] : [],
  );
  return own === undefined ? named : [own, ...named];
}

function analysesOf({ spec: { strategy } }: z.infer<typeof Rollout>): { where: string; analysis: Analysis }[] {
  const { canary, blueGreen } = strategy;
  const named = [
    { where: "background", analysis: canary?.analysis },
    ...(canary?.steps ?? []).map(({ analysis }, index) => ({ where: `step ${index + 1}`, analysis })),
    { where: "before promotion", analysis: blueGreen?.prePromotionAnalysis },
    { where: "after promotion", analysis: blueGreen?.postPromotionAnalysis },
  ];
  return named.flatMap(({ where, analysis }) => (analysis === undefined ? [] : [{ where, analysis }]));
}

function compose(
  found: { readonly templates: readonly NamedTemplate[]; readonly clusterTemplates: readonly NamedTemplate[] },
  analysis: Analysis,
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
  });
  if ("error" in composed) return composed;
  // What the controller refuses only when it reconciles the run.
  const prepared = prepareRun(composed.value);
  return "error" in prepared ? { error: prepared.error } : composed;
}
