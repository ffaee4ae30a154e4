import type { LintAnswer, LintRequest } from "#lib/contract/analysis-engine.ts";
import { type ObjectRef, parseObjectRef } from "#lib/domain/delivery/object-ref.ts";
import type { WrittenTemplate } from "#lib/domain/delivery/template-lab.ts";
import { labKind, measuringProviderOf, rolloutKindOf } from "#lib/domain/providers.ts";
import { readControllerVersion } from "#lib/server/clusters/sources/read-related-state.ts";
import { evaluateFor } from "#lib/server/pages/template/evaluate.ts";
import { isReadableTemplate } from "#lib/server/pages/template/template-row.ts";
import { isAddress } from "#lib/server/people/permission/find-wait.ts";
import { isReadable } from "#lib/server/people/permission/read-scope.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { allOf } from "#lib/server/platform/db/conditions.ts";
import { readRow, readRows } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { Call, ServiceContext } from "#lib/server/process/service-context.ts";
import { rolloutPlace } from "#lib/server/records/rollout-row.ts";

/**
 * Lints the text of a template, and previews the runs that a rollout would create with it. Throws `not_found` for a
 * rollout that was not recorded or may not be read.
 */
export async function lintTemplate({ ctx, input }: Call<LintRequest>): Promise<LintAnswer> {
  const found = input.rollout === undefined ? undefined : await findRollout(ctx, input.rollout);
  const controllerVersion =
    found === undefined
      ? undefined
      : await readControllerVersion(ctx.runtime.pool, { cluster: found.place.cluster, kind: rolloutKindOf(labKind) });
  const linted = await evaluateFor(ctx, "lintTemplate", { kind: labKind, source: input.source, controllerVersion });
  const { problems, moreProblems, template } = linted;
  const preview =
    template === undefined || found === undefined
      ? { runs: null, moreRuns: 0 }
      : await previewRuns(ctx, found, template);
  const metrics = template === undefined ? null : listMetrics(template);
  return { problems: [...problems], moreProblems, metrics, ...preview };
}

function listMetrics(template: WrittenTemplate): LintAnswer["metrics"] {
  const { metrics } = measuringProviderOf(labKind).explaining.readTemplate(template.spec);
  return [...metrics.values()].map(({ name, provider, successCondition, failureCondition }) => {
    return { name, provider, successCondition, failureCondition };
  });
}

type FoundRollout = { readonly place: ObjectRef; readonly rollout: unknown };

async function findRollout(ctx: ServiceContext, id: string): Promise<FoundRollout> {
  const place = parseObjectRef(id);
  if (place === undefined) {
    const reason = "must be cluster/namespace/Kind/name";
    throw new ServiceError("invalid_request", `rollout: ${reason}`, { invalidParams: [{ name: "rollout", reason }] });
  }
  return { place, rollout: await readRollout(ctx, place) };
}

async function previewRuns(ctx: ServiceContext, { place, rollout }: FoundRollout, edited: WrittenTemplate) {
  const templates = await readTemplates(ctx, place);
  const { runs, more } = await evaluateFor(ctx, "previewRuns", { kind: labKind, rollout, edited, templates });
  return {
    runs: runs.map(({ where, spec, metadata, error }) => ({
      where,
      spec: spec ?? null,
      metadata:
        metadata === undefined ? null : { labels: { ...metadata.labels }, annotations: { ...metadata.annotations } },
      error: error ?? null,
    })),
    moreRuns: more,
  };
}

async function readRollout({ runtime, actor }: ServiceContext, place: ObjectRef): Promise<unknown> {
  const row = await readRow(
    runtime.pool,
    tables
      .selectFrom("rollout as r")
      .select("r.object")
      .where(allOf([isAddress(place), isReadable(actor.rights, rolloutPlace)]))
      .orderBy((eb) => eb("r.presence", "=", "deleted"))
      .orderBy("r.updated_at", "desc")
      .limit(1),
  );
  if (row === undefined)
    throw new ServiceError(
      "not_found",
      `There is no ${place.kind} ${place.namespace}/${place.name} in ${place.cluster}.`,
    );
  return row.object;
}

/** Reads the current specs of the templates that a rollout in this place can name. */
async function readTemplates({ runtime, actor }: ServiceContext, { cluster, namespace }: ObjectRef) {
  return readRows(
    runtime.pool,
    tables
      .selectFrom("analysis_template as t")
      .innerJoin("analysis_template_version as v", (join) =>
        join.onRef("v.template_uid", "=", "t.uid").onRef("v.version", "=", "t.version"),
      )
      .select(["t.kind", "t.name", "v.spec"])
      .where((eb) =>
        allOf([
          eb("t.cluster", "=", cluster),
          eb("t.presence", "=", "live"),
          eb.or([eb("t.namespace", "=", ""), eb("t.namespace", "=", namespace)]),
          isReadableTemplate(actor.rights),
        ]),
      )
      .limit(500),
  );
}
