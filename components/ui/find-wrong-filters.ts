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
