import { classifySeverity } from "#components/ui/severity.ts";
import { StateIcon } from "#components/ui/state-badge.tsx";
import type { OpenFindings } from "#lib/contract/rollout.ts";

/** Marks a row whose rollout or release has open findings: the icon of the most severe, and their number. Nothing if it has none. */
export function FindingMark({ findings: { open, worst } }: { findings: OpenFindings }) {
  if (open === 0 || worst === null) return null;
  const { state, word } = classifySeverity(worst);
  const text = `${open === 1 ? "1 finding" : `${open} findings`}, ${open === 1 ? word.toLowerCase() : `worst ${word.toLowerCase()}`}`;
  return (
    <span title={text} style={{ display: "inline-flex", gap: 4, alignItems: "center", whiteSpace: "nowrap" }}>
      <StateIcon state={state} size={14} />
      <span aria-hidden="true" style={{ fontSize: "var(--mantine-font-size-xs)" }}>
        {open}
      </span>
      <span className="visually-hidden">{text}</span>
    </span>
  );
}
