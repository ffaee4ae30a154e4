import { RelativeTime } from "#components/ui/relative-time.tsx";

/** Shows a time that may never come. */
export function TimeOrNever({ at }: { at: string | null }) {
  return at === null ? <>never</> : <RelativeTime at={at} />;
}
