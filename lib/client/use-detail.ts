import { type UseQueryOptions, useQuery } from "@tanstack/react-query";
import { useState } from "react";

type Detail<Data> = {
  data: Data | undefined;
  error: Error | null;
  refetch: () => Promise<unknown>;
  /** Read it only if needed: reading it makes a page render once more. */
  readonly isFetchedAfterMount: boolean;
};

/** Loads one object for its page. */
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
 * Returns the error of a query, even while it asks again. Without data, the query itself clears its error then: a page
 * that shows the error would blink with every change that arrives.
 */
export function useHeldError(query: Failing): Error | null {
  const [held, setHeld] = useState<Error | null>(null);
  const { data, error } = query;
  if (error !== null && error !== held) setHeld(error);
  if (error !== null || data !== undefined) return error;
  // Another query, such as that of the next page, has not failed yet.
  return query.isFetching && query.errorUpdateCount > 0 ? held : null;
}
