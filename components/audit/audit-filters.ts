import { actionNames, entryOf } from "#lib/domain/acting/action-catalogue.ts";

type Option = { value: string; label: string };

export const actionOptions: readonly Option[] = actionNames.map((value) => ({ value, label: entryOf(value).word }));

export const outcomeOptions: readonly Option[] = [
  { value: "intent", label: "requested" },
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
