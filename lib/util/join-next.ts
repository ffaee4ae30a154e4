/**
 * Shares a task among callers at the same time: a call joins the next run, which begins once the present one has ended.
 * Each caller thus gets the result of a run that began after its call, and at most two runs are under way or waiting.
 */
export function joinNext<Result>(): (run: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<Result> | undefined;
  return (run) => {
    next ??= last.then(() => {
      next = undefined;
      const result = run();
      last = result.catch(() => undefined);
      return result;
    });
    return next;
  };
}
