import { isApiError } from "#lib/client/api-error.ts";

export type WrongFilter = { name: string; value: string; reason: string };

/** Returns the parameters of the address that the server refused; none if it failed for another reason. */
export function findWrongFilters(error: Error | null, values: Readonly<Record<string, string>>): WrongFilter[] {
  if (!isApiError(error) || error.code !== "invalid_request") return [];
  const reasons = new Map(error.problem?.invalidParams?.map(({ name, reason }) => [name, reason]));
  return [...reasons].flatMap(([name, reason]) => {
    const value = values[name];
    return value === undefined || value === "" ? [] : [{ name, value, reason }];
  });
}
