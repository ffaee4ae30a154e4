import type { ShownState } from "#components/ui/classify-state.ts";
import { StateIcon } from "#components/ui/state-badge.tsx";
import type { Finding, FindingSeverity } from "#lib/contract/finding.ts";
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

const severities: Record<FindingSeverity, ShownState> = {
  critical: { state: "failed", word: "Critical" },
  warning: { state: "error", word: "Warning" },
  info: { state: "unknown", word: "Info" },
};

/** Returns icon, word and colour of a severity. */
export function classifySeverity(severity: FindingSeverity): ShownState {
  return severities[severity];
}

/** Classifies a finding: by its severity while it is open, otherwise by its state. */
export function classifyFinding({ state, severity }: Pick<Finding, "state" | "severity">): ShownState {
  if (state === "closed") return { state: "unknown", word: "Closed" };
  if (state === "acknowledged") return { state: "timed", word: "Acknowledged" };
  return classifySeverity(severity);
}

/** Names the subject of a finding: the rollout, the cluster, or the source or controller with its cluster. */
export function nameTarget({ about, target }: Pick<Finding, "about" | "target">): string {
  const { cluster, namespace, kind, name } = target;
  if (about === "rollout") return `${namespace}/${name}`;
  if (about === "cluster") return `Cluster ${cluster}`;
  const what = [name === "" ? kind : name, ...(namespace === "" ? [] : [`in ${namespace}`])].join(" ");
  return about === "source" ? `Source ${what}, ${cluster}` : `${what}, ${cluster}`;
}
