import { actionNames, entryOf } from "#lib/domain/acting/action-catalogue.ts";

type Option = { value: string; label: string };

export const actionOptions: readonly Option[] = actionNames.map((value) => ({ value, label: entryOf(value).word }));

export const outcomeOptions: readonly Option[] = [
  { value: "intent", label: "asked" },
  { value: "applied", label: "applied" },
  { value: "refused", label: "refused" },
  { value: "partial", label: "partially applied" },
  { value: "unknown", label: "unknown" },
];

export const sourceOptions: readonly Option[] = [
  { value: "gatehouse", label: "Gatehouse" },
  { value: "cluster", label: "outside Gatehouse" },
  { value: "system", label: "system" },
];

/** Formats the URL's UTC time for the local time field; empty if it is not a time. */
export function toLocalInput(iso: string): string {
  const date = new Date(iso);
  if (iso === "" || Number.isNaN(date.getTime())) return "";
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

/** Converts a typed local time to UTC for the URL, so that a link means the same in every zone. Null if not a time. */
export function fromLocalInput(text: string): string | null {
  const date = new Date(text);
  return text === "" || Number.isNaN(date.getTime()) ? null : date.toISOString();
}
