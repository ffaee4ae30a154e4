import { jsonBuildObject } from "kysely/helpers/postgres";
import { formatTemplateId, isReadableTemplate } from "#lib/server/pages/template/template-row.ts";
import { allOf } from "#lib/server/platform/db/conditions.ts";
import { joinTexts } from "#lib/server/platform/db/sql-functions.ts";
import { fragment, tables } from "#lib/server/platform/db/tables.ts";
import { hasPart } from "#lib/server/records/match-terms.ts";
import { searched } from "./searched.ts";

const eb = fragment<{ t: "analysis_template"; v: "analysis_template_version" }>();

const name = joinTexts("/", [eb.ref("t.namespace"), eb.ref("t.name")]);
const spec = eb.cast<string>("v.spec", "text");

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
          eb("t.presence", "<>", "deleted"),
          isReadableTemplate(actor.rights),
          ...terms.map((term) => eb.or([hasPart(name, term), term.isLong ? hasPart(spec, term) : eb.lit(false)])),
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
