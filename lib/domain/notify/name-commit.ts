import type { ReleaseState } from "#lib/domain/delivery/derive-releases.ts";
import { matchesAny } from "#lib/domain/policy/match-glob.ts";
import type { Target } from "#lib/domain/policy/rights.ts";
import type { DeploymentReport, DeploymentStatus } from "./notifiable-event.ts";

const longestAnnotation = 500;

/**
 * The code host that a channel reports to. `apiUrl`: of its API. `repositories`: patterns of those that it reports to,
 * since whoever may annotate a rollout names one.
 */
type CodeHost = { provider: "github" | "gitlab"; apiUrl: string; repositories: readonly string[] };

const hashForm = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const pathForms = {
  github: /^[\w.-]{1,100}\/[\w.-]{1,100}$/,
  gitlab: /^[\w.-]{1,100}(?:\/[\w.-]{1,100}){1,20}$/,
} as const;

/**
 * Reads the repository and the commit that a release names by annotations: the repository as a path or as an address at
 * this code host, the commit as a whole hash. Undefined for anything else, and for a
 * repository that no pattern matches.
 */
export function nameCommit(
  { repository, commit }: { repository: string | null; commit: string | null },
  host: CodeHost,
): Pick<DeploymentReport, "repository" | "commit"> | undefined {
  if (repository === null || commit === null) return undefined;
  if (repository.length > longestAnnotation || commit.length > longestAnnotation) return undefined;
  const path = pathAt(repository.trim(), host)
    ?.replace(/^\/|\/$/g, "")
    .replace(/\.git$/, "");
  const hash = commit.trim().toLowerCase();
  if (path === undefined || !hashForm.test(hash) || !pathForms[host.provider].test(path)) return undefined;
  if (path.split("/").some((part) => /^\.{1,2}$/.test(part)) || !matchesAny(host.repositories, path)) return undefined;
  return { repository: path, commit: hash };
}

/** Undefined for a repository of another code host. */
function pathAt(repository: string, { apiUrl }: Pick<CodeHost, "apiUrl">): string | undefined {
  const [, sshHost, sshPath] = /^git@([^:/]+):(.+)$/.exec(repository) ?? [];
  const url = sshHost === undefined && repository.includes("://") ? URL.parse(repository) : undefined;
  if (url === null) return undefined;
  const host = sshHost ?? url?.hostname;
  // The API of github.com has an address of its own.
  const own = URL.parse(apiUrl)?.hostname.replace(/^api\.github\.com$/, "github.com");
  if (host !== undefined && host.toLowerCase() !== own) return undefined;
  return sshPath ?? url?.pathname ?? repository;
}

/** Returns the state of the deployment that a release is. A paused one is still under way. */
export function statusOfRelease(state: ReleaseState): DeploymentStatus {
  switch (state) {
    case "progressing":
    case "paused":
      return "in_progress";
    case "promoted":
      return "success";
    case "aborted":
      return "failure";
    case "superseded":
    case "unknown":
      return "inactive";
  }
}

/** Returns the name of an environment, by a template such as `{cluster}/{namespace}/{name}`. */
export function nameEnvironment(template: string, target: Target): string {
  const { cluster, namespace, name } = target;
  const values = new Map(Object.entries({ cluster, namespace, name, kind: target.kind ?? "" }));
  return template.replace(/\{(\w+)\}/g, (_, key: string) => values.get(key) ?? "").slice(0, 255);
}
