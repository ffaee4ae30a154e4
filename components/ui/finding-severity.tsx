import type { ShownState } from "#components/ui/classify-state.ts";
import { StateBadge, StateIcon } from "#components/ui/state-badge.tsx";
import type { Finding, FindingSeverity } from "#lib/contract/finding.ts";
import type { OpenFindings } from "#lib/contract/open-findings.ts";

/**
 * Marks a row whose rollout or release has open findings: a critical one by its rule or in words, others by an icon and
 * their number. Nothing if it has none.
 */
export function FindingMark({ findings }: { findings: OpenFindings }) {
  const { open, worst } = findings;
  if (open === 0 || worst === null) return null;
  if (worst === "critical") return <StateBadge shown={classifyCritical(findings)} size="sm" />;
  const { state, word } = classifySeverity(worst);
  const text = `${open === 1 ? "1 finding" : `${open} findings`}, ${open === 1 ? word.toLowerCase() : `worst ${word.toLowerCase()}`}`;
  return (
    <span title={text} style={{ display: "inline-flex", gap: 4, alignItems: "center", whiteSpace: "nowrap" }}>
      <StateIcon state={state} size={14} />
      <span aria-hidden="true" style={{ fontSize: "var(--mantine-font-size-xs)" }}>
        {open} {worst === "info" ? "note" : "finding"}
        {open > 1 && "s"}
      </span>
      <span className="visually-hidden">{text}</span>
    </span>
  );
}

/** Names the critical finding: "Verdict mismatch", "1 critical finding" without words for its rule. */
export function classifyCritical({ open, badge }: Pick<OpenFindings, "open" | "badge">): ShownState {
  const one = badge ?? "1 critical finding";
  const all = badge === undefined ? `${open} findings, worst critical` : `${badge}, ${open} findings`;
  return { ...classifySeverity("critical"), word: open === 1 ? one : all };
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
