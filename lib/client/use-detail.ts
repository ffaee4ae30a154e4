import { type UseQueryOptions, useQuery } from "@tanstack/react-query";
import { useState } from "react";

type Detail<Data> = {
  data: Data | undefined;
  error: Error | null;
  refetch: () => Promise<unknown>;
  /** Read only by those who need it: reading it makes a page render once more. */
  readonly isFetchedAfterMount: boolean;
};

/** Loads one thing for a page about it. */
export function useDetail<Data>(options: UseQueryOptions<Data>): Detail<Data> {
  const query = useQuery(options);
  const error = useHeldError(query);
  return {
    data: query.data,
    error,
    refetch: query.refetch,
    get isFetchedAfterMount() {
      return query.isFetchedAfterMount;
    },
  };
}

type Failing = { data: unknown; error: Error | null; isFetching: boolean; errorUpdateCount: number };

/**
 * Returns the error of a query, also while it asks again. Without data, the query itself forgets its error then: a page
 * that says what is wrong would blink with every change that arrives.
 */
export function useHeldError(query: Failing): Error | null {
  const [held, setHeld] = useState<Error | null>(null);
  const { data, error } = query;
  if (error !== null && error !== held) setHeld(error);
  if (error !== null || data !== undefined) return error;
  // Another query, such as that of the next page, has not failed yet.
  return query.isFetching && query.errorUpdateCount > 0 ? held : null;
}
