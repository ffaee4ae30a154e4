import { capital } from "#lib/util/words.ts";
import { isGatehouseError } from "#packages/client/src/gatehouse-error.ts";

export type WrongFilter = { name: string; value: string; reason: string };

/** Returns the parameters of the address that the server refused; none if it failed for another reason. */
export function findWrongFilters(error: Error | null, values: Readonly<Record<string, string>>): WrongFilter[] {
  if (!isGatehouseError(error, "invalid_request")) return [];
  const reasons = new Map(error.problem?.invalidParams?.map(({ name, reason }) => [name, reason]));
  return [...reasons].flatMap(([name, reason]) => {
    const value = values[name];
    return value === undefined || value === "" ? [] : [{ name, value, reason }];
  });
}

/**
 * Returns why the server refused the fields of a form, by their keys; `path` leads to the form, such as "routes.0". The
 * first reason for a field counts.
 */
export function findFieldErrors(
  error: Error | null,
  { path, keys }: { path: string; keys: readonly string[] },
): Readonly<Record<string, string>> {
  if (!isGatehouseError(error, "invalid_request")) return {};
  const found = (error.problem?.invalidParams ?? []).flatMap(({ name, reason }) => {
    const [field] = name.startsWith(`${path}.`) ? name.slice(path.length + 1).split(".") : [];
    return field === undefined || !keys.includes(field) ? [] : [[field, capital(reason)] as const];
  });
  return Object.fromEntries(found.toReversed());
}

/** Returns the error that a form shows as a whole: short, if its fields say the rest. */
export function toFormError(error: Error | null, fieldErrors: Readonly<Record<string, string>>): Error | null {
  return Object.keys(fieldErrors).length === 0 ? error : new Error("Correct the marked fields.");
}
