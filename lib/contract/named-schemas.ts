import { z } from "zod";
import * as action from "#lib/contract/action.ts";
import * as actionGroup from "#lib/contract/action-group.ts";
import * as actionNeeds from "#lib/contract/action-needs.ts";
import * as admin from "#lib/contract/admin.ts";
import * as adminAccess from "#lib/contract/admin-access.ts";
import * as analysisEngine from "#lib/contract/analysis-engine.ts";
import * as analysisRun from "#lib/contract/analysis-run.ts";
import * as approval from "#lib/contract/approval.ts";
import * as audit from "#lib/contract/audit.ts";
import * as backtest from "#lib/contract/backtest.ts";
import * as clusterObjects from "#lib/contract/cluster-objects.ts";
import * as common from "#lib/contract/common.ts";
import * as controller from "#lib/contract/controller.ts";
import * as deviceSignIn from "#lib/contract/device-sign-in.ts";
import * as evidence from "#lib/contract/evidence.ts";
import * as experiment from "#lib/contract/experiment.ts";
import * as finding from "#lib/contract/finding.ts";
import * as freeze from "#lib/contract/freeze.ts";
import * as hook from "#lib/contract/hook.ts";
import * as inbox from "#lib/contract/inbox.ts";
import * as insight from "#lib/contract/insight.ts";
import * as linkTemplate from "#lib/contract/link-template.ts";
import * as log from "#lib/contract/log.ts";
import * as monitoring from "#lib/contract/monitoring.ts";
import * as notification from "#lib/contract/notification.ts";
import * as notificationSetting from "#lib/contract/notification-setting.ts";
import * as openFindings from "#lib/contract/open-findings.ts";
import * as policyReplay from "#lib/contract/policy-replay.ts";
import * as problem from "#lib/contract/problem.ts";
import * as releaseCourse from "#lib/contract/release-course.ts";
import * as rollout from "#lib/contract/rollout.ts";
import * as rolloutLists from "#lib/contract/rollout-lists.ts";
import * as sandboxFaults from "#lib/contract/sandbox-faults.ts";
import * as savedView from "#lib/contract/saved-view.ts";
import * as scheduledAction from "#lib/contract/scheduled-action.ts";
import * as search from "#lib/contract/search.ts";
import * as system from "#lib/contract/system.ts";
import * as template from "#lib/contract/template.ts";
import * as timeline from "#lib/contract/timeline.ts";
import * as versionSet from "#lib/contract/version-set.ts";
import * as waitHandling from "#lib/contract/wait-handling.ts";

/** The files whose exported schemas have a name in the OpenAPI document. */
const files = [
  action,
  actionGroup,
  actionNeeds,
  adminAccess,
  admin,
  analysisEngine,
  analysisRun,
  approval,
  audit,
  backtest,
  clusterObjects,
  common,
  openFindings,
  controller,
  deviceSignIn,
  evidence,
  experiment,
  finding,
  freeze,
  hook,
  inbox,
  insight,
  linkTemplate,
  log,
  monitoring,
  notification,
  notificationSetting,
  policyReplay,
  problem,
  releaseCourse,
  rolloutLists,
  rollout,
  sandboxFaults,
  savedView,
  scheduledAction,
  search,
  system,
  template,
  timeline,
  versionSet,
  waitHandling,
];

/** Every exported schema by its name, except `Problem`, which the document names itself. */
export function listNamedSchemas(): Record<string, z.ZodType> {
  const exported: [string, unknown][] = files.flatMap((file) => Object.entries(file));
  const named = exported.filter(
    (entry): entry is [string, z.ZodType] => entry[1] instanceof z.ZodType && entry[0] !== "Problem",
  );
  return Object.fromEntries(named);
}

type Document = { paths?: unknown; components?: { schemas?: Record<string, unknown> } };

/** The schemas of the lines and events of streams, which an operation cannot refer to. */
const streamed = ["ChangeEvent", "LogRecord"];

/**
 * Removes the named schemas that nothing refers to. The generator writes each schema twice, for input and, as
 * `NameOutput`, for output; the second is renamed to `Name` if it is the only one used.
 */
export function tidySchemas<Given extends Document>(document: Given): Given {
  const all = document.components?.schemas ?? {};
  const used = new Set<string>();
  const visit = (part: unknown): void => {
    for (const name of listReferences(part)) {
      if (used.has(name)) continue;
      used.add(name);
      visit(all[name]);
    }
  };
  visit(document.paths);
  // Streams are output, so they use the second form.
  for (const name of streamed) visit({ $ref: `${name}Output` in all ? `${name}Output` : name });
  const nameOf = (name: string): string => {
    const short = name.replace(/Output$/, "");
    return used.has(short) || !(short in all) ? name : short;
  };
  const text = JSON.stringify(document).replaceAll(
    /"#\/components\/schemas\/(\w+)"/g,
    (_, name: string) => `"#/components/schemas/${nameOf(name)}"`,
  );
  const tidied: Document = JSON.parse(text);
  const schemas = Object.entries(tidied.components?.schemas ?? {})
    .filter(([name]) => used.has(name))
    .map(([name, schema]): [string, unknown] => [nameOf(name), schema])
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  const whole: Document = { ...tidied, components: { ...tidied.components, schemas: Object.fromEntries(schemas) } };
  // JSON in, JSON out, with the same members.
  return whole as Given;
}

function listReferences(part: unknown): string[] {
  if (typeof part !== "object" || part === null) return [];
  return Object.entries(part).flatMap(([key, value]) =>
    key === "$ref" && typeof value === "string" ? [value.slice(value.lastIndexOf("/") + 1)] : listReferences(value),
  );
}
