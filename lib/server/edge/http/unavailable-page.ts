import type { Provider } from "#lib/domain/delivery/provider.ts";
import { findProvider } from "#lib/domain/providers.ts";

const label = "[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?";
/** Matches a namespace, or a cluster of the config. */
const isLabel = (text: string) => new RegExp(`^${label}$`).test(text);
const isObjectName = (text: string) => text.length <= 253 && new RegExp(`^${label}(?:\\.${label})*$`).test(text);

/**
 * Writes the page for when the database is down: it says so and retries by itself. For a rollout's path, it gives the
 * commands that hold the release without Gatehouse. It uses only the path: neither the caller nor the existing rollouts
 * are known. `basePath`: as of publicUrl, empty if it has none.
 */
export function writeUnavailablePage(path: string, basePath: string): string {
  const place = parseRolloutPath(path);
  // Copying a command takes longer than a few seconds.
  const everySeconds = place === undefined ? 3 : 30;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="${everySeconds}">
<title>Unavailable · Gatehouse</title>
<body style="font-family: system-ui, sans-serif; margin: 15vh auto; max-width: 48rem; padding: 0 1rem; color-scheme: light dark">
<main>
<h1>Gatehouse cannot reach its database</h1>
<p>Gatehouse cannot show or do anything until the database is back. The clusters themselves are not affected.</p>
<p>This page retries every ${everySeconds} seconds.</p>
${place === undefined ? "" : formatCommands(place)}<p><a href="${basePath}/docs/troubleshooting">What to check: troubleshooting</a></p>
</main>
</body>
</html>
`;
}

type Place = { provider: Provider; cluster: string; namespace: string; name: string };

/** Parses a rollout's path; undefined for any other page, and for names that Kubernetes would not allow. */
function parseRolloutPath(path: string): Place | undefined {
  const [, cluster = "", namespace = "", kind = "", name = ""] =
    /^\/rollouts\/([^/]+)\/([^/]+)\/([^/]+)\/([^/]+)/.exec(path) ?? [];
  const provider = findProvider(kind);
  if (provider === undefined) return undefined;
  const place = { provider, cluster: decode(cluster), namespace: decode(namespace), name: decode(name) };
  const isPlausible = isLabel(place.cluster) && isLabel(place.namespace) && isObjectName(place.name);
  return isPlausible ? place : undefined;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

function formatCommands({ provider, cluster, namespace, name }: Place): string {
  const commands = provider.acting.listHoldCommands({ namespace, name }).map(
    ({ effect, kubectl }) => `<p>${escapeHtml(effect)}</p>
<pre style="white-space: pre-wrap; overflow-wrap: anywhere"><code>${escapeHtml(kubectl)}</code></pre>
`,
  );
  return `<h2>Without Gatehouse</h2>
<p>Against cluster ${escapeHtml(cluster)}, with your own access. Gatehouse could not check whether the rollout exists.</p>
${commands.join("")}`;
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? "");
}
