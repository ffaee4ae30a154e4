import { jsonBuildObject } from "kysely/helpers/postgres";
import { formatTemplateId, isReadableTemplate } from "#lib/server/pages/template/template-row.ts";
import { isReadable } from "#lib/server/people/permission/read-scope.ts";
import { allOf, type Condition } from "#lib/server/platform/db/conditions.ts";
import { joinTexts } from "#lib/server/platform/db/sql-functions.ts";
import { fragment, tables } from "#lib/server/platform/db/tables.ts";
import { experimentPlace } from "#lib/server/records/experiment-row.ts";
import { hasPart, matchTerms, messageMatches, startsWith } from "#lib/server/records/match-terms.ts";
import type { SearchTerm } from "#lib/server/records/parse-search.ts";
import { asPhase, runPlace } from "#lib/server/records/run-row.ts";
import { isAtAddress } from "./search-rollouts.ts";
import { searched } from "./searched.ts";

const ofRun = fragment<{ a: "analysis_run" }>();

function isOwnRun(term: SearchTerm): Condition {
  return ofRun.or([
    startsWith(ofRun.ref("a.name"), term),
    ofRun("a.uid", "=", term.text.toLowerCase()),
    messageMatches(ofRun.ref("a.message"), term),
  ]);
}

export const searchedRuns = searched({
  find: ({ actor, terms, limit }) => {
    const matches = matchTerms(terms, { own: isOwnRun, around: isAtAddress });
    if (matches === undefined) return undefined;
    return tables
      .selectFrom("analysis_run as a")
      .leftJoin("rollout as r", "r.id", "a.rollout_id")
      .select((a) => [
        "a.created_at as at",
        jsonBuildObject({
          uid: a.ref("a.uid"),
          cluster: a.ref("a.cluster"),
          namespace: a.ref("a.namespace"),
          name: a.ref("a.name"),
          phase: a.ref("a.phase"),
          message: a.ref("a.message"),
        }).as("hit"),
      ])
      .where(() => allOf([isReadable(actor.rights, runPlace), matches]))
      .orderBy("a.created_at", "desc")
      .orderBy("a.uid", "desc")
      .limit(limit);
  },
  toHit: (run, at) => ({ ...run, phase: asPhase(run.phase), at }),
});

const ofExperiment = fragment<{ e: "experiment" }>();

function isOwnExperiment(term: SearchTerm): Condition {
  return ofExperiment.or([
    hasPart(ofExperiment.ref("e.name"), term),
    ofExperiment("e.uid", "=", term.text.toLowerCase()),
  ]);
}

export const searchedExperiments = searched({
  find: ({ actor, terms, limit }) => {
    const matches = matchTerms(terms, { own: isOwnExperiment, around: isAtAddress });
    if (matches === undefined) return undefined;
    return tables
      .selectFrom("experiment as e")
      .leftJoin("rollout as r", "r.id", "e.rollout_id")
      .select((e) => [
        "e.created_at as at",
        jsonBuildObject({
          uid: e.ref("e.uid"),
          cluster: e.ref("e.cluster"),
          namespace: e.ref("e.namespace"),
          name: e.ref("e.name"),
          phase: e.ref("e.phase"),
          message: e.ref("e.message"),
        }).as("hit"),
      ])
      .where(() => allOf([isReadable(actor.rights, experimentPlace), matches]))
      .orderBy("e.created_at", "desc")
      .orderBy("e.uid", "desc")
      .limit(limit);
  },
  toHit: (experiment, at) => ({ ...experiment, phase: asPhase(experiment.phase), at }),
});

const ofTemplate = fragment<{ t: "analysis_template"; v: "analysis_template_version" }>();

const name = joinTexts("/", [ofTemplate.ref("t.namespace"), ofTemplate.ref("t.name")]);
const spec = ofTemplate.cast<string>("v.spec", "text");

/** There are few templates: the newest version of each is read, so that a query or a condition is found too. */
export const searchedTemplates = searched({
  find: ({ actor, terms, limit }) =>
    tables
      .selectFrom("analysis_template as t")
      .innerJoin("analysis_template_version as v", (join) =>
        join.onRef("v.template_uid", "=", "t.uid").onRef("v.version", "=", "t.version"),
      )
      .select((t) => [
        "v.written_at as at",
        jsonBuildObject({
          cluster: t.ref("t.cluster"),
          namespace: t.ref("t.namespace"),
          kind: t.ref("t.kind"),
          name: t.ref("t.name"),
        }).as("hit"),
      ])
      .where(() =>
        allOf([
          ofTemplate("t.presence", "<>", "deleted"),
          isReadableTemplate(actor.rights),
          ...terms.map((term) =>
            ofTemplate.or([hasPart(name, term), term.isLong ? hasPart(spec, term) : ofTemplate.lit(false)]),
          ),
        ]),
      )
      .orderBy(allOf(terms.map((term) => hasPart(name, term))), "desc")
      .orderBy("t.name")
      .orderBy("t.namespace")
      .orderBy("t.uid")
      .limit(limit),
  toHit: (template, at) => ({
    ...template,
    id: formatTemplateId(template),
    namespace: template.namespace === "" ? null : template.namespace,
    at,
  }),
});
