import Link from "next/link";
import classes from "#components/audit/audit.module.css";

type Values = Readonly<Record<string, string>>;

type Preset = { label: string; filters: Values };

/** What auditors ask most, as filters. */
const presets: readonly Preset[] = [
  { label: "Everything", filters: {} },
  { label: "Who aborted what", filters: { report: "aborts" } },
  { label: "Requests to abort", filters: { action: "abort" } },
  { label: "Full promotions", filters: { action: "promote-full" } },
  { label: "Refused", filters: { outcome: "refused" } },
  { label: "Outside Gatehouse", filters: { source: "cluster" } },
  { label: "Outcome unknown", filters: { outcome: "unknown" } },
];

/** Offers the common views of the log; the one that is shown is marked. */
export function AuditPresets({ values }: { values: Values }) {
  return (
    <nav aria-label="Common views" className={classes.presets}>
      {presets.map(({ label, filters }) => (
        <Link
          key={label}
          href={presetHref(filters)}
          aria-current={isShown(values, filters) ? "page" : undefined}
          prefetch={false}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}

function presetHref(filters: Values): string {
  return Object.keys(filters).length === 0 ? "/audit" : `/audit?${new URLSearchParams(filters)}`;
}

function isShown(values: Values, filters: Values): boolean {
  const names = [...Object.keys(values), ...Object.keys(filters)].filter(
    (name) => name !== "rows" && name !== "signIns",
  );
  return names.every((name) => (values[name] ?? "") === (filters[name] ?? ""));
}
