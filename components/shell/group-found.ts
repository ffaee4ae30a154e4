import { classifyAnalysis, classifyRelease, classifyRollout, type ShownState } from "#components/ui/classify-state.ts";
import { classifyFinding } from "#components/ui/finding-severity.tsx";
import { describeVersionPair, pairImages, shortenImage } from "#lib/client/describe-images.ts";
import { auditHref, experimentHref, releaseHref, rolloutHref, runHref } from "#lib/client/rollout-path.ts";
import { versionSetHref } from "#lib/client/set-queries.ts";
import { templateHref } from "#lib/client/template-path.ts";
import type { SearchAnswer, SearchHit, SearchKind } from "#lib/contract/search.ts";
import { wordMessage } from "#lib/domain/controller-words.ts";
import { parseImage } from "#lib/domain/delivery/version-set.ts";

export type FoundRow = {
  id: string;
  href: string;
  shown: ShownState | undefined;
  label: string;
  detail: string;
  /** The object's own message, if it has one. */
  message?: string;
  at: string;
};

export type FoundGroup = { kind: SearchKind; label: string; rows: FoundRow[] };

/** Every kind, in the order in which they are shown. */
const words: Record<SearchKind, string> = {
  rollouts: "Rollouts",
  releases: "Releases",
  runs: "Analysis runs",
  experiments: "Experiments",
  templates: "Templates",
  findings: "Findings",
  people: "People and programs",
  messages: "Kubernetes events",
  audit: "Audit log",
};

/** Kinds sorted by name; the others show their newest. */
const byName: readonly SearchKind[] = ["rollouts", "templates"];

const rowsOf: { [Kind in SearchKind]: (hit: SearchHit<Kind>) => FoundRow } = {
  rollouts: ({ rollout, images, at, ...state }) => ({
    id: rollout.id,
    href: rolloutHref(rollout),
    shown: classifyRollout(state),
    label: rollout.name,
    detail: join([placeOf(rollout), versionOf(images)]),
    at,
  }),
  releases: (release) => ({
    id: release.id,
    href: releaseHref(release.id),
    shown: classifyRelease(release),
    label: join([release.rollout.name, release.images.map(shortenImage).join(", ")], " "),
    detail: join([
      placeOf(release.rollout),
      release.revision === null ? release.runKey : `revision ${release.revision}`,
      release.attempt > 1 ? `attempt ${release.attempt}` : "",
    ]),
    // While it is under way, the message is the controller's code for the state, which is shown in words.
    message: release.state === "progressing" || release.state === "paused" ? "" : wordMessage(release.message),
    at: release.at,
  }),
  runs: (run) => ({
    id: run.uid,
    href: runHref(run.uid),
    shown: classifyAnalysis(run.phase),
    label: run.name,
    detail: placeOf(run),
    message: run.message,
    at: run.at,
  }),
  experiments: (experiment) => ({
    id: experiment.uid,
    href: experimentHref(experiment.uid),
    shown: classifyAnalysis(experiment.phase),
    label: experiment.name,
    detail: placeOf(experiment),
    message: experiment.message,
    at: experiment.at,
  }),
  templates: ({ id, kind, cluster, namespace, name, at }) => ({
    id,
    href: templateHref(id),
    shown: undefined,
    label: name,
    detail: join([namespace === null ? cluster : `${cluster} / ${namespace}`, kind]),
    at,
  }),
  findings: (finding) => ({
    id: finding.id,
    href: `/findings/${encodeURIComponent(finding.id)}`,
    shown: classifyFinding(finding),
    label: finding.title,
    detail: join([placeOf(finding.target), finding.target.name]),
    at: finding.at,
  }),
  people: ({ name, subject, at }) => ({
    id: `${name}\n${subject ?? ""}`,
    href: `/audit?${new URLSearchParams({ actor: name })}`,
    shown: undefined,
    label: name,
    detail: subject === null || subject === name ? "" : subject,
    at,
  }),
  messages: ({ rollout, involved, type, reason, message, at }) => ({
    id: `${rollout.id} ${involved.kind} ${involved.name} ${reason} ${at} ${message}`,
    href: rolloutHref(rollout),
    shown: type === "Warning" ? { state: "error", word: "Warning" } : undefined,
    label: `${reason}: ${message}`,
    detail: join([`${placeOf(rollout)} / ${rollout.name}`, `${involved.kind} ${involved.name}`]),
    at,
  }),
  audit: ({ seq, sentence, reason, time }) => ({
    id: String(seq),
    href: auditHref(seq),
    shown: undefined,
    label: sentence,
    detail: join([`No. ${seq}`, reason ?? ""]),
    at: time,
  }),
};

/** Reads "who may abort in payments" as "abort in payments"; undefined for anything else, empty without an action. */
export function readWhoMay(wanted: string): string | undefined {
  const [who, may, ...question] = wanted.split(/\s+/);
  if (who?.toLowerCase() !== "who" || !["may", "can"].includes(may?.toLowerCase() ?? "")) return undefined;
  return question.join(" ").replace(/\?$/, "");
}

/** At most this many versions are offered. */
const mostVersions = 3;

/** Returns the pages of the versions that were searched for: of images of what was found, by the begin of the version. */
export function listVersions({ rollouts, releases }: SearchAnswer, wanted: string): { href: string; label: string }[] {
  const images = [
    ...rollouts.items.flatMap(({ images }) => images.map(({ image }) => image)),
    ...releases.items.flatMap(({ images }) => images),
  ];
  const found = new Map<string, string>();
  for (const image of images) {
    const href = versionSetHref(image);
    const { repository, versions } = parseImage(image);
    const version = versions.at(-1);
    if (href === undefined || version?.toLowerCase().startsWith(wanted.toLowerCase()) !== true) continue;
    found.set(href, `${shortenImage(image)} of ${repository}, all rollouts`);
  }
  return [...found].slice(0, mostVersions).map(([href, label]) => ({ href, label }));
}

/** Prepares the search results for the palette: groups that are not empty, in their order. */
export function groupFound(answer: SearchAnswer): FoundGroup[] {
  const kinds = Object.keys(words) as SearchKind[];
  return kinds.map((kind) => groupOf(kind, answer)).filter(({ rows }) => rows.length > 0);
}

function groupOf<Kind extends SearchKind>(kind: Kind, answer: SearchAnswer): FoundGroup {
  const { items, more } = answer[kind];
  const rows = (items as SearchHit<Kind>[]).map(rowsOf[kind]);
  const label = !more
    ? words[kind]
    : `${words[kind]}, ${byName.includes(kind) ? "the first" : "the newest"} ${rows.length}`;
  return { kind, label, rows };
}

function placeOf({ cluster, namespace }: { cluster: string; namespace: string }): string {
  return namespace === "" ? cluster : `${cluster} / ${namespace}`;
}

function versionOf(images: SearchHit<"rollouts">["images"]): string {
  const { stable } = pairImages(images);
  return describeVersionPair(images) || (stable === undefined ? "" : shortenImage(stable));
}

function join(parts: readonly string[], by = " · "): string {
  return parts.filter((part) => part !== "").join(by);
}
