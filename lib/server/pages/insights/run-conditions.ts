import { sql } from "kysely";
import { type ActionName, actionNames, entryOf } from "#lib/domain/acting/action-catalogue.ts";
import { endedPhases } from "#lib/domain/delivery/run-phase.ts";
import type { RunFigure } from "#lib/domain/insights/figures.ts";
import { allOf, type Condition, given, isOneOf } from "#lib/server/platform/db/conditions.ts";
import { secondsAfter } from "#lib/server/platform/db/database-time.ts";
import { fragment } from "#lib/server/platform/db/tables.ts";
import { isUndone } from "./release-conditions.ts";

const eb = fragment<{ a: "analysis_run"; t: "metric" }>();
const { ref, and, exists } = eb;

/** The actions that take a release further although its analysis was Inconclusive. */
const overriding: ActionName[] = actionNames.filter(
  (name) => entryOf(name).takesFurther === true && name !== "measure-again",
);
overriding.push("promote-full");

/** The waits for a person that run `a` caused, with their release. */
export function selectWaitsOfRun() {
  return eb
    .selectFrom("release as l")
    .innerJoin("release_wait as w", "w.release_id", "l.id")
    .whereRef("l.rollout_id", "=", "a.rollout_id")
    .whereRef("l.run_key", "=", "a.pod_hash")
    .whereRef("w.run_name", "=", "a.name");
}

/** The release was continued during wait `w`, through Gatehouse or without it. */
export function endsByOverride(): Condition {
  const inner = fragment<{ l: "release"; w: "release_wait" }>();
  const latest = secondsAfter(inner.ref("w.to_at"), 2);
  const asked = inner
    .selectFrom("action as x")
    .select("x.id")
    .whereRef("x.rollout_id", "=", "l.rollout_id")
    .where("x.state", "=", "effective")
    .where("x.action", "in", overriding)
    .whereRef("x.requested_at", ">=", "w.from_at")
    .where("x.requested_at", "<=", latest);
  const unasked = inner
    .selectFrom("unasked_change as u")
    .select("u.audit_seq")
    .whereRef("u.rollout_id", "=", "l.rollout_id")
    .where("u.action", "in", overriding)
    .whereRef("u.at", ">=", "w.from_at")
    .where("u.at", "<=", latest);
  return inner.or([inner.exists(asked), inner.exists(unasked)]);
}

const ofWait = fragment<{ l: "release"; w: "release_wait" }>();

/** How release `l` ended after it was continued. */
const endOfOverride = ofWait
  .case()
  .when("l.state", "=", "aborted")
  .then(sql.lit("aborted"))
  .when(isUndone)
  .then(sql.lit("undone"))
  .when("l.state", "=", "promoted")
  .then(sql.lit("stayed"))
  .else(sql.lit("other"))
  .end()
  .$castTo<string>();

/** How release `l` ended if it was continued during wait `w`; otherwise null. */
export const overrideOfWait = ofWait.case().when(endsByOverride()).then(endOfOverride).end();

const isEnded = isOneOf(ref("a.phase"), endedPhases);
/** Metric `t` counts: it has a verdict, its run's figures were derived once, and it was not a dry run. */
export const isCountedMetric = and([
  isEnded,
  eb("a.figures_version", "is not", null),
  isOneOf(ref("t.phase"), endedPhases),
  eb("t.dry_run", "=", false),
]);

/** Run `a` has ended, and its figures are still to be derived. */
export const isPendingRun = and([isEnded, eb("a.figures_version", "is", null)]);

const waited = exists(selectWaitsOfRun().select("w.ord"));
const overridden = exists(selectWaitsOfRun().select("w.ord").where(endsByOverride()));
const isInconclusive = eb("t.phase", "=", "Inconclusive");
const overriddenAnd = (end: string) =>
  and([
    isInconclusive,
    exists(
      selectWaitsOfRun()
        .select("w.ord")
        .where((of) => of(overrideOfWait, "=", sql.lit(end))),
    ),
  ]);

/** The condition that metric `t` of run `a` is counted by a figure. */
const runFigureConditions: Readonly<Record<Exclude<RunFigure, "pending">, Condition | undefined>> = {
  measured: undefined,
  successful: eb("t.phase", "=", "Successful"),
  failed: eb("t.phase", "=", "Failed"),
  inconclusive: isInconclusive,
  error: eb("t.phase", "=", "Error"),
  nan: eb("t.nans", ">", 0),
  nanUnknown: eb("t.nans", "is", null),
  margin: eb("t.margin_median", "is not", null),
  waited: and([isInconclusive, waited]),
  overridden: and([isInconclusive, overridden]),
  overrideStayed: overriddenAnd("stayed"),
  overrideUndone: overriddenAnd("undone"),
  overrideAborted: overriddenAnd("aborted"),
  overrideOther: overriddenAnd("other"),
};

/** A template by its id, or `none` for metrics whose template is not known. */
export type TemplateFilter = "none" | { cluster: string; namespace: string; kind: string; name: string };

/** Returns the condition that metric `t` is from the template. */
export function isFromTemplate(template: TemplateFilter): Condition {
  if (template === "none") return eb("t.template_name", "is", null);
  return allOf([
    eb("a.cluster", "=", template.cluster),
    eb("t.template_namespace", "=", template.namespace === "-" ? "" : template.namespace),
    eb(ref("t.template_kind").$castTo<string>(), "=", template.kind),
    eb("t.template_name", "=", template.name),
  ]);
}

export type RunFilter = {
  figure?: RunFigure | undefined;
  metric?: string | undefined;
  template?: TemplateFilter | undefined;
};

/** Returns the condition that run `a` has a metric that is counted; undefined without a filter. */
export function hasCountedMetric({ figure, metric, template }: RunFilter): Condition | undefined {
  if (figure === "pending") return isPendingRun;
  if (figure === undefined && metric === undefined && template === undefined) return undefined;
  return exists(
    fragment<{ a: "analysis_run" }>()
      .selectFrom("metric as t")
      .select("t.name")
      .whereRef("t.rollout_id", "=", "a.rollout_id")
      .whereRef("t.run_uid", "=", "a.uid")
      .where(
        allOf([
          isCountedMetric,
          given(figure, (name) => runFigureConditions[name]),
          given(metric, (name) => eb("t.name", "=", name)),
          given(template, isFromTemplate),
        ]),
      ),
  );
}
