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

/** Returns why the server refused a form's fields, by their names; `path` leads to the form, such as "routes.0". */
export function findFieldErrors(error: Error | null, path: string): Readonly<Record<string, string>> {
  if (!isGatehouseError(error, "invalid_request")) return {};
  const found = (error.problem?.invalidParams ?? []).flatMap(({ name, reason }) => {
    const [field] = name.startsWith(`${path}.`) ? name.slice(path.length + 1).split(".") : [];
    return field === undefined ? [] : [[field, reason] as const];
  });
  // The first reason for a field counts.
  return Object.fromEntries(found.toReversed());
}
