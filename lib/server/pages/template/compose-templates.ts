import type { ComposeAnswer, ComposeRequest } from "#lib/contract/analysis-engine.ts";
import { analysisEngine } from "#lib/domain/providers.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import type { Call } from "#lib/server/process/service-context.ts";

type Template = ComposeRequest["templates"][number];
type Arg = NonNullable<ComposeRequest["args"]>[number];

/**
 * Returns the spec of the run that the controller would make of these templates; throws upstream's error if it would
 * refuse.
 */
export async function composeTemplates({ input }: Call<ComposeRequest>): Promise<ComposeAnswer> {
  const { templates, clusterTemplates } = findAll(input.templates, input.clusterTemplates ?? []);
  const args = resolveArgs(input.args ?? [], input.rollout);
  const {
    metrics,
    args: given = [],
    dryRun = [],
    measurementRetention = [],
  } = unwrap(analysisEngine.composeRun({ templates, clusterTemplates, args }));
  return {
    spec: {
      metrics: [...metrics],
      args: [...given],
      dryRun: [...dryRun],
      measurementRetention: [...measurementRetention],
    },
  };
}

function unwrap<T>(outcome: { readonly value: T } | { readonly error: string }): T {
  if ("error" in outcome) throw new ServiceError("invalid_request", outcome.error);
  return outcome.value;
}

/** Follows references from template to template, if there are any. */
function findAll(templates: Template[], clusterTemplates: Template[]) {
  if (![...templates, ...clusterTemplates].some((template) => (template.templates ?? []).length > 0))
    return { templates, clusterTemplates };
  const known = {
    templates: templates.map((template, index) => named(template, `templates.${index}`)),
    clusterTemplates: clusterTemplates.map((template, index) => named(template, `clusterTemplates.${index}`)),
  };
  const refs = [
    ...known.templates.map(({ name }) => ({ templateName: name })),
    ...known.clusterTemplates.map(({ name }) => ({ templateName: name, clusterScope: true })),
  ];
  const found = unwrap(analysisEngine.expandTemplates(refs, known));
  return {
    templates: found.templates.map(({ spec }) => spec),
    clusterTemplates: found.clusterTemplates.map(({ spec }) => spec),
  };
}

function named({ name, ...spec }: Template, at: string): { name: string; spec: Omit<Template, "name"> } {
  if (name === undefined) throw invalid(`${at}.name`, "required if templates refer to each other");
  return { name, spec };
}

/** Resolves the arguments that refer to the Rollout; secrets stay references. */
function resolveArgs(args: Arg[], rollout: ComposeRequest["rollout"]): Arg[] {
  return args.map((arg, index) => {
    const { podTemplateHashValue, fieldRef } = arg.valueFrom ?? {};
    if (podTemplateHashValue === undefined && fieldRef === undefined) return arg;
    if (rollout === undefined) throw invalid(`args.${index}.valueFrom`, "requires the rollout");
    const valueFrom = { podTemplateHashValue, fieldRef: fieldRef && { fieldPath: fieldRef.fieldPath ?? "" } };
    const stablePodHash = statusText(rollout, "stableRS");
    const latestPodHash = statusText(rollout, "currentPodHash");
    const built = unwrap(
      analysisEngine.buildRolloutArgs({ args: [{ ...arg, valueFrom }], rollout, stablePodHash, latestPodHash }),
    );
    return { name: arg.name, value: built[0]?.value ?? "" };
  });
}

function statusText({ status }: Record<string, unknown>, field: string): string {
  const text = typeof status === "object" && status !== null ? Reflect.get(status, field) : undefined;
  return typeof text === "string" ? text : "";
}

function invalid(name: string, reason: string): ServiceError {
  return new ServiceError("invalid_request", `${name}: ${reason}`, { invalidParams: [{ name, reason }] });
}
