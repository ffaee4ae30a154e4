import { parseObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import type { TemplateFilter } from "./run-conditions.ts";

/** Parses a template's id, or `none`. Throws `invalid_request`, with the name of the parameter. */
export function parseTemplateFilter(text: string, parameter = "template"): TemplateFilter {
  const filter = text === "none" ? text : parseObjectRef(text);
  if (filter !== undefined) return filter;
  const reason = "must be cluster/namespace/Kind/name, or none";
  throw new ServiceError("invalid_request", `${parameter}: ${reason}`, {
    invalidParams: [{ name: parameter, reason }],
  });
}
